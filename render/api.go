package render

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// entry is a symbol with the members that belong to it.
type entry struct {
	*node.Symbol
	members []*entry
	here    []*entry // the members that the page of a part tells of, where the type is divided itself
	anchor  string   // of its section, "" when it has none
	home    string   // the page that has its section, "" when it is the same
	doc     markdown.Doc
	read    bool // doc has been read
}

// entries groups members under their types. A member whose type is not listed stands by itself. Those of one file stand
// together, as in the node.
func entries(api []node.Symbol) []*entry {
	owners := map[string]*entry{}
	byFile := map[string][]*entry{}
	byName := make([]int, len(api))
	for i := range api {
		byName[i] = i
	}
	slices.SortFunc(byName, func(a, b int) int { return cmp.Or(strings.Compare(api[a].Name, api[b].Name), a-b) }) // owners before members
	for _, i := range byName {
		e := &entry{Symbol: &api[i]}
		if owner, ok := ownerOf(owners, e.Name); ok {
			owner.members = append(owner.members, e)
			continue
		}
		byFile[e.File] = append(byFile[e.File], e)
		if holdsMembers[e.Kind] || isValue(e.Symbol) { // a value that is an object has members as well
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

// ownerOf is the innermost owner that a dotted name is in.
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

// part is one list of a module's API.
type part struct {
	lead    string // what stands above the list
	noun    string // what the reader finds in it
	kinds   bool   // each symbol says what kind it is of
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

// apart tells what callers reach from what is there for the code around it. Where they reach nothing, the page is for those who
// work on that code.
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

// inside lists what no caller reaches.
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

// sections writes what there is to say of each symbol, as long as there is room. What is too long for the rest of it is left to the
// lists, or to the source.
func (p *page) sections(parts []part) string {
	var b strings.Builder
	b.Grow(sectionsSize(p.node.PublicAPI))
	room := sectionsBytes
	for _, t := range parts {
		for _, e := range t.entries {
			if e.anchor == "" {
				continue
			}
			before := b.Len()
			p.symbol(&b, e)
			if room -= weight(b.String()[before:]); room >= 0 {
				continue
			}
			text := b.String()[:before]
			b.Reset()
			b.WriteString(text)
			if p.part < 0 {
				e.anchor = ""
			} else { // others lead there
				p.headingOf(&b, 3, e)
				b.WriteString(paragraph + markdown.Link("Source", p.sourceLink(e.Symbol)) + paragraph)
			}
		}
	}
	return b.String()
}

// place gives the symbols that have a section of their own its anchor, in the order in which they are written.
func (p *page) place(parts []part) {
	for _, t := range parts {
		for _, e := range t.entries {
			if e.anchor = ""; !p.hasSection(e) {
				continue
			}
			e.anchor = p.anchor(p.name(e.Symbol))
			for _, m := range p.membersHere(e) {
				if p.hasMemberSection(m) {
					m.anchor = p.anchor(p.name(m.Symbol))
				}
			}
		}
	}
}

// parts divides an API: by file where a file is a namespace or a subject of its own, by kind otherwise.
func (p *page) parts(list []*entry) []part {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *entry) int { return groupRank(a.Kind) - groupRank(b.Kind) })
	byFile := map[string][]*entry{}
	for _, e := range list {
		key := subjectIn(p.node, e.File)
		byFile[key] = append(byFile[key], e)
	}
	if !filedByFile[p.node.Language] || len(byFile) < 2 {
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

// filedByFile are the languages where readers ask what is in a file.
var filedByFile = map[string]bool{"python": true, "typescript": true, "javascript": true, "rust": true, "c": true, "c++": true}

const (
	// manyOfAFile is how many symbols of one file a page shows without being asked to unfold them.
	manyOfAFile = 60
	// manyValues is the same for constants, variables or macros of a module.
	manyValues = 30
)

// subjectLine names the files of a subject and what they say of themselves.
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

// groups are the parts of an API, in the order in which readers look for them.
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

// ranks are the places of the kinds among the groups.
var ranks = map[source.Kind]int{}

func init() {
	for rank, g := range groups {
		for _, k := range g.kinds {
			ranks[k] = rank
		}
	}
}

// groupRank is the place of a kind among the groups, or -1.
func groupRank(k source.Kind) int {
	if rank, grouped := ranks[k]; grouped {
		return rank
	}
	return -1
}

// kindWord is a kind as readers call it.
func kindWord(k source.Kind) string {
	if rank := groupRank(k); rank > 0 {
		return groups[rank].noun
	}
	return string(k)
}

// item is the line of one symbol: its name, and on a line of its own what is said of it, so that branches merge which say
// something else of two symbols that stand together.
func (p *page) item(t part, e *entry) string {
	text := "- " + p.itemName(e)
	if t.kinds {
		text += ", " + kindWord(e.Kind)
	}
	about := p.about(e)
	if e.anchor == "" { // it leads to lines that move with what is said
		about = strings.TrimSpace(about + " (" + markdown.Link("source", p.sourceLink(e.Symbol)) + ")")
	}
	if about != "" {
		text += "\n  — " + about
	}
	return text + "\n"
}

// symbols lists those of one part as far as there is room, and returns how many it shows.
func (p *page) symbols(t part, room *int) (shown int) {
	left := *room - weight(t.lead)
	var b strings.Builder
	b.Grow(partSize(len(t.entries)))
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
