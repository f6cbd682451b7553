package render

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

type entry struct {
	*node.Symbol
	owner   string // the type that declares this member, which may be nested in that of the section
	members []*entry
	here    []*entry // members on this page of a part, if the type itself is divided
	anchor  string   // of its section, or ""
	home    string   // the page with its section, "" for the same page
	doc     markdown.Doc
	read    bool
}

// entries groups members under their types; a member without a listed type is an entry. Entries of one file are
// adjacent, as in the node.
func entries(api []node.Symbol) []*entry {
	owners, names := map[string]*entry{}, map[string]string{}
	byFile := map[string][]*entry{}
	byName := make([]int, len(api))
	for i := range api {
		byName[i] = i
	}
	slices.SortFunc(byName, func(a, b int) int { return cmp.Or(strings.Compare(api[a].Name, api[b].Name), a-b) }) // owners before members
	for _, i := range byName {
		e := &entry{Symbol: &api[i]}
		e.owner, _ = ownerOf(names, e.Name)
		if holdsMembers[e.Kind] || isValue(e.Symbol) && e.owner == "" {
			names[e.Name] = e.Name
		}
		if owner, ok := ownerOf(owners, e.Name); ok {
			owner.members = append(owner.members, e)
			continue
		}
		byFile[e.File] = append(byFile[e.File], e)
		if holdsMembers[e.Kind] || isValue(e.Symbol) { // object literals have members too
			owners[e.Name] = e
		}
	}
	var out []*entry
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		out = append(out, byFile[file]...)
	}
	return out
}

var holdsMembers = map[source.Kind]bool{
	source.Type: true, source.Struct: true, source.Class: true, source.Interface: true, source.Trait: true, source.Enum: true,
	source.Record: true, source.Union: true,
}

// ownerOf returns the innermost owner of a dotted name.
func ownerOf[T any](owners map[string]T, name string) (owner T, ok bool) {
	for !ok {
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			return owner, false
		}
		name = name[:i]
		owner, ok = owners[name]
	}
	return owner, true
}

type part struct {
	lead    string
	noun    string
	kinds   bool // show the kind of each symbol
	folded  bool
	entries []*entry
}

func (p *page) api() {
	if len(p.entries)+len(p.node.PassesOn) == 0 {
		return
	}
	p.heading(2, publicAPI)
	list, inner := apart(p.entries)
	if len(p.index.Parts) > 0 {
		p.dividedAPI(list, inner)
		return
	}
	parts := p.ordered(list)
	p.place(parts)
	sections := p.sections(parts)
	hidden, room := 0, symbolsBytes
	for _, t := range parts {
		n := p.symbols(t, &room)
		hidden += len(t.entries) - n
	}
	if hidden > 0 {
		p.line("More symbols: see %s.", p.nodeLink())
	}
	p.silent(list)
	p.passed()
	p.b.WriteString(sections)
	p.inside(inner)
}

// apart separates the symbols that callers reach from the internal ones. If callers reach nothing, the page lists the
// internal ones.
func apart(all []*entry) (list, inner []*entry) {
	for _, e := range all {
		if e.Inside {
			inner = append(inner, e)
		} else {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return inner, nil
	}
	return list, inner
}

func (p *page) inside(inner []*entry) {
	if len(inner) == 0 {
		return
	}
	p.heading(3, "Inside")
	var b strings.Builder
	room := insideBytes
	for _, e := range inner {
		item := p.item(part{kinds: true}, e)
		if room -= weight(item); room < 0 {
			b.WriteString("- More in " + p.nodeLink() + "\n")
			break
		}
		b.WriteString(item)
	}
	p.line("%s", fold("Not reachable by callers", b.String()))
}

// sections writes a section for each symbol: in full while there is room, then in brief, then only a heading as a link target.
func (p *page) sections(parts []part) string {
	var b strings.Builder
	room, brief, omitted := sectionsBytes, briefBytes, 0
	if p.part >= 0 { // dividing the module measured it
		room = partSectionsBytes
	}
	for _, t := range parts {
		for _, e := range t.entries {
			if e.anchor == "" {
				continue
			}
			var section strings.Builder
			p.symbol(&section, e)
			if room -= weight(section.String()); room < 0 {
				section.Reset()
				p.brief(&section, e)
				if brief -= weight(section.String()); brief < 0 {
					omitted++
					section.Reset()
					p.headingOf(&section, 3, e)
					section.WriteString(paragraph + markdown.Link("Source", p.sourceLink(e.Symbol)) + paragraph)
				}
			}
			b.WriteString(section.String())
		}
	}
	if omitted > 0 {
		fmt.Fprintf(&b, "The text of the last %d sections is left out for length: see %s.\n\n", omitted, p.nodeLink())
	}
	return b.String()
}

// place assigns anchors, in writing order, to the symbols that have a section. An inherited member has one only with the
// first class that inherits it.
func (p *page) place(parts []part) {
	inherited := map[source.Use]bool{}
	for _, t := range parts {
		for _, e := range t.entries {
			if e.anchor = ""; !p.hasSection(e) {
				continue
			}
			e.anchor = p.anchor(p.name(e.Symbol))
			for _, m := range p.membersHere(e) {
				from := source.Use{Module: m.From, Name: m.Inherited}
				if p.hasMemberSection(m) && (m.Inherited == "" || !inherited[from]) {
					inherited[from] = true
					m.anchor = p.anchor(p.name(m.Symbol))
				}
			}
		}
	}
}

// parts divides an API by file if files are namespaces or subjects, otherwise by kind.
func (p *page) parts(list []*entry) []part {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *entry) int { return groupRank(a.Kind) - groupRank(b.Kind) })
	byFile := map[string][]*entry{}
	for _, e := range list {
		key := subjectIn(p.node, e.File)
		byFile[key] = append(byFile[key], e)
	}
	if !source.TraitsOf(p.node.Language).ByFile() || len(byFile) < 2 {
		return byKind(list)
	}
	var out []part
	rank := p.subjects().rank
	keys := slices.DeleteFunc(slices.Collect(maps.Keys(byFile)), func(key string) bool { _, listed := rank[key]; return !listed })
	slices.SortFunc(keys, func(a, b string) int { return rank[a] - rank[b] })
	for _, key := range keys {
		in := byFile[key]
		out = append(out, part{lead: p.subjectLine(key), noun: "symbol", kinds: true, folded: len(in) > manyOfAFile, entries: in})
	}
	return out
}

func byKind(list []*entry) []part {
	var out []part
	for rank, g := range groups {
		var in []*entry
		for _, e := range list {
			if groupRank(e.Kind) == rank {
				in = append(in, e)
			}
		}
		if len(in) > 0 {
			out = append(out, part{lead: "**" + upper(g.noun) + "s**", noun: g.noun, folded: len(in) > manyValues && rank >= rankOfValues, entries: in})
		}
	}
	return out
}

const (
	// manyOfAFile and manyValues bound the symbols that a page shows unfolded.
	manyOfAFile = 60
	manyValues  = 30
)

func (p *page) subjectLine(key string) string {
	var files []string
	about := ""
	for _, s := range p.subjects().files[key] {
		files = append(files, p.fileLink(path.Base(s.Path)))
		about = s.About
	}
	line := "**" + strings.Join(files, ", ") + "**"
	if about != "" {
		line += ": " + markdown.Escape(about)
	}
	return line
}

// groups are in the order in which readers look for them.
var groups = []group{
	{"type", []source.Kind{
		source.Type, source.Struct, source.Class, source.Interface, source.Trait, source.Enum, source.Record, source.Union, source.Namespace,
	}},
	{"function", []source.Kind{source.Func, source.Method}},
	{"constant", []source.Kind{source.Const}},
	{"variable", []source.Kind{source.Var, source.Field}},
	{"macro", []source.Kind{source.Macro}},
	{"re-export", []source.Kind{source.Reexport}},
}

const rankOfValues = 2

type group struct {
	noun  string
	kinds []source.Kind
}

var ranks = map[source.Kind]int{}

func init() {
	for rank, g := range groups {
		for _, k := range g.kinds {
			ranks[k] = rank
		}
	}
}

func groupRank(k source.Kind) int {
	if rank, grouped := ranks[k]; grouped {
		return rank
	}
	return -1
}

func kindWord(k source.Kind) string {
	if rank := groupRank(k); rank > 0 {
		return groups[rank].noun
	}
	return string(k)
}

// item returns the line of one symbol. The description is on a separate line to let branches merge that change adjacent
// symbols.
func (p *page) item(t part, e *entry) string {
	text := "- " + p.itemName(e)
	if t.kinds {
		text += ", " + kindWord(e.Kind)
	}
	about := p.about(e)
	if e.anchor == "" { // without a section, link to the source
		about = strings.TrimSpace(about + " (" + markdown.Link("source", p.sourceLink(e.Symbol)) + ")")
	}
	if about != "" {
		text += "\n  — " + about
	}
	return text + "\n"
}

// symbols lists the symbols of one part while there is room, and returns how many it lists.
func (p *page) symbols(t part, room *int) (shown int) {
	left := *room - weight(t.lead)
	var b strings.Builder
	for _, e := range t.entries {
		item := p.item(t, e)
		n := weight(item)
		if n > left {
			break
		}
		b.WriteString(item)
		left -= n
		shown++
	}
	if shown == 0 {
		return 0
	}
	*room = left
	text := b.String()
	if t.folded {
		text = fold(upper(t.noun)+"s", text) + "\n"
	}
	if !t.folded || t.kinds {
		p.line("%s", t.lead)
	}
	p.b.WriteString(text)
	p.b.WriteString("\n")
	return shown
}
