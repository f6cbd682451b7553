package source

import (
	"cmp"
	"slices"
	"strings"
)

// PlaceID is the ID of what a file has under a name. The file is a path without its ending: one that begins with a dot is
// relative to the file that says so, any other may have directories before it.
func PlaceID(file, name string) string { return "@" + file + "#" + name }

// Anonymous is a function without a name among the handlers of a route. The Value of a route may have the calls that wrap the handler:
// "auth(list)".
const Anonymous = "_"

// Placeholder stands in a path for what the code computes. The name is that of the constant or variable there, if it has one.
func Placeholder(name string) string { return "$(" + name + ")" }

// Fill replaces the placeholders of a path by the values of their names.
func Fill(path string, value func(name string) string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(path, "$(")
		name, after, closed := strings.Cut(rest, ")")
		if !found || !closed {
			b.WriteString(path)
			return b.String()
		}
		b.WriteString(before)
		b.WriteString(value(name))
		path = after
	}
}

// SortFacts sorts facts by what they say, and leaves the first of those that say the same of the same.
func SortFacts(facts []Fact) []Fact {
	slices.SortStableFunc(facts, compareFacts)
	return slices.CompactFunc(facts, func(a, b Fact) bool { return compareFacts(a, b) == 0 })
}

func compareFacts(a, b Fact) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Of, b.Of), cmp.Compare(a.ID, b.ID))
}
