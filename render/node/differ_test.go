package node_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

func TestDifferingFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit func(n *node.Node)
		want []string
		ok   bool
	}{
		"nothing":             {func(*node.Node) {}, nil, false},
		"a signature":         {func(n *node.Node) { n.PublicAPI[0].Signature = "func Parse()" }, []string{"internal/money/money.go"}, true},
		"places":              {func(n *node.Node) { n.PublicAPI[0].Lines = "1-2" }, nil, false},
		"another file":        {func(n *node.Node) { n.Sources = append(n.Sources, node.Source{Path: "internal/money/b.go"}) }, []string{"internal/money/b.go"}, true},
		"an operation":        {func(n *node.Node) { n.Behaviour[0].Name = "PORT" }, []string{"internal/money/money.go"}, true},
		"words of the module": {func(n *node.Node) { n.Doc = "Other words." }, nil, false},
		"an import as well":   {func(n *node.Node) { n.PublicAPI[0].Doc, n.Dependencies = "Else.", nil }, []string{"internal/money/money.go"}, true},
		"a document as well":  {func(n *node.Node) { n.PublicAPI[0].Doc, n.Doc = "Else.", "Other words." }, []string{"internal/money/money.go"}, false},
		"a symbol in new file": {func(n *node.Node) {
			n.PublicAPI = append(n.PublicAPI, node.Symbol{Name: "New", Kind: source.Func, File: "c.go"})
		}, []string{"internal/money/c.go"}, true},
	} {
		n := sample()
		c.edit(n)
		files, ok := node.DifferingFiles(sample(), n)
		if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, c.want) || ok != c.ok {
			t.Errorf("%s: files %v, %t", name, got, ok)
		}
	}
}
