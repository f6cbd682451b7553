package source

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Quoted lists the names in a document's code: fences, inline code and indented blocks, sorted. It works line by
// line, for both Markdown and reStructuredText.
func Quoted(content []byte) []string {
	names := map[string]bool{}
	fenced := false
	for line := range strings.Lines(string(content)) {
		text := strings.TrimLeft(line, " \t")
		switch {
		case strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"):
			fenced = !fenced
		case fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"):
			addWords(names, text)
		default:
			for i, part := range strings.Split(strings.ReplaceAll(text, "``", "`"), "`") {
				if i%2 == 1 {
					addWords(names, part)
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func addWords(names map[string]bool, text string) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		names[word] = true
	}
}
