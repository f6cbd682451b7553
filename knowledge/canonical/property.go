package canonical

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestLine is where formatters begin to fold a line. It counts bytes, of which no text has fewer than columns.
const longestLine = 80

// Property is a key of front matter with a text. Formatters rewrite quotes and fold long lines, so the text is a plain scalar, or a
// literal block. A text with characters that a reader cannot see is quoted, because only quoted scalars have escapes.
func Property(key, value string) string {
	line := key + ": " + value
	switch {
	case !bare(value):
		return key + ": " + Scalar(value) + "\n"
	case len(line) <= longestLine && unambiguous(value):
		return line + "\n"
	}
	return key + ": |-\n  " + value + "\n"
}

// bare reports whether a text is one line that needs neither escapes nor quotes.
func bare(s string) bool {
	is := classesOf(s)
	return s != "" && is&(newline|tab) == 0 && strings.TrimSpace(s) == s && printable(s, is)
}

// unambiguous reports whether every version of YAML reads a bare text without quotes as that string.
func unambiguous(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(first) && !reserved[strings.ToLower(s)] && !strings.HasSuffix(s, ":") &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.Contains(s, "  ")
}
