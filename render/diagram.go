package render

import (
	"path"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// label returns the path of a module, or the title of the root.
func label(g graph, module string) string {
	if module == "." {
		return title(g, module)
	}
	return canonical.Path(module)
}

func title(g graph, module string) string {
	if name, ok := g.Title(module); ok {
		return name
	}
	return canonical.Path(path.Base(module))
}

// diagram is a flowchart with synthetic IDs: module names can be keywords of Mermaid.
type diagram struct {
	boxes []string
	edges []string
}

func (d *diagram) box(label string) string {
	id := "n" + strconv.Itoa(len(d.boxes))
	d.boxes = append(d.boxes, id+"["+markdown.MermaidLabel(label)+"]")
	return id
}

func (d *diagram) fence() string {
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TB\n")
	for _, lines := range [][]string{d.boxes, d.edges} {
		for _, l := range lines {
			b.WriteString("  " + l + "\n")
		}
	}
	return b.String() + "```"
}
