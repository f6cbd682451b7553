package python

import (
	"context"
	"strings"
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

// unescaped returns the value of a literal, with one character for each byte of bytes; false if it is unsupported.
func unescaped(body, prefix string, bytes bool) (string, bool) {
	if !strings.Contains(prefix, "r") {
		if strings.Contains(body, `\N`) || bytes && (strings.Contains(body, `\u`) || strings.Contains(body, `\U`)) {
			return "", false
		}
		body = reader.Unescape(body)
	}
	return body, utf8.ValidString(body) && !strings.ContainsRune(body, utf8.RuneError) // of a surrogate
}
