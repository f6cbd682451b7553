package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// TestEntryPageFollowsARequest: of the routes whose handler begins a flow, one that changes something and passes through most modules.
func TestEntryPageFollowsARequest(t *testing.T) {
	t.Parallel()
	flowTo := func(entry string, modules ...string) flow {
		f := flow{Language: "go", module: "api", Steps: []node.Step{{Flow: entry, Name: entry, File: "api.go"}}}
		for _, m := range modules {
			f.Steps = append(f.Steps, node.Step{Flow: entry, From: entry, Name: "Do", Module: m})
		}
		return f
	}
	route := func(module, name, id string) element {
		return element{node.Behavior{Kind: source.Route, Name: name, ID: id}, module}
	}
	unsure, debug := route("api", "POST /x", "create"), route("api", "POST /y", "create")
	unsure.Help, debug.Guard = "not known", "dev"
	flows := map[string][]flow{"api": {flowTo("list", "a", "b", "c", "d"), flowTo("create", "a", "b", "c"), flowTo("edit", "a", "a", "a"), flowTo("short", "a"), flowTo("Carts.get", "a", "b", "c"), flowTo("long", "deep")}, "deep": {flowTo("Do", "a", "b")}}
	for name, c := range map[string]struct {
		routes []element
		want   string
	}{
		"changes first":       {[]element{route("api", "GET /x", "list"), route("main", "PUT /x/{id}", "api#edit"), route("main", "POST /x", "api#create")}, "POST /x"},
		"the most routes":     {[]element{route("api", "GET /api/y/{id}", "x"), route("api", "POST /api/x", "create"), route("api", "PUT /api/y/{id}", "edit")}, "PUT /api/y/{id}"},
		"several paths":       {[]element{route("api", "POST /y/a", "edit"), route("api", "POST /y/b", "x"), route("api", "POST /x", "create"), route("api", "POST /z", "create")}, "POST /x"},
		"many methods":        {[]element{route("api", "GET /x", "create"), route("api", "HEAD /x", "create"), route("api", "POST /x", "create"), route("api", "PUT /x", "create"), route("api", "DELETE /x", "create")}, "POST /x"},
		"a class":             {[]element{route("api", "GET /x", "Carts")}, "GET /x"},
		"a flow that goes on": {[]element{route("api", "POST /z", "long")}, "POST /z"},
		"no set-up":           {[]element{route("api", "POST /setup/start", "create"), route("api", "GET /x", "list")}, "GET /x"},
		"a known path":        {[]element{route("api", "POST /$(key)", "create"), route("api", "GET /x", "list")}, "GET /x"},
		"none changes":        {[]element{route("api", "GET /x", "list"), route("api", "GET /y", "create")}, "GET /x"},
		"a part of a path":    {[]element{unsure}, "POST /x` (not known"},
		"a debug build":       {[]element{debug}, ""},
		"too short":           {[]element{route("api", "POST /z", "short")}, ""},
		"no flow of handlers": {[]element{route("api", "POST /z", "other"), route("gone", "POST /z", "list"), route("api", "GET /", "")}, ""},
	} {
		x := indexPage{sheet: newSheet(Config{Layout: layout}, &fakeGraph{}, layout.Index()), routes: c.routes, flows: func(m string) []flow { return flows[m] }}
		x.request()
		got := x.b.String()
		end := "`"
		if strings.HasSuffix(c.want, "known") {
			end = ")"
		}
		if (c.want == "") != (got == "") || c.want != "" && !strings.Contains(got, "From the handler of `"+c.want+end+":") {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
}
