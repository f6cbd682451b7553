package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/render/pagecheck"
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
			got = append(got, fmt.Sprintf("%s%s%s%s", from, strings.Repeat("  ", s.depth), lane, s.Name))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

// TestSequenceCases: steps of some cases are in a fragment with the steps that follow from them.
func TestSequenceCases(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{"a/a.go": "package a\n"})
	r.nodes()
	w := flowWriter{config: r.config, graph: r.graph(), page: "docs/causal/index.md"}
	for steps, want := range map[string]string{
		"1x? 2y 1z":       "opt,x,y,end,z",
		"1x? 1y! 2z? 1u!": "alt,x,else,y,opt,z,end,else,u,end",
		"1x? 1y?":         "opt,x,end,opt,y,end",
		"1x 2y? 3z? 1u":   "x,opt,y,opt,z,end,end,u",
	} {
		list := []told{{Step: node.Step{Name: "T.main", File: "a.go"}}}
		for s := range strings.FieldsSeq(steps) {
			when := map[byte]string{'?': "some cases", '!': "other cases"}[s[len(s)-1]]
			list = append(list, told{Step: node.Step{Name: s[1:2], File: "a.go", When: when}, depth: int(s[0] - '0'), from: "T"})
		}
		text := w.sequence(list)
		if err := pagecheck.Diagram(strings.Trim(strings.TrimPrefix(text, "```mermaid"), "`\n")); err != nil {
			t.Errorf("%s: %v", steps, err)
		}
		var got []string
		for line := range strings.Lines(text[strings.Index(text, "as a\n")+len("as a\n"):]) {
			if name := strings.Fields(strings.Trim(line[strings.Index(line, ":")+1:], "`\n")); len(name) > 0 {
				got = append(got, name[0])
			}
		}
		if text := strings.Join(got, ","); text != want {
			t.Errorf("%s: %s, want %s", steps, text, want)
		}
	}
}
