package api

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Fits reports whether all calls of a function that were right as it was declared once are so as it is declared now. Of languages
// whose signatures are not compared, only equal ones fit.
func Fits(was, now *source.Declared) bool {
	if was.Kind != now.Kind || was.Kind != source.Func && was.Kind != source.Method {
		return false
	}
	read, calls := pythonSignature, pythonCalls
	switch path.Ext(now.Path) {
	case ".ts", ".tsx":
		read, calls = ecmaSignature, ecmaCalls
	case ".py":
	default:
		return was.Signature == now.Signature
	}
	old, ok := read(was)
	current, still := read(now)
	if !ok || !still {
		return was.Signature == now.Signature
	}
	kind, _ := calls(old, current)
	return kind == ""
}

// brackets are those that a signature is nested by, with their other sides.
var brackets = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// scanner goes over a signature in the one spacing that the survey gives it, where a bracket that compares has a blank before it.
type scanner struct {
	text   string
	angles bool // types have arguments in <>
}

// skip returns where the token at i ends: of a bracket, where its other side does. -1 when that is missing.
func (s scanner) skip(i int) int {
	var open []byte
	for ; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '"' || c == '\'' || c == '`':
			if i = s.quoted(i); i < 0 {
				return -1
			}
			i--
		case c == '<' && (!s.angles || i == 0 || !wordByte(s.text[i-1])):
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

// quoted returns where a string ends that begins at i; -1 where it does not.
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

// index finds a separator outside of brackets from i on; the end of the text where there is none, -1 where it cannot be read.
func (s scanner) index(i int, separator string) int {
	for i >= 0 && i < len(s.text) {
		if strings.HasPrefix(s.text[i:], separator) {
			return i
		}
		i = s.skip(i)
	}
	return i
}

// split cuts a text at a separator that stands outside of brackets; false where it cannot be read.
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

// list are the parts in the first round brackets of a text, and what stands before and behind them.
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
