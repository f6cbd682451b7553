package render

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

// members writes what belongs to a type: a section for each member of which there is more to say than a line holds, and
// before them a list of the others.
func (p *page) members(b *strings.Builder, e *entry) {
	var sections strings.Builder
	var lines []string
	room := memberSectionsBytes
	if p.part >= 0 { // its members were counted when the module was divided
		room = sectionsBytes
	}
	for _, m := range p.membersHere(e) {
		if room > 0 && m.anchor != "" {
			before := sections.Len()
			p.section(&sections, 4, m)
			room -= weight(sections.String()[before:])
			continue
		}
		// the signature of an interface, or of an object type, lists its members already: only what is said of them is news
		if (e.Kind == source.Interface || e.Kind == source.Type && m.Kind == source.Field) && !oneLine(e.Signature) && m.Doc == "" {
			continue
		}
		if m != e.constructor() { // it is at the head
			lines = append(lines, p.memberLine(m))
		}
	}
	b.WriteString(p.memberList(lines, sections.Len() > 0))
	b.WriteString(sections.String())
}

// hasMemberSection reports whether there is more to say of a member than its line does. What a function is for is looked up by its
// name, so that each that somebody documented can be linked to.
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

// memberList shows the lines of members as far as there is room.
func (p *page) memberList(lines []string, others bool) string {
	if len(lines) == 0 {
		return ""
	}
	n, _ := fit(lines, memberBytes)
	if more := len(lines) - n; more > 0 {
		lines = append(lines[:n], "- More members in "+p.nodeLink())
	}
	title := "Members"
	if others {
		title = "Other members"
	}
	return fold(title, strings.Join(lines, "\n")) + paragraph
}
