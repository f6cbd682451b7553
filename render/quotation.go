package render

import (
	"path"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

func quotations(list []survey.Example) []node.Example {
	out := make([]node.Example, len(list))
	for i, e := range list {
		out[i] = node.Example{Symbol: e.Symbol, Code: e.Code, Language: e.Language, Path: e.Path}
	}
	return out
}

// keepExamples returns the examples of a kept node: its runnable ones, whose source cannot be read, and the current
// quotations.
func keepExamples(was, now *node.Node) []node.Example {
	var out []node.Example
	for _, e := range was.Examples {
		if e.Path == "" {
			out = append(out, e)
		}
	}
	for _, e := range now.Examples {
		if e.Path != "" {
			out = append(out, e)
		}
	}
	return out
}

// placesOfQuotations records the positions of quotations.
func placesOfQuotations(quoted []survey.Example, origin engine.Origin, was, n *node.Node) {
	now := map[[3]string]place{}
	for _, e := range quoted {
		now[[3]string{e.Symbol, e.Path, e.Code}] = place{e.Path, e.Line, e.End}
	}
	keepPlaces(origin, was.Examples, n.Examples, func(e *node.Example) (any, *string, *string, place) {
		key := [3]string{e.Symbol, e.Path, e.Code}
		return key, &e.At, &e.Lines, now[key]
	})
}

// quotation shows a quotation with its source, once for all symbols of a page.
func (p *page) quotation(e node.Example) string {
	if first, shown := p.quoted[e.Path+"\x00"+e.Code]; shown {
		return "Example: see " + markdown.Link(markdown.Code(first.name), "#"+first.anchor) + "." + paragraph
	}
	name := canonical.Path(e.Path)
	if path.Dir(e.Path) == p.node.Path {
		name = path.Base(name)
	}
	link := markdown.Link(markdown.Code(name), p.config.fileLink(p.path, e.Path, e.At, e.Lines))
	return "From " + link + ":" + paragraph + markdown.Fence(e.Language, e.Code) + paragraph
}

type shownAt struct{ name, anchor string }

func (p *page) remember(e *entry) {
	for _, x := range p.shown[e.Name] {
		if at := x.Path + "\x00" + x.Code; x.Path != "" && p.quoted[at] == (shownAt{}) {
			p.quoted[at] = shownAt{p.name(e.Symbol), e.anchor}
		}
	}
}
