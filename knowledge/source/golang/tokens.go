package golang

import (
	"bytes"
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// tokens writes a file's tokens as digest input, without white space, comments and tokens that only depend on
// formatting (inserted semicolons, trailing commas). Equivalent spellings of a program must give the same output.
type tokens struct {
	src     []byte
	pos     int
	parts   []byte // framed like a source.Hasher
	pending byte   // ',' or ';' that is written once another list element follows
	last    last
	word    []byte // last word token
}

// last classifies the last token, as far as the next one depends on it.
type last uint8

const (
	other   last = iota
	operand      // literal, closing bracket, ++ or --
	name
)

func (t *tokens) begin(at int) {
	t.pos, t.pending, t.last = at, 0, other
}

func (t *tokens) scan(to int) {
	src := t.src[:to]
	t.parts = slices.Grow(t.parts, 2*max(to-t.pos, 0)+2) // a source byte yields at most two bytes
	for t.pos < len(src) {
		c := src[t.pos]
		switch classes[c] {
		case blank:
			t.pos++
		case lineEnd:
			t.endLine()
			t.pos++
		case letter, digit:
			t.scanWord(src)
		case quote:
			t.literal(quoted(src, t.pos))
		case separator:
			t.pos++
			t.pending, t.last = c, other
		case closer:
			t.pending = 0
			t.operator(1)
			t.last = operand
		case slash:
			if !t.comment(src) {
				t.operator(1)
				t.last = other
			}
		case plusMinus:
			if t.pos+1 < len(src) && src[t.pos+1] == c {
				t.operator(2)
				t.last = operand
			} else {
				t.operator(1)
				t.last = other
			}
		default:
			t.operator(1)
			t.last = other
		}
	}
}

func (t *tokens) flush() {
	if t.pending != 0 {
		t.parts = append(t.parts, 1, t.pending)
		t.pending = 0
	}
}

func (t *tokens) operator(length int) {
	t.flush()
	t.parts = append(t.parts, byte(length))
	t.parts = append(t.parts, t.src[t.pos:t.pos+length]...)
	t.pos += length
}

func (t *tokens) literal(end int) {
	t.flush()
	t.parts = source.AppendPart(t.parts, t.src[t.pos:end])
	t.pos = end
	t.last = operand
}

func (t *tokens) scanWord(src []byte) {
	start, end := t.pos, t.pos+1
	for end < len(src) && isWord[src[end]] {
		end++
	}
	t.flush()
	word := src[start:end]
	t.parts = source.AppendPart(t.parts, word)
	t.pos = end
	t.last, t.word = name, word
	if classes[word[0]] == digit {
		t.last = operand
	}
}

func (t *tokens) endLine() {
	switch t.last {
	case operand:
		t.pending = ';'
	case name:
		if !startsOperand(t.word) {
			t.pending = ';'
		}
	}
}

// startsOperand recognises keywords after which a line end inserts no semicolon.
func startsOperand(word []byte) bool {
	switch string(word) {
	case "case", "chan", "const", "default", "defer", "else", "for", "func", "go", "goto", "if", "import", "interface",
		"map", "package", "range", "select", "struct", "switch", "type", "var":
		return true
	}
	return false
}

// comment skips a comment, if there is one.
func (t *tokens) comment(src []byte) bool {
	rest := src[t.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		t.pos += end
	case bytes.HasPrefix(rest, []byte("/*")):
		end := bytes.Index(rest[2:], []byte("*/"))
		if end < 0 {
			t.pos = len(src)
			return true
		}
		if bytes.IndexByte(rest[:2+end], '\n') >= 0 {
			t.endLine()
		}
		t.pos += end + 4
	default:
		return false
	}
	return true
}

// quoted returns the end of the literal at an offset.
func quoted(src []byte, at int) int {
	if src[at] == '`' {
		if end := bytes.IndexByte(src[at+1:], '`'); end >= 0 {
			return at + end + 2
		}
		return len(src)
	}
	end := at + 1
	for end < len(src) && src[end] != src[at] && src[end] != '\n' {
		if src[end] == '\\' {
			end++
		}
		end++
	}
	return min(end+1, len(src))
}

type class uint8

const (
	operator class = iota
	blank
	lineEnd
	letter
	digit
	quote
	separator
	closer
	slash
	plusMinus
)

var classes, isWord = func() (table [256]class, word [256]bool) {
	for c := range table {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80 {
			table[c] = letter
		}
	}
	for of, bytes := range map[class]string{
		blank: " \t\r", lineEnd: "\n", digit: "0123456789", quote: "\"'`", separator: ",;", closer: ")]}", slash: "/",
		plusMinus: "+-",
	} {
		for _, c := range []byte(bytes) {
			table[c] = of
		}
	}
	for c, of := range table {
		word[c] = of == letter || of == digit
	}
	return table, word
}()
