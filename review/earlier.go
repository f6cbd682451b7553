package review

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/record"
)

// Earlier is what was found in a file when it was reviewed last, in a change that is closed.
type Earlier struct {
	Path    string      `json:"path"`
	Key     string      `json:"key"` // of the change
	Rule    string      `json:"rule"`
	Symbol  string      `json:"symbol,omitempty"`
	Message string      `json:"message"`
	Status  life.Status `json:"status"` // at the end of the change
	FixedBy string      `json:"fixed_by,omitempty"`
}

// Earlier lists what was found in files when they were reviewed last, the newest change first, as many as are asked for. What people
// dismissed, and what went with its code, is nothing to remember.
func (m *Memory) Earlier(paths []string, most int) []Earlier {
	wanted := map[string]bool{}
	for _, p := range paths {
		wanted[p] = true
	}
	records := slices.Clone(m.Records)
	record.Sort(records)
	var out []Earlier
	for _, r := range slices.Backward(records) {
		seen := map[string]bool{}
		for _, f := range r.Findings {
			if !wanted[f.Path] {
				continue
			}
			seen[f.Path] = true
			if f.Status == life.Dismissed || f.Status == life.Outdated {
				continue
			}
			out = append(out, Earlier{f.Path, r.Key, f.Rule, f.Symbol, f.Message, f.Status, f.FixedBy})
		}
		for p := range seen { // the last time only
			delete(wanted, p)
		}
		if len(out) >= most {
			break
		}
	}
	slices.SortStableFunc(out, func(a, b Earlier) int { return cmp.Compare(a.Path, b.Path) })
	return out[:min(len(out), most)]
}
