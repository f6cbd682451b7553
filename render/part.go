package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
)

// dividedAPI is what the page of a large module has of its API: what its parts are, and a list of what is in each. What there is to say
// of the symbols stands on the pages of the parts.
func (p *page) dividedAPI(list, inner []*entry) {
	shares := p.shares(list)
	for i, in := range shares {
		p.placeOnPart(i, in)
	}
	p.partList(shares)
	parts := p.parts(list)
	p.order(parts)
	room := dividedBytes / max(len(parts), 1)
	for _, t := range parts {
		left := room
		if shown := p.symbols(t, &left); shown < len(t.entries) {
			p.line("The others: %s.", p.partsOf(t.entries[shown:]))
		}
	}
	p.passed()
	p.inside(inner)
}

// PartAbout is the file of the page that tells of a symbol of a large module, which a file declares; false where the page of the module
// does.
func PartAbout(l store.Layout, module string, parts []source.Part, file, symbol string) (page string, ok bool) {
	i := source.PartOf(parts, file, symbol)
	if i < 0 {
		return "", false
	}
	return l.Part(module, parts[i].Name), true
}

// shares are the symbols of each part.
func (p *page) shares(list []*entry) [][]*entry {
	out := make([][]*entry, len(p.divided))
	for _, e := range list {
		if i := source.PartOf(p.divided, e.File, e.Name); i >= 0 {
			out[i] = append(out[i], e)
		}
	}
	return out
}

// placeOnPart finds the anchors that the sections of a part have on its page, by the way that page finds them.
func (p *page) placeOnPart(i int, in []*entry) {
	on := p.partPage(i)
	on.headings()
	on.place(on.ordered(in))
	for _, e := range in {
		e.home = relative(p.path, on.path)
	}
}

// partPage is the page of a part, nothing of which is written yet.
func (p *page) partPage(i int) *page {
	on := *p
	on.path, on.part = p.config.Layout.Part(p.node.Path, p.divided[i].Name), i
	on.ways = map[string]string{}
	on.b, on.slugs = strings.Builder{}, markdown.Slugger{}
	return &on
}

// partTitle is what the page of a part is called.
func (p *page) partTitle() string { return p.node.Module + ": " + p.divided[p.part].Name }

// headings takes note of the headings that stand before the sections on the page of a part.
func (p *page) headings() {
	p.slugs.Slug(plainHeading(markdown.Escape(p.partTitle())))
	p.slugs.Slug(publicAPI)
}

const (
	// publicAPI is the heading above what callers can use.
	publicAPI = "Public API"
	// namesOfPart is how many symbols of a part its line names.
	namesOfPart = 8
)

// partList says what stands on which page.
func (p *page) partList(shares [][]*entry) {
	var b strings.Builder
	for i, in := range shares {
		if len(in) == 0 {
			continue
		}
		var names []string
		for _, t := range p.ordered(in) {
			for _, e := range t.entries {
				names = append(names, markdown.Code(p.name(e.Symbol)))
			}
		}
		span := ""
		if len(names) > namesOfPart {
			span = p.span(i, in)
			names = append(names[:namesOfPart:namesOfPart], "others")
		}
		b.WriteString("- " + p.partLink(i))
		if about := p.aboutPart(i); about != "" {
			b.WriteString(": " + about)
		}
		b.WriteString("\n  — " + span + list(names) + "\n")
	}
	p.line("What there is to say of them stands on pages of their own:")
	p.line("%s", strings.TrimRight(b.String(), "\n"))
}

// span says between which names a part goes, where what it is of goes on with the next: a reader looks for names that its line has no
// room for.
func (p *page) span(i int, in []*entry) string {
	next := p.divided[min(i+1, len(p.divided)-1)]
	if p.divided[i].From == "" && (next.From == "" || next.Type != p.divided[i].Type || !slices.Equal(next.Files, p.divided[i].Files)) {
		return ""
	}
	byName := func(a, b *entry) int { return strings.Compare(p.name(a.Symbol), p.name(b.Symbol)) }
	first, last := slices.MinFunc(in, byName), slices.MaxFunc(in, byName)
	return "from " + markdown.Code(p.name(first.Symbol)) + " to " + markdown.Code(p.name(last.Symbol)) + ": "
}

func (p *page) partLink(i int) string {
	name := p.divided[i].Name
	return markdown.Link(markdown.Code(name), relative(p.path, p.config.Layout.Part(p.node.Path, name)))
}

// aboutPart is what the file of a part says of itself, where the part is one file.
func (p *page) aboutPart(i int) string {
	d := p.divided[i]
	subject := source.Subject(d.Files[0])
	if d.Type != "" || d.From != "" || slices.ContainsFunc(d.Files, func(f string) bool { return source.Subject(f) != subject }) {
		return ""
	}
	for _, s := range p.node.Sources {
		if s.About != "" && source.Subject(path.Base(s.Path)) == subject {
			return markdown.Escape(s.About)
		}
	}
	return ""
}

// partsOf links to the parts that tell of symbols.
func (p *page) partsOf(in []*entry) string {
	var links []string
	for i, share := range p.shares(in) {
		if len(share) > 0 {
			links = append(links, p.partLink(i))
		}
	}
	return list(links)
}

// ordered is a list of an API in the order in which pages show it.
func (p *page) ordered(in []*entry) []part {
	parts := p.parts(in)
	p.order(parts)
	return parts
}

// partText is the page of a part, empty where callers reach nothing of it.
func (p *page) partText() string {
	d := p.divided[p.part]
	whole, _ := apart(p.entries)
	in := slices.DeleteFunc(slices.Clone(whole), func(e *entry) bool {
		return !d.Holds(e.File, e.Name) || source.PartOf(p.divided, e.File, e.Name) != p.part
	})
	if d.From != "" && d.Type != "" { // the type itself stands on the first of its pages
		in = p.continued(whole)
	}
	if len(in) == 0 {
		return ""
	}
	p.b.WriteString(p.config.head(pageType(p.node)+" part", p.partTitle(), p.aboutPart(p.part), p.config.treeLink(p.node.Path)))
	p.heading(1, markdown.Escape(p.partTitle()))
	lead := "Part of " + markdown.Link(markdown.Escape(p.node.Module), relative(p.path, p.config.Layout.Page(p.node.Path))) + "."
	if about := p.aboutPart(p.part); about != "" {
		lead += " " + about
	}
	p.line("%s", lead)
	p.status()
	p.heading(2, publicAPI)
	parts := p.ordered(in)
	p.place(parts)
	room := symbolsBytes
	for _, t := range parts {
		if shown := p.symbols(t, &room); shown < len(t.entries) {
			p.line("The others follow below.")
		}
	}
	p.b.WriteString(p.sections(parts))
	p.footer()
	return p.b.String()
}

// continued is the type of a part that goes on with its members, with those that stand there.
func (p *page) continued(whole []*entry) []*entry {
	for _, e := range whole {
		if e.Name == p.divided[p.part].Type {
			return []*entry{e}
		}
	}
	return nil
}

// membersHere are the members of a type that this page tells of.
func (p *page) membersHere(e *entry) []*entry {
	if p.part < 0 || p.divided[p.part].Type != e.Name {
		return e.members
	}
	var out []*entry
	for _, m := range e.members {
		if source.PartOf(p.divided, e.File, m.Name) == p.part {
			out = append(out, m)
		}
	}
	return out
}

// elsewhere links to the pages that tell of the other members of a type.
func (p *page) elsewhere(e *entry) string {
	if p.part < 0 || p.divided[p.part].Type != e.Name {
		return ""
	}
	var links []string
	for i, d := range p.divided {
		if d.Type == e.Name && i != p.part {
			links = append(links, p.partLink(i))
		}
	}
	if len(links) == 0 {
		return ""
	}
	return "Its other members stand on " + list(links) + "."
}
