package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/node"
)

// manyOf are routes of many files, the last of them in a directory with few.
func manyOf(modules, each int) []surface {
	var out []surface
	for m := range modules {
		s := surface{module: fmt.Sprintf("api/v%03d/part", m)}
		for r := range each {
			s.Elements = append(s.Elements, node.Behavior{
				Kind: source.Route, Name: fmt.Sprintf("GET /v%03d/%04d", m, r), Value: "list", File: fmt.Sprintf("a%d.go", r%2),
			})
		}
		out = append(out, s)
	}
	return append(out, surface{module: "web", Elements: []node.Behavior{
		{Kind: source.Route, Name: "POST /login", Value: "login", Also: "auth, limit", ID: "login", In: "login.go", File: "web.go"},
		{Kind: source.Route, Name: "GET /about", Value: "pages.About", ID: "pages#About", File: "web.go"},
	}})
}

// TestAllRoutesAreListed: however many routes there are, none is left out without being counted.
func TestAllRoutesAreListed(t *testing.T) {
	t.Parallel()
	c := Config{Layout: store.Layout{Docs: "docs/causal"}}
	for _, x := range []struct{ modules, each, listed int }{{1, 4, 6}, {3, 40, 122}, {30, 50, 1502}, {200, 300, -1}} {
		text := renderOperations(c, &fakeGraph{}, manyOf(x.modules, x.each), settings{}, nil, nil, 0)
		if len(text) > mostPageBytes {
			t.Errorf("%d modules: %d bytes", x.modules, len(text))
		}
		rows, counted := 0, 0
		for line := range strings.Lines(text) {
			var in string
			var n int
			if strings.HasPrefix(line, "| `GET ") || strings.HasPrefix(line, "| `POST ") || strings.HasPrefix(line, "| [`GET ") || strings.HasPrefix(line, "| [`POST ") {
				rows++
			} else if _, err := fmt.Sscanf(line, "| %s | %d |", &in, &n); err == nil {
				counted += n
			}
		}
		if all := x.modules*x.each + 2; rows+counted != all || x.listed >= 0 && rows != x.listed || x.listed < 0 && rows < 100 {
			t.Errorf("%d modules: %d routes listed and %d counted of %d", x.modules, rows, counted, all)
		}
	}
}

func TestRouteSections(t *testing.T) {
	t.Parallel()
	c := Config{Layout: store.Layout{Docs: "docs/causal"}}
	few := renderOperations(c, &fakeGraph{}, manyOf(1, 2), settings{}, nil, nil, 0)
	many := renderOperations(c, &fakeGraph{}, manyOf(3, 40), settings{}, nil, nil, 0)
	for text, want := range map[string][]string{
		few: {
			"| Route | Handler | Wrapped by | Registered in |\n",
			"| `POST /login` | [`login`](../../web/login.go) | `auth` and `limit` | [`web/web.go`](../../web/web.go) |\n",
			"| `GET /about` | [`pages.About`](modules/pages.md) |  | [`web/web.go`](../../web/web.go) |\n",
		},
		many: {
			"### `api/v001/part/a1.go`\n\n| Route | Handler |\n|---|---|\n| [`GET /v001/0001`](../../api/v001/part/a1.go) | `list` |\n",
			"### `web/web.go`\n",
		},
	} {
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%q is not on the page:\n%.3000s", w, text)
			}
		}
	}
	if strings.Contains(few, "###") {
		t.Errorf("few routes have headings:\n%s", few)
	}
}

// TestRouteWithAConstraint: a route of a debug build is not one of every program.
func TestRouteWithAConstraint(t *testing.T) {
	t.Parallel()
	in := []surface{{module: "web", Elements: []node.Behavior{
		{Kind: source.Route, Name: "GET /about", File: "web.go"}, {Kind: source.Route, Name: "POST /wipe", File: "debug.go", Guard: "dev"},
	}}}
	text := renderOperations(Config{Layout: store.Layout{Docs: "docs/causal"}}, &fakeGraph{}, in, settings{}, nil, nil, 0)
	if !strings.Contains(text, "| `POST /wipe` | [`web/debug.go`](../../web/debug.go) | (only with `dev`) |\n") || strings.Count(text, "only with") != 1 {
		t.Errorf("the page is\n%s", text)
	}
}

// TestHandlerOnAPart: the section of a handler in a large module is on the page of the part with its file, whoever
// registers the route.
func TestHandlerOnAPart(t *testing.T) {
	t.Parallel()
	g := &fakeGraph{parts: map[string][]source.Part{"accounts": {{Name: "views", Files: []string{"views.py"}}}}}
	in := []surface{
		{module: "accounts", Shown: map[string]string{"views.login": "viewslogin"}, Elements: []node.Behavior{{Kind: source.Route, Name: "/login/", Value: "views.login", ID: "views.login", In: "views.py", File: "urls.py"}}},
		{module: "site", Elements: []node.Behavior{{Kind: source.Route, Name: "/admin/login/", Value: "login", ID: "accounts#views.login", File: "urls.py"}}},
	}
	text := renderOperations(Config{Layout: store.Layout{Docs: "docs/causal"}}, g, in, settings{}, nil, nil, 0)
	if n := strings.Count(text, "](modules/accounts~views.md#viewslogin)"); n != 2 {
		t.Errorf("%d links to the section in\n%s", n, text)
	}
}
