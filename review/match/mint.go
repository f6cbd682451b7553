package match

import (
	"strconv"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/review/finding"
)

// Minter creates the IDs of new findings in a change.
type Minter struct {
	base  string
	taken map[string]bool
	next  map[string]int // next number by kind
}

// NewMinter returns a Minter for a change from a base. The taken IDs are not used again.
func NewMinter(base string, taken []string) *Minter {
	m := &Minter{base, map[string]bool{}, map[string]int{}}
	for _, id := range taken {
		m.taken[id] = true
	}
	return m
}

// Mint sets a finding's ID, a digest of its first appearance.
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
