package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// mostNamed bounds the symbols that a cause names.
const mostNamed = 3

// nameSymbols adds to the causes which exported symbols of the changed files differ from the stored node.
func nameSymbols(r engine.Reader, stored *engine.Conclusion, causes []condition.Cause) {
	n := nodeOf(stored)
	if n == nil {
		return
	}
	f := &facts{r: r}
	k := ask(f, survey.Read, n.Path)
	typing := ask(f, survey.TypingOf, k)
	if f.err != nil {
		return
	}
	names := differing(n, k, offered(k, typing, aliasesOf(k), nil))
	for i, c := range causes {
		list := names[path.Base(c.File)]
		if c.Change.Fact.Family != fact.Files || c.Change.Before == "" || c.Change.After == "" || len(list) == 0 {
			continue
		}
		slices.Sort(list)
		causes[i].Detail += " (" + firstOf(list, mostNamed) + ")"
	}
}

// sameText compares texts without line breaks, which nodes do not keep.
func sameText(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) }

// differing lists, by the base name of their file, the symbols of the API that differ between the node and the source.
func differing(n *node.Node, k *survey.Module, offers []*source.Declared) map[string][]string {
	type symbol struct{ file, name string }
	before := map[symbol]*node.Symbol{}
	for i := range n.PublicAPI {
		if s := &n.PublicAPI[i]; s.Inherited == "" {
			before[symbol{s.File, s.Name}] = s
		}
	}
	names := map[string][]string{}
	for _, d := range offers {
		key := symbol{path.Base(d.Path), d.Name}
		if before[key] == nil {
			names[key.file] = append(names[key.file], "new "+d.Name)
		}
	}
	for i := range k.Declared {
		d := &k.Declared[i]
		key := symbol{path.Base(d.Path), d.Name}
		old := before[key]
		if delete(before, key); old != nil && !(sameText(old.Signature, d.Signature) && (old.DocFrom != "" && d.Doc == "" || sameText(node.Opening(old.Doc), node.Opening(d.Doc)))) {
			names[key.file] = append(names[key.file], d.Name)
		}
	}
	for key := range before {
		names[key.file] = append(names[key.file], "no more "+key.name)
	}
	return names
}
