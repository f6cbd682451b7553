package spec

import "strings"

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
