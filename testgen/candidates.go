package testgen

import (
	"slices"
	"strings"
	"unicode"
)

// Origins of arguments.
const (
	FromDoc      = "doc"
	FromTest     = "test"
	FromResult   = "result"  // another function of the package returned it
	FromPackage  = "package" // documentation of the package or the README, not of this function
	FromLiteral  = "literal"
	FromModel    = "model" // a model proposed it
	FromBoundary = "boundary"
)

// Tuples combines the values of several parameters, given the number of values for each: first all combinations of the
// first values, at most half of most and none with over deepest parameters; then each value with the first of the
// others; then values at the same index, for most rounds. add gets an index for each parameter, which may exceed its
// number of values.
func Tuples(sizes []int, widest, deepest, most, rounds int, add func(at []int)) {
	at := make([]int, len(sizes))
	if len(sizes) > 1 && len(sizes) <= deepest {
		product(sizes, widest, most/2, at, add)
	}
	for i, size := range sizes {
		for j := range size {
			clear(at)
			at[i] = j
			add(at)
		}
	}
	for j := range rounds {
		for i := range at {
			at[i] = j
		}
		add(at)
	}
}

func product(sizes []int, widest, most int, at []int, add func(at []int)) {
	width := 1
	for ; width < widest; width++ {
		total := 1
		for range sizes {
			total *= width + 1
		}
		if total > most {
			break
		}
	}
	var fill func(i int)
	fill = func(i int) {
		if i == len(sizes) {
			add(at)
			return
		}
		for j := range min(width, sizes[i]) {
			at[i] = j
			fill(i + 1)
		}
	}
	fill(0)
}

// ByOrigin orders seeds by origin and drops those with the value of an earlier one.
func ByOrigin[S any](list []S, origins []string, from, value func(S) string) []S {
	slices.SortStableFunc(list, func(a, b S) int { return slices.Index(origins, from(a)) - slices.Index(origins, from(b)) })
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(s S) bool {
		text := value(s)
		twice := seen[text]
		seen[text] = true
		return twice
	})
}

// OneLine makes arbitrary text safe for a comment or a name: one line of printable characters, so it cannot form a
// directive.
func OneLine(text string, most int) string {
	return Clip(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " "), most)
}

// Clip shortens a text to a number of bytes.
func Clip(text string, most int) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
