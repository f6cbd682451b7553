package render

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

// members writes lists of the members of a type and of those nested in it, and a section for each member with more
// documentation than a line holds.
func (p *page) members(b *strings.Builder, e *entry) {
	var sections strings.Builder
	var lines []memberLine
	room := memberSectionsBytes
	if p.part >= 0 { // dividing the module counted its members
		room = partSectionsBytes
	}
	for _, m := range p.membersHere(e) {
		if room > 0 && m.anchor != "" {
			before := sections.Len()
			p.section(&sections, 4, m)
			room -= weight(sections.String()[before:])
			continue
		}
		// The signature of an interface or object type lists its members already.
		if m.owner == e.Name && (e.Kind == source.Interface || e.Kind == source.Type && m.Kind == source.Field) && !oneLine(e.Signature) && m.Doc == "" {
			continue
		}
		if m != e.constructor() { // the constructor is at the head of the section
			lines = append(lines, memberLine{m.owner, p.memberLine(m)})
		}
	}
	b.WriteString(p.memberList(e, lines, sections.Len() > 0))
	b.WriteString(sections.String())
}

// brief writes the section of a symbol whose whole text has no room on the page.
func (p *page) brief(b *strings.Builder, e *entry) {
	p.headingOf(b, 3, e)
	b.WriteString(paragraph + markdown.Code(inLine(e.Symbol)) + paragraph)
	if about := warned(e.Symbol, p.docOf(e).Summary()); about != "" {
		b.WriteString(about + paragraph)
	}
	var lines []memberLine
	for _, m := range p.membersHere(e) {
		line := p.memberLine(m)
		if m.anchor != "" {
			line = `- <a id="` + m.anchor + `"></a>` + strings.TrimPrefix(line, "- ")
		}
		lines = append(lines, memberLine{m.owner, line})
	}
	b.WriteString(p.memberList(e, lines, false))
	b.WriteString(markdown.Link("… The rest is in the source", p.sourceLink(e.Symbol)) + paragraph)
}

// hasMemberSection reports whether a member needs more than its line. Documented functions always get a section, which
// links can target.
func (p *page) hasMemberSection(m *entry) bool {
	if len(p.shown[m.Name]) > 0 || isFunction(m.Symbol) && (m.Doc != "" || !isConstructor(m.Name) && overloaded(m.Signature)) {
		return true
	}
	doc := p.docOf(m)
	return doc.Text() != doc.Summary()
}

func (p *page) memberLine(m *entry) string {
	line := "- " + markdown.Link(markdown.Code(inLine(m.Symbol)), p.sourceLink(m.Symbol))
	if about := warned(m.Symbol, p.docOf(m).Summary()); about != "" {
		line += ": " + about
	}
	switch {
	case m.Inherited != "":
		line += " (from " + p.baseOf(m) + ")"
	case m.DocFrom != "":
		line += " (described at " + markdown.Code(m.DocFrom) + ")"
	}
	return line
}

type memberLine struct{ owner, text string }

// memberList lists members by owner while there is room.
func (p *page) memberList(e *entry, lines []memberLine, others bool) string {
	slices.SortStableFunc(lines, func(a, b memberLine) int { return strings.Compare(a.owner, b.owner) })
	n, room := 0, memberBytes
	for n < len(lines) && weight(lines[n].text) <= room {
		room -= weight(lines[n].text)
		n++
	}
	if more := len(lines) - n; more > 0 {
		lines = append(lines[:n], memberLine{lines[max(n-1, 0)].owner, fmt.Sprintf("- %d more in %s", more, p.nodeLink())})
	}
	var b strings.Builder
	for len(lines) > 0 {
		owner, shown := lines[0].owner, []string{}
		for ; len(lines) > 0 && lines[0].owner == owner; lines = lines[1:] {
			shown = append(shown, lines[0].text)
		}
		title := "Members"
		switch {
		case owner != e.Name:
			title += " of <code>" + html.EscapeString(owner) + "</code>"
		case others:
			title = "Other members"
		}
		b.WriteString(fold(title, strings.Join(shown, "\n")) + paragraph)
	}
	return b.String()
}
