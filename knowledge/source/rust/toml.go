package rust

import (
	"strconv"
	"strings"
)

// setting is one value of a manifest: its key with the tables around it, and the value of a string or a bare word.
// Elements of arrays of tables carry their number in the key: bin.0.path.
type setting struct {
	key   []string
	value string
}

// Limits on nesting: manifests need two levels of inline tables and keys of five parts.
const (
	maxTables = 8
	maxKey    = 16
)

// parseTOML lists the strings, bare words and booleans of a manifest in the order of the file. Arrays are stepped
// over: nothing that resolves an import is in one. What cannot be read is skipped to the end of its line.
func parseTOML(src string) []setting {
	t := toml{src: src, counts: map[string]int{}}
	for t.pos < len(t.src) {
		t.blank()
		switch c := t.peek(); {
		case c == 0:
			t.pos++
		case c == '[':
			t.header()
		default:
			if !t.pair(t.table, 0) {
				t.line()
			}
		}
	}
	return t.out
}

type toml struct {
	src    string
	pos    int
	table  []string
	counts map[string]int
	out    []setting
}

func (t *toml) peek() byte {
	if t.pos < len(t.src) {
		return t.src[t.pos]
	}
	return 0
}

// space skips blanks on the line.
func (t *toml) space() {
	for t.peek() == ' ' || t.peek() == '\t' {
		t.pos++
	}
}

// blank skips blanks, line ends and comments.
func (t *toml) blank() {
	for {
		switch t.peek() {
		case ' ', '\t', '\r', '\n':
			t.pos++
		case '#':
			t.line()
		default:
			return
		}
	}
}

func (t *toml) line() {
	if n := strings.IndexByte(t.src[t.pos:], '\n'); n >= 0 {
		t.pos += n + 1
	} else {
		t.pos = len(t.src)
	}
}

// header reads [a.b] and [[a.b]].
func (t *toml) header() {
	t.pos++
	many := t.peek() == '['
	if many {
		t.pos++
	}
	key, ok := t.key()
	if ok && t.peek() == ']' {
		if many {
			name := strings.Join(key, ".")
			key = append(key, strconv.Itoa(t.counts[name]))
			t.counts[name]++
		}
		t.table = key
	}
	t.line()
}

// key reads a dotted key.
func (t *toml) key() ([]string, bool) {
	var key []string
	for {
		t.space()
		part, ok := t.keyPart()
		if !ok || len(key) == maxKey {
			return nil, false
		}
		key = append(key, part)
		t.space()
		if t.peek() != '.' {
			return key, true
		}
		t.pos++
	}
}

func (t *toml) keyPart() (string, bool) {
	if c := t.peek(); c == '"' || c == '\'' {
		return t.text()
	}
	start := t.pos
	for c := t.peek(); isWordByte(c) || c == '-'; c = t.peek() {
		t.pos++
	}
	return t.src[start:t.pos], t.pos > start
}

// pair reads `key = value` within a table.
func (t *toml) pair(table []string, depth int) bool {
	key, ok := t.key()
	if !ok || t.peek() != '=' {
		return false
	}
	t.pos++
	t.space()
	full := append(table[:len(table):len(table)], key...)
	switch c := t.peek(); {
	case c == '"' || c == '\'':
		value, ok := t.text()
		if ok {
			t.out = append(t.out, setting{full, value})
		}
		return ok
	case c == '[':
		t.array()
		return true
	case c == '{':
		return depth < maxTables && t.inline(full, depth+1)
	}
	start := t.pos
	for c := t.peek(); c != 0 && c != '\n' && c != ',' && c != '}' && c != '#'; c = t.peek() {
		t.pos++
	}
	t.out = append(t.out, setting{full, strings.TrimSpace(t.src[start:t.pos])})
	return true
}

// inline reads { a = 1, b = 2 }.
func (t *toml) inline(table []string, depth int) bool {
	t.pos++
	for {
		t.blank()
		switch t.peek() {
		case '}':
			t.pos++
			return true
		case ',':
			t.pos++
		default:
			if !t.pair(table, depth) {
				return false
			}
		}
	}
}

// array steps over an array and whatever is in it.
func (t *toml) array() {
	for depth := 0; t.pos < len(t.src); {
		switch t.peek() {
		case '"', '\'':
			if _, ok := t.text(); !ok {
				return
			}
			continue
		case '#':
			t.line()
			continue
		case '[':
			depth++
		case ']':
			depth--
		}
		t.pos++
		if depth == 0 {
			return
		}
	}
}

// text reads a string of any of the four kinds.
func (t *toml) text() (string, bool) {
	quote := t.src[t.pos : t.pos+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(t.src[t.pos:], long) {
		t.pos += 3
		n := strings.Index(t.src[t.pos:], long)
		if n < 0 {
			t.pos = len(t.src)
			return "", false
		}
		value := t.src[t.pos : t.pos+n]
		t.pos += n + 3
		return value, true
	}
	start := t.pos + 1
	for i := start; i < len(t.src) && t.src[i] != '\n'; i++ {
		switch {
		case t.src[i] == '\\' && quote == `"`:
			i++
		case t.src[i] == quote[0]:
			t.pos = i + 1
			if quote == `"` {
				return unescape(t.src[start:i]), true
			}
			return t.src[start:i], true
		}
	}
	t.line()
	return "", false
}
