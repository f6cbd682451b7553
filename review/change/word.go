package change

import "strings"

// IsWord reports whether a byte is part of a word: a letter, a digit, an underscore or any non-ASCII byte.
func IsWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// WordAt returns the offset of a name as a whole word, from an offset on, or -1.
func WordAt(text, name string, from int) int {
	for name != "" && from <= len(text) {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return -1
		}
		at += from
		if end := at + len(name); (at == 0 || !IsWord(text[at-1])) && (end == len(text) || !IsWord(text[end])) {
			return at
		}
		from = at + len(name)
	}
	return -1
}
