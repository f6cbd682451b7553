package lexical

import (
	"strings"
	"unicode"
)

// SplitNames inserts a space before each capitalised part of a name, to index the words of ParseDraft as well.
func SplitNames(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/16)
	before := ' '
	for _, r := range text {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}
