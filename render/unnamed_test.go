package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// TestUnnamedStarts checks the flows of a module that start at code without a declaration, and their order.
func TestUnnamedStarts(t *testing.T) {
	t.Parallel()
	const helpers = "function a(){ c(1); c(2) }\nfunction b(){ c(3); c(4) }\nfunction c(x){ x.d() }\n"
	for name, c := range map[string]struct{ file, code, want string }{
		"a program":               {"a.js", "a(); b();\n" + helpers, "a.program a.js"},
		"a route":                 {"a.js", "const app = express();\napp.get('/x', () => { a(); b() });\nmodule.exports = app;\n" + helpers, "a.route GET /x"},
		"a declaration is second": {"a.js", "const app = express();\napp.get('/x', () => { a(); b() });\napp.get('/y', () => { b(); a() });\nmodule.exports = { app, e };\nfunction e(){ f(); g(); b() }\nfunction f(){ c(5); a() }\nfunction g(){ c(6); c(7) }\n" + helpers, "a.route GET /x, a.e"},
		"a library":               {"a.js", "module.exports = 1;\na(); b();\n" + helpers, ""},
	} {
		r := newRepo(t, map[string]string{"m/" + c.file: c.code})
		var got []string
		for _, s := range r.nodes()["m"].Flows {
			if s.From == "" && len(got) < flowsShown {
				got = append(got, s.Name)
			}
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

// TestUnnamedHandler: the function literal of a route has an ID if the file has one route of the name.
func TestUnnamedHandler(t *testing.T) {
	t.Parallel()
	literal := source.Symbol{Name: "route GET /x", Kind: source.Answer}
	route := source.Fact{Kind: source.Route, Name: "GET /x"}
	for name, c := range map[string]struct {
		file source.File
		want string
	}{
		"one":        {source.File{Scoped: true, Unnamed: []source.Symbol{literal}, Facts: []source.Fact{route}}, "a.route GET /x"},
		"two routes": {source.File{Scoped: true, Unnamed: []source.Symbol{literal}, Facts: []source.Fact{route, route}}, ""},
		"none":       {source.File{Scoped: true, Facts: []source.Fact{route}}, ""},
	} {
		if got := unnamedHandler(&source.Unit{Path: "m/a.js", File: c.file}, source.Route, "GET /x"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestEntryPageOfUnnamedCode: the entry page shows the program of the file with which the project begins, or else its command.
func TestEntryPageOfUnnamedCode(t *testing.T) {
	t.Parallel()
	start := func(name, file string) flow {
		f := flow{Language: "go", module: "m", Steps: []node.Step{{Flow: name, Name: name, File: file}}}
		for range fewestFlowSteps {
			f.Steps = append(f.Steps, node.Step{Flow: name, From: name, Name: "Do", Module: "other"})
		}
		return f
	}
	for name, c := range map[string]struct {
		flows []flow
		want  string // of the first step
	}{
		"the program":        {[]flow{start("Run", "r.go"), start("tool.program tool.js", "tool.js"), start("a.program a.js", "a.js")}, "a.js"},
		"another program":    {[]flow{start("tool.program tool.js", "tool.js")}, ""},
		"its own command":    {[]flow{start("command list", "l.go"), start("command serve", "s.go"), start("a.command a", "a.js")}, "a"},
		"a command to start": {[]flow{start("command list", "l.go"), start("command serve", "s.go")}, "serve"},
		"another command":    {[]flow{start("command list", "l.go")}, ""},
	} {
		m := Summary{Path: "m", Title: "m"}
		x := indexPage{sheet: newSheet(Config{Layout: layout}, &fakeGraph{list: []Summary{m}}, layout.Index()), flows: func(string) []flow { return c.flows }}
		x.project.begins = []manifest.Begin{{Path: "m/a.js"}}
		x.flow([]reading{{module: m, begins: true}})
		got := x.b.String()
		if shows := strings.Contains(got, "## How it works"); shows != (c.want != "") || shows && !strings.Contains(got, "\n- [`"+c.want+"`]") {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
}
