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
	span int // of an opening bracket: the distance of the closing one, or 0
}

// tokens scans source, ignoring comments and line structure. What cannot be scanned has no tokens.
func tokens(src string) []token {
	list, err := reader.Scan(context.Background(), src)
	if err != nil {
		return nil
	}
	out := make([]token, len(list))
	var open []int
	for i, t := range list {
		switch out[i] = (token{kind: kinds[t.Kind], text: t.Text}); {
		case t.Kind == reader.String:
			out[i].kind, out[i].text = stringOf(t)
		case t.Kind != reader.Operator:
		case strings.Contains("([{", t.Text):
			open = append(open, i)
		case strings.Contains(")]}", t.Text) && len(open) > 0:
			last := open[len(open)-1]
			out[last].span, open = i-last, open[:len(open)-1]
		}
	}
	return out
}

var kinds = [...]kind{reader.Word: tWord, reader.Number: tNumber, reader.String: tText, reader.Piece: tOther, reader.Operator: tOp, reader.Unknown: tBroken}

func stringOf(t reader.Token) (kind, string) {
	start := strings.IndexAny(t.Text, `"'`)
	prefix, body := strings.ToLower(t.Text[:start]), t.Text[start:]
	quote := body[:1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(body, long) {
		quote = long
	}
	body, whole := strings.CutSuffix(body[len(quote):], quote)
	if left := strings.TrimRight(body, `\`); !whole || (len(body)-len(left))%2 == 1 {
		return tBroken, ""
	}
	k := tText
	if strings.Contains(prefix, "b") {
		k = tBytes
	}
	value, ok := unescaped(body, prefix, k == tBytes)
	if !ok {
		return tOther, ""
	}
	return k, value
}

// encloses reports whether the bracket at an index closes at the last token.
func encloses(toks []token, at int) bool { return toks[at].span > 0 && at+toks[at].span == len(toks)-1 }

// split cuts tokens at an operator outside of brackets.
func split(toks []token, at string) (out [][]token) {
	start := 0
	for i := 0; i < len(toks); i++ {
		switch t := toks[i]; {
		case t.kind != tOp:
		case t.span > 0:
			i += t.span
		case strings.Contains("([{)]}", t.text): // not balanced
			return append(out, toks[start:])
		case t.text == at:
			out, start = append(out, toks[start:i]), i+1
		}
	}
	if start < len(toks) {
		out = append(out, toks[start:])
	}
	return out
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
