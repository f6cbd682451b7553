package source

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source/control"
)

// How is the way in which a mention uses a name: one of three kinds, which may be open.
type How uint8

// The kinds have the order of their RefKinds.
const (
	AsCall How = iota << 1
	AsType
	AsValue
	AsOpen How = 1 // added to a kind
)

var refKinds = [...]RefKind{AsCall: RefCall, AsType: RefType, AsValue: RefValue}

// Mention is one occurrence of a name in a declaration. There are many, which is why the fields are small.
type Mention struct {
	Owner  int32 // the declaration, or NoOwner
	Name   int32 // by its number
	At     int32 // its token
	Place  int32 // position in the execution order
	How    How
	Branch control.Branch
}

// NoOwner owns the mentions outside all declarations.
const NoOwner = -1

// Mentions collects the mentions of a file in the order in which a reader finds them. The zero value is empty.
type Mentions struct {
	List []Mention

	ranks []int32 // by name, while references are made: its alphabetical position, counted from 1
	names []spelled
	keys  []uint64
	pairs []uint64
	ends  []int32 // by owner, the first of which is NoOwner: the end of its keys
	text  []byte
}

type spelled struct {
	text string
	name int32
}

// Bits of a key: the rank of the name, how it is used, and the index of the mention.
const (
	keyHow    = 32
	keyRank   = keyHow + 3
	onlyIndex = 1<<keyHow - 1
)

// A Speller knows the names and tokens of mentions.
type Speller interface {
	Spell(to []byte, name int32) []byte
	LineOf(at int32) int
}

// References gives each of a number of owners its references, sorted and without duplicates, and empties m.
func (m *Mentions) References(owners int, by Speller, forks *control.Forks, give func(owner int, list []Reference)) {
	if len(m.List) == 0 {
		return
	}
	m.rank(by)
	m.divide(owners)
	all := make([]Reference, 0, m.merge(forks))
	start := int32(0)
	for i, end := range m.ends {
		from := len(all)
		for _, key := range m.keys[start:end] {
			one := &m.List[uint32(key)]
			branch, order := forks.Final(one.Branch, int(one.Place))
			all = append(all, Reference{
				Name: m.names[key>>keyRank].text, Kind: refKinds[one.How&^AsOpen], Open: one.How&AsOpen > 0, Line: by.LineOf(one.At), Order: order,
				Branch: branch,
			})
		}
		if start = end; len(all) > from {
			give(i+NoOwner, slices.Clip(all[from:]))
		}
	}
	for _, n := range m.names {
		m.ranks[n.name] = 0
	}
	clear(m.names)
	m.List, m.names = m.List[:0], m.names[:0]
}

// rank sorts the names, and finds the position of each.
func (m *Mentions) rank(by Speller) {
	m.text = m.text[:0]
	var ends []int
	for i := range m.List {
		n := m.List[i].Name
		if int(n) >= len(m.ranks) {
			m.ranks = append(m.ranks, make([]int32, int(n)+1)...)
		}
		if m.ranks[n] == 0 {
			m.ranks[n] = 1
			m.text = by.Spell(m.text, n)
			m.names, ends = append(m.names, spelled{name: n}), append(ends, len(m.text))
		}
	}
	all, from := string(m.text), 0
	for i, end := range ends {
		m.names[i].text, from = strings.ToValidUTF8(all[from:end], "\uFFFD"), end
	}
	slices.SortFunc(m.names, func(a, b spelled) int { return cmp.Or(strings.Compare(a.text, b.text), cmp.Compare(a.name, b.name)) })
	for i, n := range m.names {
		if m.ranks[n.name] = int32(i); i > 0 && n.text == m.names[i-1].text {
			m.ranks[n.name] = m.ranks[m.names[i-1].name]
		}
	}
}

// divide sets the keys of each owner, which are sorted.
func (m *Mentions) divide(owners int) {
	ends := slices.Grow(m.ends[:0], owners+2)[:owners+2]
	clear(ends)
	for i := range m.List {
		ends[m.List[i].Owner+2]++
	}
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	m.keys = slices.Grow(m.keys[:0], len(m.List))[:len(m.List)]
	for i := range m.List {
		one := &m.List[i]
		at := &ends[one.Owner+1] // moves from the start of the owner's keys to their end
		m.keys[*at] = uint64(m.ranks[one.Name])<<keyRank | uint64(one.How)<<keyHow | uint64(i)
		*at++
	}
	m.ends = ends[:owners+1]
	start := int32(0)
	for _, end := range m.ends {
		slices.Sort(m.keys[start:end])
		start = end
	}
}

// merge keeps one mention for each name and use of an owner, and returns their number. It counts places from the owner's
// first mention, because edits of other code must not change them.
func (m *Mentions) merge(forks *control.Forks) int {
	kept, pairs := m.keys[:0], m.pairs
	start := int32(0)
	for i, end := range m.ends {
		from, least := len(kept), int32(math.MaxInt32)
		for _, key := range m.keys[start:end] {
			least = min(least, m.List[uint32(key)].Place)
		}
		pairs = pairs[:0]
		for _, key := range m.keys[start:end] {
			m.List[uint32(key)].Place -= least - 1
			if n := len(kept); n > from && kept[n-1]>>keyHow == key>>keyHow {
				pairs = append(pairs, key<<keyHow|kept[n-1]&onlyIndex)
			} else {
				kept = append(kept, key)
			}
		}
		slices.Sort(pairs) // merging makes forks: those of the code that comes first are the first
		for _, p := range pairs {
			first, one := &m.List[uint32(p)], &m.List[p>>keyHow]
			first.At = min(first.At, one.At)
			first.Branch, first.Place = control.Merge(forks, first.Branch, first.Place, one.Branch, one.Place)
		}
		start, m.ends[i] = end, int32(len(kept))
	}
	m.pairs = pairs
	return len(kept)
}
