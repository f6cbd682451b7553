package review

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/record"
)

// Earlier is a finding from the last review of a file, in a change that is closed.
type Earlier struct {
	Path    string      `json:"path"`
	Key     string      `json:"key"` // key of the change
	Rule    string      `json:"rule"`
	Symbol  string      `json:"symbol,omitempty"`
	Message string      `json:"message"`
	Status  life.Status `json:"status"` // when the change was closed
	FixedBy string      `json:"fixed_by,omitempty"`
}

// Earlier lists up to most findings from the last review of each file, the newest change first. It omits dismissed
// and outdated findings.
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
		for p := range seen { // older reviews of these files do not count
			delete(wanted, p)
		}
		if len(out) >= most {
			break
		}
	}
	slices.SortStableFunc(out, func(a, b Earlier) int { return cmp.Compare(a.Path, b.Path) })
	return out[:min(len(out), most)]
}
