package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source/control"
)

// SortReferences sorts references in place by name, kind and openness, and keeps the first of each. References
// without an order get their position. Duplicates are merged by [control.Merge].
func SortReferences(list []Reference) []Reference {
	for i := range list {
		if list[i].Order == 0 {
			list[i].Order = i + 1
		}
	}
	slices.SortFunc(list, func(a, b Reference) int {
		if a.Name != b.Name {
			return strings.Compare(a.Name, b.Name)
		}
		return cmp.Or(compareUse(a, b), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Order, b.Order))
	})
	out := list[:0]
	for _, r := range list {
		if last := len(out) - 1; last >= 0 && out[last].Name == r.Name && compareUse(out[last], r) == 0 {
			out[last].Branch, out[last].Order = control.Merge(&control.Forks{}, out[last].Branch, out[last].Order, r.Branch, r.Order)
			continue
		}
		out = append(out, r)
	}
	clear(list[len(out):])
	return out
}

// NestsOf returns the nests of the branches of calls.
func NestsOf(list []Reference, forks *control.Forks) (out []control.Nest) {
	for i := range list {
		if r := &list[i]; r.Kind == RefCall && r.Branch.Conditional() {
			out = forks.Nests(out, r.Branch)
		}
	}
	return out
}

func compareUse(a, b Reference) int {
	return cmp.Or(strings.Compare(string(a.Kind), string(b.Kind)), falseFirst(a.Open, b.Open))
}

// Unique sorts a list in place, and removes what occurs twice.
func Unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
