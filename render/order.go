package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

type standing struct {
	used               int // its rank among the names that other modules use
	quoted, documented int // 0 if so, 1 if not
}

// order sorts symbols: those that other modules use, then those in a README, then documented ones, then by file, as
// authors order their code. New symbols of different files do not conflict. The order uses ranks instead of counts,
// which would change more often.
func (p *page) order(parts []part) {
	u := p.usesOf(p.graph.Used(p.node.Path), p.graph.Quoted(p.node.Path))
	for _, t := range parts {
		if len(t.entries) < 2 {
			continue
		}
		places := make(map[*entry]standing, len(t.entries))
		for _, e := range t.entries {
			places[e] = u.standing(e)
		}
		slices.SortStableFunc(t.entries, func(a, b *entry) int {
			x, y := places[a], places[b]
			return cmp.Or(x.used-y.used, x.quoted-y.quoted, x.documented-y.documented)
		})
	}
}

// standing ranks a symbol. A used member counts as a use of its type.
func (u uses) standing(e *entry) standing {
	s := standing{used: len(u.rank) + 1, quoted: 1, documented: 1}
	take := func(name string) {
		if at := u.rank[name]; at > 0 {
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
	if u.quoted[e.Name[strings.LastIndexByte(e.Name, '.')+1:]] {
		s.quoted = 0
	}
	if e.Doc != "" && e.Kind != source.Reexport {
		s.documented = 0
	}
	return s
}
