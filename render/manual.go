package render

import (
	"fmt"
	"path"
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
		if m.Also {
			continue
		}
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
		out = append(out, node.Described{Symbol: m.Symbol, Path: m.Path, Anchor: m.Anchor, Also: m.Also})
	}
	return out
}

// describe gives symbols the documentation that documents have of them.
func describe(n *node.Node, manual []survey.Manual) {
	texts := make(map[string]string, len(manual))
	for _, m := range manual {
		if !m.Also {
			texts[m.Symbol] = m.Text
		}
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
			at := d
			at.At, at.Lines = "", ""
			before[at] = d
		}
	}
	for i := range n.Manual {
		d := &n.Manual[i]
		if d.Anchor != "" { // its link has no lines
			continue
		}
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

// markupOf is the language by whose rules the documentation of a symbol is written.
func (p *page) markupOf(s *node.Symbol) string {
	d, told := p.manual[s.Name]
	switch {
	case !told || d.Also:
		return p.languageOf(s)
	case path.Ext(d.Path) == ".rst":
		return "python" // whose comments are written in reStructuredText
	}
	return "markdown"
}

// fromManual says which document a documentation is from, where it is none of the code.
func (p *page) fromManual(e *entry) string {
	d, told := p.manual[e.Name]
	if !told || d.Also {
		return ""
	}
	return "From " + p.manualLink(d) + ":" + paragraph
}

// alsoInManual says which document says more than the documentation in the code.
func (p *page) alsoInManual(e *entry) string {
	d, told := p.manual[e.Name]
	if !told || !d.Also {
		return ""
	}
	return "See also " + p.manualLink(d) + "."
}

func (p *page) manualLink(d node.Described) string {
	to := p.config.fileLink(p.path, d.Path, d.At, d.Lines)
	if d.Anchor != "" {
		to = relative(p.path, d.Path) + "#" + d.Anchor // a page with headings hides its lines
	}
	return markdown.Link(markdown.Code(canonical.Path(d.Path)), to)
}

// news are the examples of a symbol, but for those that its documentation shows already: manuals are full of them.
func (p *page) news(e *entry) []node.Example {
	if d, told := p.manual[e.Name]; !told || d.Also {
		return p.shown[e.Name]
	}
	said := squeezed(e.Doc)
	return slices.DeleteFunc(slices.Clone(p.shown[e.Name]), func(x node.Example) bool { return strings.Contains(said, squeezed(x.Code)) })
}

// squeezed is a text without blanks.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }
