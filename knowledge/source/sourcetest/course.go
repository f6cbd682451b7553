package sourcetest

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Course formats references in the order of the code, calls with parentheses, those in closures in brackets.
func Course(refs []source.Reference) string {
	words := make([]string, 0, len(refs))
	for _, r := range inOrder(refs) {
		word := r.Name
		if r.Kind == source.RefCall {
			word += "()"
		}
		if r.Branch.IsApart() {
			word = "[" + word + "]"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// Calls formats the calls of references in the order of the code, those in closures behind a slash.
func Calls(refs []source.Reference) string {
	var own, apart []string
	for _, r := range inOrder(refs) {
		switch {
		case r.Kind != source.RefCall:
		case r.Branch.IsApart():
			apart = append(apart, r.Name)
		default:
			own = append(own, r.Name)
		}
	}
	if len(apart) > 0 {
		own = append(own, "/", strings.Join(apart, " "))
	}
	return strings.Join(own, " ")
}

func inOrder(refs []source.Reference) []source.Reference {
	return slices.SortedStableFunc(slices.Values(refs), func(a, b source.Reference) int { return a.Order - b.Order })
}
