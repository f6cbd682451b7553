package golang

import (
	"bytes"

	"github.com/causaldocs/causal/knowledge/source"
)

// hashTokens adds the tokens of src[from:to] to h: no white space, no comments, no token that only formatting
// decides (semicolons that line ends insert, trailing commas). The parser knows better what the tokens mean; what
// counts here is that two spellings of one program give the same parts.
func hashTokens(h *source.Hasher, src []byte, from, to int) {
	t := tokens{src: src[:to], pos: from, hash: h}
	for t.next() {
	}
}

type tokens struct {
	src     []byte
	pos     int
	hash    *source.Hasher
	pending byte // ',' or ';' that is written once it is known not to be the last of its list
	endable bool // the last token ends a statement when a line end follows
}

func (t *tokens) next() bool {
	if !t.skipSpace() {
		return false
	}
	start, c := t.pos, t.src[t.pos]
	switch {
	case c == '"' || c == '\'':
		t.quoted(c)
		t.emit(start, true)
	case c == '`':
		if end := bytes.IndexByte(t.src[t.pos+1:], '`'); end >= 0 {
			t.pos += end + 2
		} else {
			t.pos = len(t.src)
		}
		t.emit(start, true)
	case isWord(c):
		for t.pos < len(t.src) && isWord(t.src[t.pos]) {
			t.pos++
		}
		t.emit(start, !startsOperand[string(t.src[start:t.pos])])
	case c == ',' || c == ';':
		t.pos++
		t.pending, t.endable = c, false
	case c == ')' || c == ']' || c == '}':
		t.pos++
		t.pending = 0
		t.emit(start, true)
	default:
		t.pos++
		double := t.pos < len(t.src) && t.src[t.pos] == c && (c == '+' || c == '-')
		if double {
			t.pos++
		}
		t.emit(start, double)
	}
	return true
}

// startsOperand holds the keywords after which a line end inserts no semicolon.
var startsOperand = map[string]bool{
	"case": true, "chan": true, "const": true, "default": true, "defer": true, "else": true, "for": true, "func": true,
	"go": true, "goto": true, "if": true, "import": true, "interface": true, "map": true, "package": true, "range": true,
	"select": true, "struct": true, "switch": true, "type": true, "var": true,
}

func (t *tokens) emit(start int, endable bool) {
	if t.pending != 0 {
		t.hash.AddBytes([]byte{t.pending})
		t.pending = 0
	}
	t.hash.AddBytes(t.src[start:t.pos])
	t.endable = endable
}

// skipSpace moves to the next token; false at the end.
func (t *tokens) skipSpace() bool {
	for t.pos < len(t.src) {
		switch c := t.src[t.pos]; {
		case c == '\n':
			t.lineEnd()
			t.pos++
		case c == ' ' || c == '\t' || c == '\r':
			t.pos++
		case c == '/' && t.at(1) == '/':
			end := bytes.IndexByte(t.src[t.pos:], '\n')
			if end < 0 {
				t.pos = len(t.src)
				return false
			}
			t.pos += end
		case c == '/' && t.at(1) == '*':
			end := bytes.Index(t.src[t.pos+2:], []byte("*/"))
			if end < 0 {
				t.pos = len(t.src)
				return false
			}
			if bytes.IndexByte(t.src[t.pos:t.pos+2+end], '\n') >= 0 {
				t.lineEnd()
			}
			t.pos += end + 4
		default:
			return true
		}
	}
	return false
}

func (t *tokens) lineEnd() {
	if t.endable {
		t.pending, t.endable = ';', false
	}
}

func (t *tokens) at(n int) byte {
	if t.pos+n < len(t.src) {
		return t.src[t.pos+n]
	}
	return 0
}

func (t *tokens) quoted(quote byte) {
	t.pos++
	for t.pos < len(t.src) && t.src[t.pos] != quote && t.src[t.pos] != '\n' {
		if t.src[t.pos] == '\\' {
			t.pos++
		}
		t.pos++
	}
	t.pos = min(t.pos+1, len(t.src))
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
