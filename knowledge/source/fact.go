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

// Placeholder marks a computed part of a path, with the name of the constant or variable there, if it has one.
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
	slices.SortStableFunc(facts, func(a, b Fact) int {
		return cmp.Or(compareFacts(a, b), cmp.Compare(saying(a), saying(b))) // of two the one that says more about what is there without
	})
	return slices.CompactFunc(facts, func(a, b Fact) bool { return compareFacts(a, b) == 0 })
}

// saying is the order of facts that are alike: a default, that there is one, nothing, and that nothing works without.
func saying(f Fact) int {
	switch {
	case f.Kind != Env || f.Default != "":
		return 0
	case f.Usage == Required:
		return 3
	case f.Usage == Computed:
		return 1
	}
	return 2
}

func compareFacts(a, b Fact) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Of, b.Of), cmp.Compare(a.ID, b.ID))
}

// Joined is the name that has these parts: texts, which have Text before them, and Unknown for any other. It is Unknown where the texts do
// not look like a part of the name of a variable.
func Joined(parts []string) string {
	var name string
	known := 0
	for _, p := range parts {
		text, ok := strings.CutPrefix(p, Text)
		if !ok {
			text = Unknown
		}
		known += len(strings.Trim(text, "_*"))
		if text != Unknown || !strings.HasSuffix(name, Unknown) {
			name += text
		}
	}
	for _, c := range []byte(name) {
		if (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '*' && strings.Contains(name, Unknown) {
			return Unknown
		}
	}
	if known < 2 {
		return Unknown
	}
	return name
}
