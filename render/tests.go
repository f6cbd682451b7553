package render

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/render/node"
)

// hasTestFiles is the excerpt of a node about its test files.
func hasTestFiles(n *node.Node) string {
	if slices.ContainsFunc(n.Sources, func(s node.Source) bool { return s.Role == "test" }) {
		return "yes"
	}
	return "no"
}

// HasTests reports whether a module has test files, or tests of another module import it.
func HasTests(r engine.Reader, module string) (bool, error) {
	g := &factGraph{facts: facts{r: r}}
	own := g.excerpt(ModuleUnit(module), testsPart)
	_, tests := g.Importers(module)
	return own == "yes" || len(tests) > 0, g.err
}
