package pagecheck

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var (
	shapeAt   = lazyregexp.New(`^(?:\[(` + labelForm + `)\]|\[\[(` + labelForm + `)\]\]|\[\((` + labelForm + `)\)\]|\((` + labelForm + `)\)|\(\[(` + labelForm + `)\]\)|\(\((` + labelForm + `)\)\)|\{(` + labelForm + `)\}|\{\{(` + labelForm + `)\}\})`)
	classAt   = lazyregexp.New(`^:::(` + classForm + `)`)
	ampersand = lazyregexp.New(`^[ \t]+&[ \t]+`)
)

// group reads nodes joined by "&" and returns the rest and their number.
func group(s string) (rest string, n int, what string) {
	for {
		if s, what = node(s); what != "" {
			return s, n, what
		}
		n++
		if !strings.Contains(s, "&") {
			return s, n, ""
		}
		m := ampersand.FindString(s)
		if m == "" {
			return s, n, ""
		}
		s = s[len(m):]
	}
}

// node reads id["label"]:::class.
func node(s string) (rest, what string) {
	id := cutID(s)
	if id == "" {
		return s, fmt.Sprintf("%q is not a node", clip(s))
	}
	if what := badID(id); what != "" {
		return s, what
	}
	s = s[len(id):]
	if label, rest, ok := cutShape(s); ok {
		if what := badLabel(label); what != "" {
			return s, what
		}
		s = rest
	}
	if !strings.HasPrefix(s, ":::") {
		return s, ""
	}
	if m := classAt.FindStringSubmatch(s); m != nil {
		if what := badID(m[1]); what != "" {
			return s, what
		}
		s = s[len(m[0]):]
	}
	return s, ""
}

func cutID(s string) string {
	n := 0
	for n < len(s) && (isLetter(s[n]) || n > 0 && (s[n] == '_' || s[n] >= '0' && s[n] <= '9')) {
		n++
	}
	return s[:n]
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// cutShape reads the quoted label of a node in the brackets of its shape, usually a box.
func cutShape(s string) (label, rest string, ok bool) {
	if s == "" || strings.IndexByte("[({", s[0]) < 0 {
		return "", s, false
	}
	if inner, box := strings.CutPrefix(s, `["`); box {
		if text, after, closed := strings.Cut(inner, `"]`); closed && !strings.ContainsAny(text, "\"\n") {
			return s[1 : len(text)+3], after, true
		}
	}
	m := shapeAt.FindStringSubmatch(s)
	if m == nil {
		return "", s, false
	}
	return strings.Join(m[1:], ""), s[len(m[0]):], true
}

func clip(s string) string {
	if runes := []rune(s); len(runes) > 30 {
		return string(runes[:30]) + "…"
	}
	return s
}
