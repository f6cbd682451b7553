package match

import (
	"strconv"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/review/finding"
)

// Minter makes the ids of findings that are new in a change.
type Minter struct {
	base  string
	taken map[string]bool
	next  map[string]int // how many there are of one kind
}

// NewMinter returns a Minter for a change from a base, in which some ids are taken.
func NewMinter(base string, taken []string) *Minter {
	m := &Minter{base, map[string]bool{}, map[string]int{}}
	for _, id := range taken {
		m.taken[id] = true
	}
	return m
}

// Mint gives a finding its id: made of what it is seen with first, and never made again.
func (m *Minter) Mint(f *finding.Finding) {
	kind := fact.Digest(f.Rule, f.Path, f.Symbol, f.Anchor, m.base)
	for f.ID = ""; f.ID == ""; {
		id := "f-" + fact.Digest(kind, strconv.Itoa(m.next[kind]))
		m.next[kind]++
		if !m.taken[id] {
			f.ID = id
		}
	}
	m.taken[f.ID] = true
}
