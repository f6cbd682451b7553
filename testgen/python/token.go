package python

import (
	"context"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	reader "github.com/causaldocs/causal/knowledge/source/python"
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
	line int
}

// tokens scans source, ignoring comments and line structure. What cannot be scanned has no tokens.
func tokens(src string) []token {
	list, err := reader.Scan(context.Background(), src)
	if err != nil {
		return nil
	}
	out := make([]token, len(list))
	for i, t := range list {
		if out[i] = (token{kinds[t.Kind], t.Text, t.Line}); t.Kind == reader.String {
			out[i] = stringOf(t)
		}
	}
	return out
}

var kinds = [...]kind{reader.Word: tWord, reader.Number: tNumber, reader.String: tText, reader.Piece: tOther, reader.Operator: tOp, reader.Unknown: tBroken}

func stringOf(t reader.Token) token {
	start := strings.IndexAny(t.Text, `"'`)
	prefix, body := strings.ToLower(t.Text[:start]), t.Text[start:]
	quote := body[:1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(body, long) {
		quote = long
	}
	body, whole := strings.CutSuffix(body[len(quote):], quote)
	if left := strings.TrimRight(body, `\`); !whole || (len(body)-len(left))%2 == 1 {
		return token{tBroken, "", t.Line}
	}
	k := tText
	if strings.Contains(prefix, "b") {
		k = tBytes
	}
	value, ok := unescaped(body, prefix, k == tBytes)
	if !ok {
		return token{tOther, "", t.Line}
	}
	return token{k, value, t.Line}
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
