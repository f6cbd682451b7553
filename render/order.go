package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// standing is what decides where a symbol stands in its list.
type standing struct {
	used               int // its place among what other modules use
	quoted, documented int // 0 where it is, 1 where it is not
}

// order puts those symbols first that other modules use, then those that a README shows, then those that somebody documented.
// Those of which nothing else is known stand by file, as authors order their code: two new symbols of different files do not meet on the
// same lines, and branches merge. It counts nothing: a number would change more often than the order.
func (p *page) order(parts []part) {
	if p.standings == nil {
		p.standings = p.stand()
	}
	for _, t := range parts {
		if len(t.entries) < 2 {
			continue
		}
		places := make(map[*entry]standing, len(t.entries))
		for _, e := range t.entries {
			places[e] = p.standings(e)
		}
		slices.SortStableFunc(t.entries, func(a, b *entry) int {
			x, y := places[a], places[b]
			return cmp.Or(x.used-y.used, x.quoted-y.quoted, x.documented-y.documented)
		})
	}
}

// stand finds out what decides where symbols stand, which a page asks for more than once.
func (p *page) stand() func(e *entry) standing {
	u := p.usesOf(p.graph.Used(p.node.Path), p.graph.Quoted(p.node.Path))
	return func(e *entry) standing { return standingOf(e, u.rank, u.quoted) }
}

// standingOf is the place of a symbol. One of whose members others use is used itself.
func standingOf(e *entry, used map[string]int, quoted map[string]bool) standing {
	s := standing{used: len(used) + 1, quoted: 1, documented: 1}
	take := func(name string) {
		if at := used[name]; at > 0 {
			s.used = min(s.used, at)
		}
	}
	take(e.Name)
	for _, alias := range e.Aliases {
		take(alias)
	}
	for _, m := range e.members {
		take(m.Name)
	}
	if quoted[e.Name[strings.LastIndexByte(e.Name, '.')+1:]] {
		s.quoted = 0
	}
	if e.Doc != "" && e.Kind != source.Reexport {
		s.documented = 0
	}
	return s
}
