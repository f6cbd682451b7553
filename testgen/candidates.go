package testgen

import (
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

// Tuples combines the values of several parameters: first all combinations of the
// first values, at most half of most and none with over deepest parameters; then each value with the first of the
// others; then values at the same index, for most rounds; then, shifts times, values at indexes that are further apart.
// add gets an index for each parameter, which may exceed its number of values.
func Tuples[S any](lists [][]S, widest, deepest, most, rounds, shifts int, add func(at []int)) {
	at := make([]int, len(lists))
	if len(lists) > 1 && len(lists) <= deepest {
		product(lists, widest, most/2, at, add)
	}
	clear(at)
	add(at)
	for i, list := range lists {
		for j := 1; j < len(list); j++ {
			clear(at)
			at[i] = j
			add(at)
		}
	}
	if len(lists) < 2 {
		return // these would come twice
	}
	for shift := range shifts + 1 {
		for j := 1; j < rounds; j++ {
			for i := range at {
				at[i] = j + i*shift
			}
			add(at)
		}
	}
}

func product[S any](lists [][]S, widest, most int, at []int, add func(at []int)) {
	width := 1
	for ; width < widest; width++ {
		total := 1
		for range lists {
			total *= width + 1
		}
		if total > most {
			break
		}
	}
	var fill func(i int)
	fill = func(i int) {
		if i == len(lists) {
			add(at)
			return
		}
		for j := range min(width, len(lists[i])) {
			at[i] = j
			fill(i + 1)
		}
	}
	fill(0)
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

// Words returns the words of a text as a set.
func Words(text string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		out[word] = true
	}
	return out
}

// LastName returns the name of a symbol without those of its types and files.
func LastName(symbol string) string { return symbol[strings.LastIndexByte(symbol, '.')+1:] }
