package render

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// mostNamed is how many symbols a cause names.
const mostNamed = 3

// nameSymbols says of changed files which exported symbols differ from what the node says of them.
func nameSymbols(r engine.Reader, stored *engine.Conclusion, causes []condition.Cause) {
	if stored.Body == nil {
		return
	}
	n := stored.Body.(*Module).Node
	k, err := survey.Read(r, n.Path)
	if err != nil {
		return // without it less is said
	}
	names := differing(n, k)
	for i, c := range causes {
		list := names[path.Base(c.File)]
		if c.Change.Fact.Family != fact.Files || c.Change.Before == "" || c.Change.After == "" || len(list) == 0 {
			continue
		}
		slices.Sort(list)
		if len(list) > mostNamed {
			list = append(list[:mostNamed], fmt.Sprintf("%d more", len(list)-mostNamed))
		}
		causes[i].Detail += " (" + strings.Join(list, ", ") + ")"
	}
}

// differing lists, by the base name of their file, the exported symbols that a node has otherwise than the source.
func differing(n *node.Node, k *survey.Module) map[string][]string {
	type symbol struct{ file, name string }
	before := map[symbol]*node.Symbol{}
	for i := range n.PublicAPI {
		if s := &n.PublicAPI[i]; s.Inherited == "" {
			before[symbol{s.File, s.Name}] = s
		}
	}
	names := map[string][]string{}
	for i := range k.Declared {
		d := &k.Declared[i]
		key := symbol{path.Base(d.Path), d.Name}
		switch old, was := before[key]; {
		case !d.Exported || was && old.Signature == d.Signature && (old.DocFrom != "" && d.Doc == "" || node.Opening(old.Doc) == node.Opening(d.Doc)):
		case was:
			names[key.file] = append(names[key.file], d.Name)
		default:
			names[key.file] = append(names[key.file], "new "+d.Name)
		}
		delete(before, key)
	}
	for key := range before {
		names[key.file] = append(names[key.file], "no more "+key.name)
	}
	return names
}
