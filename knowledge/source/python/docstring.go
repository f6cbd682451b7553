package python

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/source"
)

// lone returns the text of tokens that consist only of adjacent string literals, which may be a docstring. Bytes do
// not count.
func (x *reader) lone(from, to int) (string, bool) {
	for i := from; i < to; i++ {
		if x.toks[i].kind != str {
			return "", false
		}
	}
	if from >= to {
		return "", false
	}
	value, ok := x.joined(from, to)
	if !ok {
		return "", false
	}
	return cleanDoc(value), true
}

// joined evaluates adjacent string literals; false if one is bytes.
func (x *reader) joined(from, to int) (string, bool) {
	if to == from+1 {
		return stringValue(x.text(from))
	}
	var b strings.Builder
	for i := from; i < to; i++ {
		part, ok := stringValue(x.text(i))
		if !ok {
			return "", false
		}
		b.WriteString(part)
	}
	return b.String(), true
}

// stringValue evaluates a string literal; false for bytes. It keeps malformed escapes as written.
func stringValue(literal string) (string, bool) {
	quote := strings.IndexAny(literal, `"'`)
	if quote < 0 {
		return "", false
	}
	prefix, body := literal[:quote], literal[quote:]
	if strings.ContainsAny(prefix, "bB") {
		return "", false
	}
	mark := body[:1]
	if strings.HasPrefix(body, strings.Repeat(mark, 3)) {
		mark = body[:3]
	}
	body = strings.TrimPrefix(body, mark)
	body = strings.TrimSuffix(body, mark)
	if strings.ContainsAny(prefix, "rR") || strings.IndexByte(body, '\\') < 0 {
		return body, true
	}
	return Unescape(body), true
}

var simpleEscapes = map[byte]string{
	'\n': "", '\\': `\`, '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

var hexDigits = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// Unescape replaces the escape sequences in the text of a string literal.
func Unescape(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		value, length := escapeAt(s)
		b.WriteString(value)
		s = s[length:]
	}
}

func escapeAt(s string) (value string, length int) {
	c := s[1]
	if v, ok := simpleEscapes[c]; ok {
		return v, 2
	}
	if n := hexDigits[c]; n > 0 && len(s) >= 2+n {
		if r, err := strconv.ParseUint(s[2:2+n], 16, 32); err == nil && r <= utf8.MaxRune {
			return string(rune(r)), 2 + n
		}
	}
	end := 1
	for end < len(s) && end < 4 && s[end] >= '0' && s[end] <= '7' {
		end++
	}
	if end > 1 {
		if r, err := strconv.ParseUint(s[1:end], 8, 32); err == nil {
			return string(rune(r)), end
		}
	}
	return s[:2], 2
}

// cleanDoc strips common indentation, surrounding blank lines and trailing blanks.
func cleanDoc(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return valid(strings.TrimSpace(s))
	}
	return sound(source.Unindent(strings.Split(expandTabs(s), "\n"), false))
}

func expandTabs(s string) string {
	if strings.IndexByte(s, '\t') < 0 {
		return s
	}
	var b strings.Builder
	column := 0
	for _, r := range s {
		switch r {
		case '\t':
			n := 8 - column%8
			b.WriteString("        "[:n])
			column += n
		case '\n', '\r':
			b.WriteRune(r)
			column = 0
		default:
			b.WriteRune(r)
			column++
		}
	}
	return b.String()
}

// valid returns valid UTF-8 that does not share memory with the file.
func valid(s string) string {
	return strings.Clone(sound(s))
}

// sound makes a string valid UTF-8; it may share memory with its argument.
func sound(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
