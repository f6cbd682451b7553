package canonical

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestLine is the width at which formatters fold lines. It is compared with bytes, an upper bound of the columns.
const longestLine = 80

// Property returns a front matter key with a text. Formatters rewrite quotes and fold long lines, so the text is a
// plain scalar or a literal block. A text with invisible characters is quoted, because only quoted scalars have
// escapes.
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

func bare(s string) bool {
	is := classesOf(s)
	return s != "" && is&(newline|tab) == 0 && strings.TrimSpace(s) == s && printable(s, is)
}

// unambiguous reports whether every version of YAML reads an unquoted text as that string.
func unambiguous(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(first) && !reserved[strings.ToLower(s)] && !strings.HasSuffix(s, ":") &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.Contains(s, "  ")
}
