package canonical

import (
	"strings"
	"unicode/utf8"
)

// class is the effect of a byte on the choice of a scalar.
type class uint16

const (
	word       class = 1 << iota // letters and the underscore
	inner                        // allowed in a plain scalar, but not first
	escaped                      // a double-quoted scalar escapes it
	apostrophe                   // ends a single-quoted scalar
	newline
	tab
	control // must be escaped in every scalar
	high    // part of a multi-byte character
	other   // other printable ASCII: a blank, a bracket, a colon
)

var classes = func() (table [256]class) {
	for c := range table {
		switch {
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			table[c] = word
		case c >= '0' && c <= '9' || c == '.' || c == '/' || c == '-':
			table[c] = inner
		case c == '"' || c == '\\':
			table[c] = escaped
		case c == '\'':
			table[c] = apostrophe
		case c == '\n':
			table[c] = newline
		case c == '\t':
			table[c] = tab
		case c < ' ' || c == 0x7f:
			table[c] = control
		case c >= utf8.RuneSelf:
			table[c] = high
		default:
			table[c] = other
		}
	}
	return table
}()

func classesOf(s string) class {
	var all class
	for i := range len(s) {
		all |= classes[s[i]]
	}
	return all
}

// plain reports whether every YAML reader reads a string without quotes as a string.
func plain(s string, is class) bool {
	return s != "" && is&^(word|inner) == 0 && classes[s[0]] == word && (len(s) > longestReserved || !reserved[strings.ToLower(s)])
}

var reserved = map[string]bool{
	"true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "null": true, "y": true, "n": true,
}

const longestReserved = len("false")

// literal reports whether s reads back unchanged between single quotes.
func literal(s string, is class) bool {
	return s != "" && s[0] != ' ' && s[len(s)-1] != ' ' && is&(apostrophe|newline|tab) == 0 && printable(s, is)
}

// blockable reports whether a text of several lines reads back unchanged from a literal block.
func blockable(s string, is class) bool {
	if is&newline == 0 || s[0] == ' ' || s[0] == '\n' || s[0] == '\t' || s[len(s)-1] == '\n' || !printable(s, is) {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.TrimRight(line, " \t") != line || line != "" && classes[line[0]]&high != 0 && strings.TrimSpace(line) == "" {
			return false
		}
	}
	return true
}

// printable reports whether no character but line ends and tabs need an escape.
func printable(s string, is class) bool {
	if is&control != 0 {
		return false
	}
	if is&high == 0 {
		return true
	}
	previous := ' '
	for _, r := range s {
		if r != '\n' && r != '\t' && (r == utf8.RuneError || !shows(r, previous)) {
			return false
		}
		previous = r
	}
	return true
}

// shows reports whether a character may be written unescaped after another: YAML accepts it, and readers see it.
func shows(r, previous rune) bool {
	return r >= ' ' && !unseen(r, previous) && !(r >= 0xd800 && r < 0xe000)
}
