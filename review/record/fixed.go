package record

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
)

// Sort orders records by the time of their changes.
func Sort(records []*Record) {
	slices.SortFunc(records, func(a, b *Record) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Key, b.Key)) })
}

// Fixed knows what was fixed in closed changes, and in which at last.
type Fixed struct {
	bySymbol, byPath map[[2]string]string // keys by pattern and symbol, or path
}

// FixedIn gathers what was fixed.
func FixedIn(records []*Record) *Fixed {
	sorted := slices.Clone(records)
	Sort(sorted)
	f := &Fixed{map[[2]string]string{}, map[[2]string]string{}}
	for _, r := range sorted {
		for _, x := range r.Findings {
			if x.Status != life.Fixed || x.Pattern == "" {
				continue
			}
			f.byPath[[2]string{x.Pattern, x.Path}] = r.Key
			if x.Symbol != "" {
				f.bySymbol[[2]string{x.Pattern, x.Symbol}] = r.Key
			}
		}
	}
	return f
}

// Key returns in which change a finding was fixed at last that is back: one of the same pattern in the same file, or in the same
// symbol.
func (f *Fixed) Key(x finding.Finding) (string, bool) {
	key, ok := f.byPath[[2]string{x.Pattern, x.Path}]
	if !ok && x.Symbol != "" {
		key, ok = f.bySymbol[[2]string{x.Pattern, x.Symbol}]
	}
	return key, ok
}
