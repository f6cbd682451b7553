package render

import (
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
)

// dividedAPI writes the parts of a large module and a list of the symbols in each. The pages of the parts have the
// sections.
func (p *page) dividedAPI(list, inner []*entry) {
	shares := map[int][]*entry{}
	for _, e := range list {
		if i := p.index.Of(e.File, e.Name); i >= 0 {
			shares[i] = append(shares[i], e)
		}
	}
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
	p.silent(list)
	p.passed()
	p.inside(inner)
}

// PartAbout returns the page that documents a symbol of a divided module; false if it is the page of the module.
func PartAbout(l store.Layout, module string, parts []source.Part, file, symbol string) (page string, ok bool) {
	i := source.NewPartIndex(parts).Of(file, symbol)
	if i < 0 {
		return "", false
	}
	return l.Part(module, parts[i].Name), true
}

// placeOnPart computes the anchors of a part's sections as the page of the part does.
func (p *page) placeOnPart(i int, in []*entry) {
	on := p.partPage(i)
	on.headings()
	on.place(on.ordered(in))
	for _, e := range in {
		e.home = p.to(on.path)
	}
}

func (p *page) partPage(i int) *page {
	on := *p
	on.path, on.part = p.config.Layout.Part(p.node.Path, p.index.Parts[i].Name), i
	on.ways = map[string]string{}
	on.b, on.slugs = strings.Builder{}, markdown.Slugger{}
	return &on
}

func (p *page) partTitle() string { return p.node.Module + ": " + p.index.Label(p.part) }

// headings registers the headings before the sections on the page of a part.
func (p *page) headings() {
	p.slugs.Slug(plainHeading(markdown.Escape(p.partTitle())))
	p.slugs.Slug(publicAPI)
}

const (
	// publicAPI is the heading of the exported symbols.
	publicAPI = "Public API"
	// namesOfPart bounds the symbols that the line of a part names.
	namesOfPart = 8
)

func (p *page) partList(shares map[int][]*entry) {
	var b strings.Builder
	for _, i := range slices.Sorted(maps.Keys(shares)) {
		in := shares[i]
		var names []string
		for _, t := range p.ordered(in) {
			for _, e := range t.entries {
				names = append(names, markdown.Code(p.name(e.Symbol)))
			}
		}
		span := ""
		if len(names) > namesOfPart {
			span = p.span(i, in)
		}
		b.WriteString("- " + p.partLink(i))
		if about := p.aboutPart(i); about != "" {
			b.WriteString(": " + about)
		}
		b.WriteString("\n  — " + span + list(first(names, namesOfPart)) + "\n")
	}
	p.line("Details are on separate pages:")
	p.line("%s", strings.TrimRight(b.String(), "\n"))
}

// span returns the first and last name of a part whose file or type continues in the next part, to help readers find
// names that are not listed.
func (p *page) span(i int, in []*entry) string {
	one, next := p.index.Parts[i], p.index.Parts[min(i+1, len(p.index.Parts)-1)]
	if one.From == "" && (next.From == "" || next.Type != one.Type || !slices.Equal(next.Files, one.Files)) {
		return ""
	}
	byName := func(a, b *entry) int { return strings.Compare(p.name(a.Symbol), p.name(b.Symbol)) }
	first, last := slices.MinFunc(in, byName), slices.MaxFunc(in, byName)
	return "from " + markdown.Code(p.name(first.Symbol)) + " to " + markdown.Code(p.name(last.Symbol)) + ": "
}

func (p *page) partLink(i int) string {
	return markdown.Link(markdown.Code(p.index.Label(i)), p.to(p.config.Layout.Part(p.node.Path, p.index.Parts[i].Name)))
}

// aboutPart returns the documentation of the file, if the part is one file.
func (p *page) aboutPart(i int) string {
	d := p.index.Parts[i]
	subject := source.Subject(d.Files[0])
	if d.Type != "" || d.From != "" || slices.ContainsFunc(d.Files, func(f string) bool { return source.Subject(f) != subject }) {
		return ""
	}
	return markdown.Escape(p.subjects().about[subject])
}

// partsOf links to the parts that document the symbols.
func (p *page) partsOf(in []*entry) string {
	parts := map[int]bool{}
	for _, e := range in {
		if i := p.index.Of(e.File, e.Name); i >= 0 {
			parts[i] = true
		}
	}
	var links []string
	for _, i := range slices.Sorted(maps.Keys(parts)) {
		links = append(links, p.partLink(i))
	}
	return list(links)
}

func (p *page) ordered(in []*entry) []part {
	parts := p.parts(in)
	p.order(parts)
	return parts
}

// partText returns the page of a part, empty without public symbols.
func (p *page) partText() string {
	in := p.entriesOf(p.part)
	if len(in) == 0 {
		return ""
	}
	p.b.WriteString(p.config.head(pageType(p.node)+" part", p.partTitle()))
	p.heading(1, markdown.Escape(p.partTitle()))
	lead := "Part of " + markdown.Link(markdown.Escape(p.node.Module), p.to(p.config.Layout.Page(p.node.Path))) + "."
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
			p.line("More symbols: see %s.", p.nodeLink())
		}
	}
	p.silent(in)
	p.b.WriteString(p.sections(parts))
	p.footer()
	return p.b.String()
}

// divides reports whether the page is about a part of the type's members.
func (p *page) divides(e *entry) bool { return p.part >= 0 && p.index.Parts[p.part].Type == e.Name }

func (p *page) membersHere(e *entry) []*entry {
	switch {
	case !p.divides(e):
		return e.members
	case e.here != nil:
		return e.here
	}
	var out []*entry
	for _, m := range e.members {
		if p.index.Of(e.File, m.Name) == p.part {
			out = append(out, m)
		}
	}
	return out
}

// elsewhere links to the pages with the other members of a type.
func (p *page) elsewhere(e *entry) string {
	if !p.divides(e) {
		return ""
	}
	var links []string
	for _, i := range p.index.OfType(e.Name) {
		if i != p.part {
			links = append(links, p.partLink(i))
		}
	}
	if len(links) == 0 {
		return ""
	}
	return "Other members are on " + list(links) + "."
}
