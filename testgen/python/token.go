package python

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind classifies tokens as far as literals, signatures and calls need it.
type kind uint8

const (
	tWord kind = iota
	tNumber
	tText  // str literal; text is its value
	tBytes // bytes literal
	tOther // f-string, or a literal whose value is unknown
	tOp
	tBroken // invalid token or unterminated literal
)

// token is one token. text is its source, or the value of a literal.
type token struct {
	kind kind
	text string
	line int // from 0
}

// tokens scans source, ignoring comments and line structure.
func tokens(src string) []token {
	s := scanner{src: src}
	for s.next() {
	}
	return s.out
}

type scanner struct {
	src  string
	pos  int
	line int
	out  []token
}

func (s *scanner) emit(k kind, text string) bool {
	s.out = append(s.out, token{k, text, s.line})
	return true
}

func (s *scanner) next() bool {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '\n':
			s.line++
			s.pos++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\\':
			s.pos++
		case c == '#':
			if end := strings.IndexByte(s.src[s.pos:], '\n'); end >= 0 {
				s.pos += end
			} else {
				s.pos = len(s.src)
			}
		default:
			return s.token(c)
		}
	}
	return false
}

func (s *scanner) token(c byte) bool {
	start := s.pos
	switch {
	case c == '"' || c == '\'':
		return s.literal("")
	case c >= '0' && c <= '9' || c == '.' && s.digit(s.pos+1):
		for s.pos < len(s.src) && (isWord(rune(s.src[s.pos])) || s.src[s.pos] == '.' || (s.src[s.pos] == '-' || s.src[s.pos] == '+') && s.exponent(start)) {
			s.pos++
		}
		return s.emit(tNumber, s.src[start:s.pos])
	}
	for s.pos < len(s.src) {
		r, size := utf8.DecodeRuneInString(s.src[s.pos:])
		if !isWord(r) || r == utf8.RuneError && size == 1 {
			break
		}
		s.pos += size
	}
	if s.pos > start {
		name := s.src[start:s.pos]
		if len(name) <= 2 && s.pos < len(s.src) && (s.src[s.pos] == '"' || s.src[s.pos] == '\'') && strings.Trim(strings.ToLower(name), "rbuft") == "" {
			return s.literal(strings.ToLower(name))
		}
		return s.emit(tWord, name)
	}
	for _, long := range []string{"...", "**", "//", "->", ":=", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=", "/=", "|=", "&=", "%="} {
		if strings.HasPrefix(s.src[s.pos:], long) {
			s.pos += len(long)
			return s.emit(tOp, long)
		}
	}
	_, size := utf8.DecodeRuneInString(s.src[s.pos:])
	s.pos += size
	k := tOp
	if c < ' ' || c >= 0x7f || strings.IndexByte("$?!`", c) >= 0 {
		k = tBroken
	}
	return s.emit(k, s.src[start:s.pos])
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func (s *scanner) digit(i int) bool { return i < len(s.src) && s.src[i] >= '0' && s.src[i] <= '9' }

func (s *scanner) exponent(start int) bool {
	before := s.src[s.pos-1] | 0x20
	return before == 'e' && !strings.HasPrefix(s.src[start:], "0x") && s.digit(s.pos+1)
}

func (s *scanner) literal(prefix string) bool {
	quote := s.src[s.pos : s.pos+1]
	long := strings.HasPrefix(s.src[s.pos:], strings.Repeat(quote, 3))
	if long {
		quote = strings.Repeat(quote, 3)
	}
	s.pos += len(quote)
	start, at := s.pos, s.line
	for ; ; s.pos++ {
		switch {
		case s.pos >= len(s.src) || !long && s.src[s.pos] == '\n':
			s.out = append(s.out, token{tBroken, "", at})
			return true
		case s.src[s.pos] == '\\':
			s.pos++
			if s.pos < len(s.src) && s.src[s.pos] == '\n' {
				s.line++
			}
		case s.src[s.pos] == '\n':
			s.line++
		case strings.HasPrefix(s.src[s.pos:], quote):
			body := s.src[start:s.pos]
			s.pos += len(quote)
			s.out = append(s.out, literalOf(prefix, body, at))
			return true
		}
	}
}

func literalOf(prefix, body string, line int) token {
	switch {
	case strings.ContainsAny(prefix, "ft"):
		return token{tOther, "", line}
	case strings.Contains(prefix, "b"):
		value, ok := unescaped(body, prefix, true)
		if !ok {
			return token{tOther, "", line}
		}
		return token{tBytes, value, line}
	}
	value, ok := unescaped(body, prefix, false)
	if !ok {
		return token{tOther, "", line}
	}
	return token{tText, value, line}
}

var escapes = map[byte]string{'\n': "", '\\': "\\", '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v"}

// unescaped returns the value of a literal, with one character for each byte if raw; false if it is unsupported.
func unescaped(body, prefix string, raw bool) (string, bool) {
	if strings.Contains(prefix, "r") || strings.IndexByte(body, '\\') < 0 {
		return body, utf8.ValidString(body)
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' || i+1 == len(body) {
			b.WriteByte(body[i])
			continue
		}
		i++
		if plain, ok := escapes[body[i]]; ok {
			b.WriteString(plain)
			continue
		}
		digits, base := 0, 16
		switch c := body[i]; {
		case c == 'x':
			digits = 2
		case c == 'u' && !raw:
			digits = 4
		case c == 'U' && !raw:
			digits = 8
		case c >= '0' && c <= '7':
			i, base = i-1, 8
			for digits < 3 && i+1+digits < len(body) && body[i+1+digits] >= '0' && body[i+1+digits] <= '7' {
				digits++
			}
		case c == 'N' && !raw:
			return "", false
		default: // no escape; the backslash is literal
			b.WriteByte('\\')
			b.WriteByte(c)
			continue
		}
		if i+digits >= len(body) {
			return "", false
		}
		n, err := strconv.ParseUint(body[i+1:i+1+digits], base, 32)
		if err != nil || n > unicode.MaxRune || n >= 0xd800 && n < 0xe000 {
			return "", false
		}
		b.WriteRune(rune(n))
		i += digits
	}
	return b.String(), utf8.ValidString(b.String())
}
