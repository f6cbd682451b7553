package source

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// PlaceID returns the ID of a name in a file. The file is a path without extension: relative to the referring file if
// it begins with a dot, otherwise a suffix of the full path.
func PlaceID(file, name string) string { return "@" + file + "#" + name }

// Anonymous is an unnamed function among a route's handlers. A Route's Value may include the calls that wrap the
// handler: "auth(list)".
const Anonymous = "_"

// Placeholder marks a computed part of a path, with the name of its constant or variable, if any.
func Placeholder(name string) string { return "$(" + name + ")" }

// Fill replaces the placeholders of a path with the values of their names.
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

// Texts returns the texts of a fact.
func (f *Fact) Texts() [9]*string {
	return [9]*string{&f.ID, &f.Of, &f.Name, &f.Default, &f.Help, &f.Doc, &f.Also, &f.Value, &f.Usage}
}

// SortFacts sorts facts and removes duplicates.
func SortFacts(facts []Fact) []Fact {
	slices.SortStableFunc(facts, func(a, b Fact) int {
		return cmp.Or(compareFacts(a, b), cmp.Compare(saying(a), saying(b))) // of duplicates, the one with the most information about a default is first
	})
	return slices.CompactFunc(facts, func(a, b Fact) bool { return compareFacts(a, b) == 0 })
}

// saying ranks equal facts: with a default, with a computed default, without information, required.
func saying(f Fact) int {
	switch {
	case f.Kind != Env || f.Default != "":
		return 0
	case f.Usage == Required:
		return 3
	case f.Usage == Computed, strings.HasPrefix(f.Usage, ValueOf):
		return 1
	}
	return 2
}

func compareFacts(a, b Fact) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Of, b.Of), cmp.Compare(a.ID, b.ID))
}

// Joined concatenates the parts of a variable name: text parts have the prefix Text, any other part becomes Unknown.
// The result is Unknown if the text does not look like part of a variable name.
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

// KeyVariable returns the name of a key in the environment: in upper case, with a Reads fact's Value applied.
func KeyVariable(key, replaced string) string {
	if replaced == Snake {
		return strings.ToUpper(Separated(key, '_'))
	}
	return strings.NewReplacer(strings.Fields(replaced)...).Replace(strings.ToUpper(key))
}

// Separated puts a separator between the words of a name in lower case: "HTTPPort" is "http-port".
func Separated(name string, by byte) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 {
			before := runes[i-1]
			if !unicode.IsUpper(before) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
				b.WriteByte(by)
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
