package source

import (
	"cmp"
	"slices"
)

// PlaceID is the ID of what a file has under a name. The file is a path without its ending: one that begins with a dot is
// relative to the file that says so, any other may have directories before it.
func PlaceID(file, name string) string { return "@" + file + "#" + name }

// SortFacts sorts facts by what they say, and leaves the first of those that say the same of the same.
func SortFacts(facts []Fact) []Fact {
	slices.SortStableFunc(facts, compareFacts)
	return slices.CompactFunc(facts, func(a, b Fact) bool { return compareFacts(a, b) == 0 })
}

func compareFacts(a, b Fact) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Of, b.Of), cmp.Compare(a.ID, b.ID))
}
