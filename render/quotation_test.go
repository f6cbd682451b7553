package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// TestQuotationsStandWithTheirSymbols: each says where it is from, and what two symbols share is shown once.
func TestQuotationsStandWithTheirSymbols(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{
		"go.mod": "module x\n", "m/m.go": "// Package m counts.\npackage m\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n\n// Sub takes away.\nfunc Sub(a, b int) int { return a - b }\n",
	})
	shared := survey.Example{Language: "go", Path: "README.md", Code: "m.Add(1, m.Sub(2, 1))", Line: 3, End: 3}
	add, sub := shared, shared
	add.Symbol, sub.Symbol = "Add", "Sub"
	r.examples = map[string][]survey.Example{"m": {add, sub}}
	n := r.nodes()["m"]
	text := pageOf(r.config, n, r.graph(), nil)
	for _, want := range []string{"From [`README.md`](https://example.com/acme/shop/blob/" + headID + "/README.md#L3):\n\n```go\nm.Add(1, m.Sub(2, 1))\n```\n", "Example: see [`m.Add`](#madd).\n"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, text)
		}
	}
}

// TestQuotationsKeepTheirPlaces checks that the place of a quotation is at a commit, and changes only with the text.
func TestQuotationsKeepTheirPlaces(t *testing.T) {
	t.Parallel()
	quoted := []survey.Example{{Symbol: "F", Path: "README.md", Code: "F(1)", Line: 9, End: 10}, {Symbol: "G", Path: "docs/a.md", Code: "G(1)", Line: 1, End: 1}}
	n := &node.Node{Examples: quotations(quoted)}
	was := &node.Node{Examples: []node.Example{{Symbol: "F", Path: "README.md", Code: "F(1)", At: "old", Lines: "7-8"}}}
	clean := func(string) bool { return true }
	placesOfQuotations(quoted, engine.Origin{Commit: "new", Permanent: true, Clean: clean}, was, n)
	if f, g := n.Examples[0], n.Examples[1]; f.At != "old" || f.Lines != "7-8" || g.At != "new" || g.Lines != "1-1" {
		t.Errorf("%+v", n.Examples)
	}
}
