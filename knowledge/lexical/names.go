package lexical

import (
	"strings"
	"unicode"
)

// SplitNames returns a text with a blank before each capitalised part of a name, so that the words of ParseDraft are found as well.
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
