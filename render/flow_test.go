package render

import (
	"path"
	"strings"
	"testing"

	"github.com/causaldocs/causal/render/node"
)

// TestTellSteps checks the place and the caller of each step of a flow.
func TestTellSteps(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{"a/a.go": "package a\n", "b/b.go": "package b\n"})
	r.nodes()
	w := flowWriter{config: r.config, graph: r.graph(), page: "docs/causal/index.md"}
	own := func(from, name string) node.Step {
		return node.Step{Flow: "main", From: from, Name: name, File: "a.go"}
	}
	away := func(from, name string) node.Step {
		return node.Step{Flow: "main", From: from, Name: name, Module: "b"}
	}
	when := func(s node.Step, within int, cases string) node.Step {
		s.Within, s.When = within, cases
		return s
	}
	more := func(s node.Step, n int) node.Step {
		s.More = n
		return s
	}
	for name, c := range map[string]struct {
		steps []node.Step
		want  string
	}{
		"a chain":                {[]node.Step{own("", "main"), own("main", "run"), own("run", "do")}, "main; a>  run; a>    do"},
		"a function of its name": {[]node.Step{own("", "main"), own("main", "Run"), away("Run", "Run"), own("Run", "do")}, "main; a>  Run; a>    b.Run; a>    do"},
		"in some cases": {
			[]node.Step{own("", "main"), when(away("main", "Serve"), 0, "in some cases"), own("main", "do")},
			"main; opt in some cases; a>  in some cases: b.Serve; b>    b.listen; end; a>  do",
		},
		"blocks": {
			[]node.Step{
				own("", "main"), when(own("main", "x"), 0, "in some cases"), own("x", "x1"), when(own("main", "y"), 1, "in some cases"), when(own("main", "z"), 1, ""),
				when(own("main", "e"), 0, "in other cases"), own("main", "do"),
			},
			"main; alt in some cases; a>    x; a>      x1; opt in some cases; a>    in some cases: y; end; a>    z; else in other cases; a>  in other cases: e; end; a>  do",
		},
		"loops": {
			[]node.Step{own("", "main"), when(own("main", "x"), 0, "in a loop"), when(own("main", "y"), 1, "in some cases"), own("main", "z"), when(own("main", "w"), 0, "in a loop")},
			"main; loop in a loop; a>    x; opt in some cases; a>    in some cases: y; end; end; a>  z; loop in a loop; a>  in a loop: w; end",
		},
		"conditions": {
			[]node.Step{
				own("", "main"), when(own("main", "x"), 0, "if `a <= b`, in a loop → unless `c[1]`"), when(own("main", "y"), 1, "otherwise"),
				when(own("main", "z"), 0, "if `v` is `1`"), when(own("main", "w"), 0, "or if `v` is `2` or `3`"), when(own("main", "u"), 0, "otherwise, if `d`"),
			},
			"main; loop if `a <= b`, in a loop; alt unless `c[1]`; a>    unless `c[1]`: x; else otherwise; a>    otherwise: y; end; end; " +
				"alt if `v` is `1`; a>  if `v` is `1`: z; else or if `v` is `2` or `3`; a>  or if `v` is `2` or `3`: w; else otherwise, if `d`; a>  otherwise, if `d`: u; end",
		},
		"what follows elsewhere":  {[]node.Step{own("", "main"), away("main", "Serve"), own("main", "do")}, "main; a>  b.Serve; b>    b.listen; a>  do"},
		"calls that are no steps": {[]node.Step{more(own("", "main"), 4), more(own("main", "run"), 1), own("run", "do")}, "main; a>  run; a>    do; a>    and one more call; a>  and 4 more calls"},
	} {
		next := func(module, entry string) *flow {
			if entry != "Serve" {
				return nil
			}
			return &flow{Language: "go", module: module, Steps: []node.Step{{Flow: entry, Name: entry, File: "b.go"}, {Flow: entry, From: entry, Name: "listen", File: "b.go"}}}
		}
		var got []string
		for _, l := range w.treeOf(&flow{Language: "go", Steps: c.steps, module: "a"}, next).lines(nil, "", 0) {
			text := ""
			if l.from != nil {
				text = strings.TrimSuffix(path.Base(w.lane(l.from)), ".go") + ">"
			}
			text += strings.Repeat("  ", l.depth)
			switch {
			case l.more > 0:
				text += moreCalls(l.more)
			case l.block != "":
				text = strings.TrimSpace(l.block + " " + l.when)
			default:
				if l.when != "" {
					text += l.when + ": "
				}
				if w.lane(l.step) == "b" || l.step.flow.module == "b" {
					text += "b."
				}
				text += l.step.Name
			}
			got = append(got, text)
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

// TestFlowsOfViews: a function that builds a view has no flow, and none that supports tests.
func TestFlowsOfViews(t *testing.T) {
	t.Parallel()
	calls := "(){ h1(); h2(); h3(); }\n"
	helpers := "function a" + calls + "function b" + calls + "function c" + calls + "function h1(){}\nfunction h2(){}\nfunction h3(){}\n"
	for _, c := range []struct {
		file, declared string
		want           bool
	}{
		{"view.tsx", "function load()", true}, {"view.tsx", "function View()", false}, {"view.tsx", "default function view()", true}, {"view.tsx", "default function()", false},
		{"view.tsx", "function test_load()", false}, {"test_tools.ts", "function load()", false}, {"test.ts", "function load()", true}, // helpers of tests
	} {
		r := newRepo(t, map[string]string{"m/" + c.file: "export " + c.declared + "{ a(); b(); c(); }\n" + helpers})
		if got := len(r.nodes()["m"].Flows) > 0; got != c.want {
			t.Errorf("%s in %s: %t", c.declared, c.file, got)
		}
	}
}
