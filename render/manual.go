package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// describedIn are the names of the symbols that documents describe, and of the types that these are members of.
func describedIn(manual []survey.Manual) map[string]bool {
	out := make(map[string]bool, len(manual))
	for _, m := range manual {
		out[m.Symbol] = true
		if dot := strings.LastIndexByte(m.Symbol, '.'); dot > 0 {
			out[m.Symbol[:dot]] = true
		}
	}
	return out
}

// manuals is where a node has the documentation from that documents have of its symbols.
func manuals(list []survey.Manual) []node.Described {
	var out []node.Described
	for _, m := range list {
		out = append(out, node.Described{Symbol: m.Symbol, Path: m.Path})
	}
	return out
}

// describe gives symbols the documentation that documents have of them.
func describe(n *node.Node, manual []survey.Manual) {
	texts := make(map[string]string, len(manual))
	for _, m := range manual {
		texts[m.Symbol] = m.Text
	}
	for i := range n.PublicAPI {
		if s := &n.PublicAPI[i]; texts[s.Name] != "" {
			s.Doc = texts[s.Name]
		}
	}
}

// placesOfManual notes where documents describe symbols, as those of symbols: what is the same keeps its place.
func placesOfManual(manual []survey.Manual, origin engine.Origin, was, n *node.Node) {
	before := map[node.Described]node.Described{}
	if was != nil {
		for _, d := range was.Manual {
			before[node.Described{Symbol: d.Symbol, Path: d.Path}] = d
		}
	}
	for i := range n.Manual {
		d := &n.Manual[i]
		if old := before[*d]; old.At != "" {
			*d = old
		} else if origin.Permanent && origin.Clean(d.Path) {
			d.At, d.Lines = origin.Commit, fmt.Sprintf("%d-%d", manual[i].Line, manual[i].End)
		}
	}
}

// describedBy are the documents that describe the symbols of a node, by their names.
func describedBy(n *node.Node) map[string]node.Described {
	out := make(map[string]node.Described, len(n.Manual))
	for _, d := range n.Manual {
		out[d.Symbol] = d
	}
	return out
}

// restructured is the language whose comments are written in reStructuredText.
const restructured = "python"

// markupOf is the language by whose rules the documentation of a symbol is written.
func (p *page) markupOf(s *node.Symbol) string {
	if _, told := p.manual[s.Name]; told {
		return restructured
	}
	return p.languageOf(s)
}

// fromManual says which document a documentation is from, where it is none of the code.
func (p *page) fromManual(e *entry) string {
	d, told := p.manual[e.Name]
	if !told {
		return ""
	}
	return "From " + markdown.Link(markdown.Code(canonical.Path(d.Path)), p.config.fileLink(p.path, d.Path, d.At, d.Lines)) + ":" + paragraph
}

// news are the examples of a symbol, but for those that its documentation shows already: manuals are full of them.
func (p *page) news(e *entry) []node.Example {
	if _, told := p.manual[e.Name]; !told {
		return p.shown[e.Name]
	}
	said := squeezed(e.Doc)
	return slices.DeleteFunc(slices.Clone(p.shown[e.Name]), func(x node.Example) bool { return strings.Contains(said, squeezed(x.Code)) })
}

// squeezed is a text without blanks.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }
