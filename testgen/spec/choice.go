package spec

import (
	"strings"
	"unicode"
)

// Origins of seeds.
const (
	FromModel    = "model" // a model proposed it
	FromDoc      = "doc"
	FromTest     = "test"
	FromResult   = "result"  // another function of the package returned it
	FromPackage  = "package" // documentation of the package or the README, not of this function
	FromLiteral  = "literal"
	FromBoundary = "boundary"
)

// Joined writes arguments one behind the other, as a key.
func Joined(args []Typed) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(a.String())
	}
	return b.String()
}

// TextClass returns the class of a text among inputs.
func TextClass(s string) string {
	switch {
	case s == "":
		return "empty"
	case s[0] == '-':
		return "minus"
	}
	return "text"
}

// SeedsIn lists the origins that were seen, in their order.
func SeedsIn(origins []string, seen map[string]bool) (seeds []string) {
	for _, from := range origins {
		if seen[from] {
			seeds = append(seeds, from)
		}
	}
	return seeds
}

// Best returns the index of the option that gains most, or -1 if none adds anything.
func Best[T any](options []T, gain func(*T) (gain int, adds bool)) int {
	best, most := -1, 0
	for i := range options {
		if n, adds := gain(&options[i]); adds && (best < 0 || n > most) {
			best, most = i, n
		}
	}
	return best
}

// Combine adds all combinations of the first values of each list, up to width.
func Combine[T any](lists [][]T, width int, add func(at []int)) {
	at := make([]int, len(lists))
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

// Why explains a case by its law and the origin of its arguments; part is what the tests belong to.
func Why(law Law, from, part string) string {
	if law == Example {
		return "the documentation shows it"
	}
	text := map[string]string{
		FromDoc: "the documentation names it", FromTest: "a test of the " + part + " uses it", FromLiteral: "the code decides by it",
		FromModel: "a model proposed it", FromBoundary: "a value at the edge",
	}[from]
	if law == Error {
		text += ", and it is refused"
	}
	return text
}

// OneLine returns a text on one line, cut after most bytes.
func OneLine(text string, most int) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
