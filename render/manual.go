package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// describedIn returns the names of the symbols that documents describe, and their types.
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

// manuals converts descriptions in documents for a node.
func manuals(list []survey.Manual) []node.Described {
	var out []node.Described
	for _, m := range list {
		out = append(out, node.Described{Symbol: m.Symbol, Path: m.Path, Anchor: m.Anchor, Also: m.Also})
	}
	return out
}

// describe gives symbols without documentation the description from documents.
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

// placesOfManual records the positions of descriptions in documents.
func placesOfManual(manual []survey.Manual, origin engine.Origin, was, n *node.Node) {
	now := map[node.Described]place{}
	for _, m := range manual {
		if m.Anchor == "" { // a link to an anchor has no lines
			now[node.Described{Symbol: m.Symbol, Path: m.Path, Also: m.Also}] = place{m.Path, m.Line, m.End}
		}
	}
	keepPlaces(origin, was.Manual, n.Manual, func(d *node.Described) (any, *string, *string, place) {
		key := node.Described{Symbol: d.Symbol, Path: d.Path, Anchor: d.Anchor, Also: d.Also}
		return key, &d.At, &d.Lines, now[key]
	})
}

// describedBy indexes the descriptions by symbol.
func describedBy(n *node.Node) map[string]node.Described {
	out := make(map[string]node.Described, len(n.Manual))
	for _, d := range n.Manual {
		out[d.Symbol] = d
	}
	return out
}

// markupOf returns the language whose documentation syntax a symbol uses.
func (p *page) markupOf(s *node.Symbol) string {
	d, told := p.manual[s.Name]
	switch {
	case !told || d.Also:
		return p.languageOf(s)
	case path.Ext(d.Path) == ".rst":
		return markdown.ReStructuredText
	}
	return "markdown"
}

// fromManual names the document that a documentation is taken from.
func (p *page) fromManual(e *entry) string {
	d, told := p.manual[e.Name]
	if !told || d.Also {
		return ""
	}
	return "From " + p.manualLink(d) + ":" + paragraph
}

// alsoInManual links to a document that says more than the documentation in the code.
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
		to = p.to(d.Path) + "#" + d.Anchor // GitHub hides the lines of rendered pages
	}
	return markdown.Link(markdown.Code(canonical.Path(d.Path)), to)
}

// news returns the examples of a symbol without those that its documentation contains.
func (p *page) news(e *entry) []node.Example {
	if d, told := p.manual[e.Name]; !told || d.Also {
		return p.shown[e.Name]
	}
	said := squeezed(e.Doc)
	return slices.DeleteFunc(slices.Clone(p.shown[e.Name]), func(x node.Example) bool { return strings.Contains(said, squeezed(x.Code)) })
}

func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }
