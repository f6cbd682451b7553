package api

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/review/change"
)

// Fits reports whether every valid call of a function's old declaration is valid for the new one. In languages
// without signature comparison, only equal signatures fit.
func Fits(was, now *source.Declared) bool {
	if was.Kind != now.Kind || was.Kind != source.Func && was.Kind != source.Method {
		return false
	}
	l := compared[source.TraitsOfFile(now.Path).Name]
	if !slices.Contains(l.typed, path.Ext(now.Path)) {
		return was.Signature == now.Signature
	}
	old, ok := l.signature(was)
	current, still := l.signature(now)
	if !ok || !still {
		return was.Signature == now.Signature
	}
	kind, _ := l.calls(old, current)
	return kind == ""
}

var brackets = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// scanner scans a signature in the survey's normalized spacing, with a blank before comparison operators.
type scanner struct {
	text   string
	angles bool // types have arguments in <>
}

// skip returns the end of the token or bracket at i, or -1 if the closing bracket is missing.
func (s scanner) skip(i int) int {
	var open []byte
	for ; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '"' || c == '\'' || c == '`':
			if i = s.quoted(i); i < 0 {
				return -1
			}
			i--
		case c == '<' && (!s.angles || i == 0 || !change.IsWord(s.text[i-1])):
		case c == '>' && (!s.angles || i > 0 && (s.text[i-1] == '=' || s.text[i-1] == ' ')):
		case brackets[c] != 0:
			open = append(open, brackets[c])
		case c == ')' || c == ']' || c == '}' || c == '>':
			if len(open) == 0 || open[len(open)-1] != c {
				return -1
			}
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			return i + 1
		}
	}
	return -1
}

// quoted returns the end of the string that begins at i, or -1 if it is unterminated.
func (s scanner) quoted(i int) int {
	quote := s.text[i]
	if triple := strings.Repeat(string(quote), 3); strings.HasPrefix(s.text[i:], triple) {
		end := strings.Index(s.text[i+3:], triple)
		if end < 0 {
			return -1
		}
		return i + 3 + end + 3
	}
	for i++; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return -1
}

// index finds a separator outside of brackets, or returns the length of the text, or -1 if it cannot be parsed.
func (s scanner) index(i int, separator string) int {
	for i >= 0 && i < len(s.text) {
		if strings.HasPrefix(s.text[i:], separator) {
			return i
		}
		i = s.skip(i)
	}
	return i
}

// split cuts a text at separators outside of brackets. It returns false if the text cannot be parsed.
func (s scanner) split(separator string) ([]string, bool) {
	var parts []string
	for from := 0; from <= len(s.text); {
		end := s.index(from, separator)
		if end < 0 {
			return nil, false
		}
		parts = append(parts, strings.TrimSpace(s.text[from:end]))
		from = end + len(separator)
	}
	return parts, true
}

func (s scanner) list() (before string, parts []string, after string, ok bool) {
	open := s.index(0, "(")
	if open < 0 || open == len(s.text) {
		return "", nil, "", false
	}
	end := s.skip(open)
	if end < 0 {
		return "", nil, "", false
	}
	if inside := strings.TrimSpace(s.text[open+1 : end-1]); inside != "" {
		if parts, ok = (scanner{inside, s.angles}).split(","); !ok {
			return "", nil, "", false
		}
	}
	return s.text[:open], parts, s.text[end:], true
}
