package source

import (
	"cmp"
	"slices"
	"strings"
)

// SortReferences sorts references by name, kind and whether they are open, in place, and keeps the first line of each.
func SortReferences(list []Reference) []Reference {
	slices.SortFunc(list, func(a, b Reference) int {
		if a.Name != b.Name {
			return strings.Compare(a.Name, b.Name)
		}
		return cmp.Or(compareUse(a, b), cmp.Compare(a.Line, b.Line))
	})
	return slices.CompactFunc(list, func(a, b Reference) bool { return a.Name == b.Name && compareUse(a, b) == 0 })
}

// compareUse compares how two references use what they name.
func compareUse(a, b Reference) int {
	return cmp.Or(strings.Compare(string(a.Kind), string(b.Kind)), falseFirst(a.Open, b.Open))
}
