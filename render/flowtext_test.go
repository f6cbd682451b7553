package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/render/pagecheck"
)

// TestFlowText: a diagram and a list of steps with blocks, calls that are left out, names that are unique in the flow, and
// files with their extension, because a module may have the name without it.
func TestFlowText(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{"a/a.go": "package a\n", "b/store/b.go": "package store\n", "c/store/c.go": "package store\n"})
	r.nodes()
	w := flowWriter{config: r.config, graph: r.graph(), page: "docs/causal/index.md"}
	steps := []node.Step{
		{Name: "main", File: "a.go", More: 2},
		{From: "main", Name: "Load", Module: "b/store", When: "in some cases"},
		{From: "main", Name: "Save", Module: "c/store", Within: 1},
		{From: "main", Name: "T.drop", File: "a.go", When: "in other cases"},
		{From: "main", Name: "T.each", File: "a.go", When: "if `n > 0`, in a loop"},
		{From: "main", Name: "T.one", File: "a.go", When: "if `k` is `\"a\"`"},
		{From: "main", Name: "T.two", File: "a.go", When: "or if `k` is `*`"},
	}
	got := w.text(w.treeOf(&flow{Language: "go", module: "a", Steps: steps}, nil))
	want := "```mermaid\nsequenceDiagram\n  participant p0 as a.go\n  participant p1 as b/store\n  participant p2 as c/store\n  participant p3 as T\n" +
		"  alt in some cases\n  p0->>p1: Load\n  p0->>p2: Save\n  else in other cases\n  p0->>p3: drop\n  end\n  loop if n #62; 0#44; zero or more times\n  p0->>p3: each\n  end\n  alt if k is #34;a#34;\n  p0->>p3: one\n  else if k is #42;\n  p0->>p3: two\n  end\n  Note over p0: and 2 more calls\n```\n\n" +
		"- [`main`](../../a/a.go)\n    - in some cases:\n        - [`b/store.Load`](modules/b/store.md)\n        - [`c/store.Save`](modules/c/store.md)\n" +
		"    - in other cases: [`T.drop`](../../a/a.go)\n    - if `n > 0`, in a loop: [`T.each`](../../a/a.go)\n    - if `k` is `\"a\"`: [`T.one`](../../a/a.go)\n    - or if `k` is `*`: [`T.two`](../../a/a.go)\n    - and 2 more calls\n\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	diagram, _, _ := strings.Cut(strings.TrimPrefix(got, "```mermaid\n"), "\n```")
	if err := pagecheck.Diagram(diagram); err != nil {
		t.Error(err)
	}
}
