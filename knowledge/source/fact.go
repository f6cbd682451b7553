package source

import (
	"cmp"
	"slices"
)

// SortFacts sorts facts by what they say, and leaves the first of those that say the same of the same.
func SortFacts(facts []Fact) []Fact {
	slices.SortStableFunc(facts, compareFacts)
	return slices.CompactFunc(facts, func(a, b Fact) bool { return compareFacts(a, b) == 0 })
}

func compareFacts(a, b Fact) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Of, b.Of), cmp.Compare(a.ID, b.ID))
}
