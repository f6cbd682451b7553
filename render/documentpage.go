package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/manual"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

// outlinedDocument is a document with its headings.
type outlinedDocument struct {
	document
	headings []source.Heading
}

const (
	// fewestHeadings is how many documents and headings there are at least on the page of documents: the entry page has room
	// for fewer.
	fewestHeadings = 10
	// mostHeadings bounds all headings.
	mostHeadings = 800
)

// headingsEach are the bounds for one document, of which the first is taken that keeps the page short.
var headingsEach = []int{200, 60, 30, 12, 0}

// documentsPageOf returns the generated part of the page of documents, empty if the entry page has room for them.
func documentsPageOf(c Config, g *factGraph) string {
	return renderDocuments(c, outlinesOf(&g.facts))
}

// outlinesOf reads the headings of the documents, those near the root first.
func outlinesOf(f *facts) (all []outlinedDocument) {
	list := slices.DeleteFunc(append(manualsIn(f), documentsIn(f)...), func(d document) bool { return d.title == "changes" })
	rank := func(d document) int {
		if isIndex(d.file) {
			return 2 * strings.Count(d.file, "/")
		}
		return 2*strings.Count(d.file, "/") + 1
	}
	slices.SortStableFunc(list, func(a, b document) int { return rank(a) - rank(b) })
	for _, d := range list {
		if !slices.ContainsFunc(all, func(o outlinedDocument) bool { return o.file == d.file }) {
			o := outlinedDocument{document: d}
			if !manual.IsPage(d.file) { // GitHub shows it as it is
				o.headings = slices.DeleteFunc(source.Headings(d.file, f.blob(d.file)), func(h source.Heading) bool { return h.Text == "" })
			}
			o.named()
			all = append(all, o)
		}
	}
	return all
}

func renderDocuments(c Config, all []outlinedDocument) string {
	links := 0
	for _, o := range all {
		links += 1 + len(o.headings)
	}
	if links < fewestHeadings {
		return ""
	}
	p := &operatorPage{sheet: newSheet(c, nil, c.Layout.Overview(DocumentPage))}
	p.front("Documents", "Documents", "The headings of the documents that people wrote. Their statements are not derived from the code.", nil)
	for _, most := range headingsEach {
		var texts []string
		lines := 0
		for _, o := range all {
			text := p.outline(o, most)
			lines += strings.Count(text, "\n")
			texts = append(texts, text)
		}
		if lines <= mostHeadings || most == 0 {
			p.b.WriteString(strings.Join(texts, ""))
			break
		}
	}
	return p.text()
}

// named takes the title from the only heading of the first level, if it comes first.
func (o *outlinedDocument) named() {
	if len(o.headings) == 0 || slices.ContainsFunc(o.headings[1:], func(h source.Heading) bool { return h.Level <= o.headings[0].Level }) {
		return
	}
	if !strings.EqualFold(o.title, "readme") && !manual.IsPage(o.title) {
		o.title = o.headings[0].Text
	}
	o.headings = o.headings[1:]
}

// outline links to a document and to its headings, without the deepest levels if there are more than most.
func (p *operatorPage) outline(o outlinedDocument, most int) string {
	text := "## " + markdown.Link(markdown.Escape(upper(o.title)), p.to(o.file)) + " " + markdown.Code(canonical.Path(o.file)) + paragraph
	shown := o.headings
	for deepest := 4; len(shown) > most && deepest > 1; deepest-- {
		shown = slices.DeleteFunc(slices.Clone(o.headings), func(h source.Heading) bool { return h.Level > deepest })
	}
	shown = shown[:min(len(shown), most)]
	var open []int // the levels of the headings above
	for _, h := range shown {
		for len(open) > 0 && open[len(open)-1] >= h.Level {
			open = open[:len(open)-1]
		}
		text += strings.Repeat("    ", len(open)) + "- " + markdown.Link(markdown.Escape(h.Text), p.to(o.file)+"#"+h.Anchor) + "\n"
		open = append(open, h.Level)
	}
	if more := len(o.headings) - len(shown); more > 0 {
		text += fmt.Sprintf("- and %s\n", count(more, "more heading"))
	}
	return strings.TrimRight(text, "\n") + paragraph
}
