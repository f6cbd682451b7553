package record

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
)

// Sort orders records by time.
func Sort(records []*Record) {
	slices.SortFunc(records, func(a, b *Record) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Key, b.Key)) })
}

// Fixed maps fixed findings to the last change that fixed them.
type Fixed struct {
	bySymbol, byPath map[[2]string]string // keys by pattern and symbol, or path
}

// FixedIn collects the fixed findings of records.
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

// Key returns the last change that fixed the same pattern in the same file or symbol.
func (f *Fixed) Key(x finding.Finding) (string, bool) {
	key, ok := f.byPath[[2]string{x.Pattern, x.Path}]
	if !ok && x.Symbol != "" {
		key, ok = f.bySymbol[[2]string{x.Pattern, x.Symbol}]
	}
	return key, ok
}
