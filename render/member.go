package render

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

// members writes a list of a type's members and a section for each member with more documentation than a line holds.
func (p *page) members(b *strings.Builder, e *entry) {
	var sections strings.Builder
	var lines []string
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
		if (e.Kind == source.Interface || e.Kind == source.Type && m.Kind == source.Field) && !oneLine(e.Signature) && m.Doc == "" {
			continue
		}
		if m != e.constructor() { // the constructor is at the head of the section
			lines = append(lines, p.memberLine(m))
		}
	}
	b.WriteString(p.memberList(lines, sections.Len() > 0))
	b.WriteString(sections.String())
}

// brief writes the section of a symbol whose whole text has no room on the page.
func (p *page) brief(b *strings.Builder, e *entry) {
	p.headingOf(b, 3, e)
	b.WriteString(paragraph + markdown.Code(inLine(e.Symbol)) + paragraph)
	if about := warned(e.Symbol, p.docOf(e).Summary()); about != "" {
		b.WriteString(about + paragraph)
	}
	var lines []string
	for _, m := range p.membersHere(e) {
		line := p.memberLine(m)
		if m.anchor != "" {
			line = `- <a id="` + m.anchor + `"></a>` + strings.TrimPrefix(line, "- ")
		}
		lines = append(lines, line)
	}
	b.WriteString(p.memberList(lines, false))
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

// memberList lists members while there is room.
func (p *page) memberList(lines []string, others bool) string {
	if len(lines) == 0 {
		return ""
	}
	n, room := 0, memberBytes
	for n < len(lines) && weight(lines[n]) <= room {
		room -= weight(lines[n])
		n++
	}
	if more := len(lines) - n; more > 0 {
		lines = append(lines[:n], fmt.Sprintf("- %d more in %s", more, p.nodeLink()))
	}
	title := "Members"
	if others {
		title = "Other members"
	}
	return fold(title, strings.Join(lines, "\n")) + paragraph
}
