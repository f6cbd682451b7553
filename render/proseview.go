package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/render/node"
)

// byModel marks a model's sentences; byModelLegend explains the mark, and byModelList explains it in lists of modules.
const (
	byModel       = "✎"
	byModelList   = byModel + " marks sentences by a language model. The page of a module links them to the code, and says if they are out of date."
	byModelLegend = byModel + " marks sentences by a language model. Each sentence links to the code that it was checked against."
)

// purposeText returns the module's purpose: in italics if derived, with its sources if a model wrote it.
func (p *page) purposeText() string {
	if text := p.prose(purposeSlot); text != "" {
		return text
	}
	return purposeOf(p.node)
}

// prose returns a model's sentences for a slot with their sources.
func (p *page) prose(slot string) string {
	list, _ := p.node.ProseIn(slot)
	return proseText(list, p.citeLink)
}

func proseText(list []node.Sentence, link func(cite string) string) string {
	var parts []string
	for _, s := range list {
		var links []string
		for _, cite := range s.Cites {
			links = append(links, link(cite))
		}
		parts = append(parts, markdown.Sentence(s.Text)+" <sub>"+strings.Join(links, " · ")+"</sub>")
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "\n") + " " + byModel
}

func (p *page) citeLink(cite string) string {
	file, name, _ := strings.Cut(cite, "#")
	base, err := canonical.ParsePath(file)
	if err != nil || !slices.ContainsFunc(p.node.Sources, func(s node.Source) bool { return path.Base(s.Path) == base }) {
		return markdown.Code(cite)
	}
	if name == "" {
		return p.fileLink(base)
	}
	for i := range p.node.PublicAPI {
		if s := &p.node.PublicAPI[i]; s.Name == name && s.File == base {
			return markdown.Link(markdown.Code(name), p.sourceLink(s))
		}
	}
	return markdown.Link(markdown.Code(name), p.wayTo(base, "", ""))
}

// outOfDate is the start of the banner about prose.
const outOfDate = "Out of date** · "

// outrunBanner warns of prose that is older than the code.
func outrunBanner(n *node.Node) string {
	if len(n.Outrun) == 0 || !hasProse(n) {
		return ""
	}
	return banner + outOfDate + list(n.Outrun) + " changed after a language model wrote the sentences marked " + byModel + "." + paragraph
}

// outrunCause returns the text of a banner that is new on the page.
func outrunCause(now, before string) string {
	_, text, found := strings.Cut(now, banner+outOfDate)
	if !found || before == "" || strings.Contains(before, banner+outOfDate) {
		return ""
	}
	text, _, _ = strings.Cut(text, paragraph)
	return strings.ReplaceAll(strings.TrimSuffix(text, "."), "`", "")
}

func (p *page) written(heading, slot string) {
	if text := p.prose(slot); text != "" {
		p.heading(2, heading)
		p.line("%s", text)
	}
}

func (p *page) proseNote() {
	if hasProse(p.node) {
		p.line("<sub>%s</sub>", byModelLegend)
	}
}

func hasProse(n *node.Node) bool {
	return slices.ContainsFunc(n.Prose, func(s node.Sentence) bool { return s.Text != "" })
}

// modelCite is the form in which a model cites a module in the overview.
func modelCite(module string) string { return "module/" + canonical.Path(module) }

// moduleOfCite is the inverse of modelCite.
func moduleOfCite(cite string) (string, bool) {
	text, ok := strings.CutPrefix(cite, "module/")
	module, err := canonical.ParsePath(text)
	return path.Clean(module), ok && err == nil
}
