package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/render/node"
)

// TestTellSteps: where each step of a flow stands, and who calls it.
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
	for name, c := range map[string]struct {
		steps []node.Step
		want  string
	}{
		"a chain":                {[]node.Step{own("", "main"), own("main", "run"), own("run", "do")}, "main; a>  run; a>    do"},
		"a function of its name": {[]node.Step{own("", "main"), own("main", "Run"), away("Run", "Run"), own("Run", "do")}, "main; a>  Run; a>    b.Run; a>    do"},
		"in some cases":          {[]node.Step{own("", "main"), {Flow: "main", From: "main", Name: "Serve", Module: "b", When: "some cases"}}, "main; a>  in some cases: b.Serve; b>    b.listen"},
		"what follows elsewhere": {[]node.Step{own("", "main"), away("main", "Serve"), own("main", "do")}, "main; a>  b.Serve; b>    b.listen; a>  do"},
	} {
		next := func(module, entry string) *flow {
			if entry != "Serve" {
				return nil
			}
			return &flow{Language: "go", module: module, Steps: []node.Step{{Flow: entry, Name: entry, File: "b.go"}, {Flow: entry, From: entry, Name: "listen", File: "b.go"}}}
		}
		var got []string
		for _, s := range w.tell(&flow{Language: "go", Steps: c.steps, module: "a"}, next) {
			lane := w.lane(s.Step)
			if lane == "a" {
				lane = ""
			} else {
				lane += "."
			}
			from := ""
			if s.from != "" {
				from = s.from + ">"
			}
			got = append(got, fmt.Sprintf("%s%s%s%s", from, strings.Repeat("  ", s.depth), inCases(s, ": ")+lane, s.Name))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}
