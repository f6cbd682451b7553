package ddl

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// The kinds of tokens other than punctuation, which is its own kind.
const (
	word   = 'w' // names, keywords and numbers
	quoted = 'q' // quoted names, without quotes
	text   = 's' // strings, as written
)

type token struct {
	kind byte
	text string
	line int
}

// pattern matches one token: white space, a string, a quoted name, a word, the start of a dollar-quoted string, or
// punctuation. An unterminated token extends to the end. A quote after a backslash ends a string unless the string
// clearly continues.
var pattern = lazyregexp.New(`^(?s:(\s+|--[^\n]*|/\*.*?(?:\*/|\z))|('(?:''|\\'\w|[^'])*(?:'|\z))|("(?:""|[^"])*(?:"|\z)|` + "`[^`]*(?:`|\\z)" +
	`)|([\pL_][\pL\d_]*|\d[\w.]*)|(\$\w{0,63}\$)|(.))`)

// scan yields the tokens of any dialect, without down migrations.
func scan(src string, line int, yield func(token)) {
	down := false
	for src != "" {
		m := pattern.FindStringSubmatch(src)
		if m == nil { // it matches any text
			return
		}
		all := m[0]
		t := token{line: line}
		switch {
		case m[1] != "":
			down = takesBack(m[1], down)
		case m[2] != "":
			t.kind, t.text = text, m[2]
		case m[3] != "":
			t.kind, t.text = quoted, unquoted(m[3])
		case m[4] != "":
			t.kind, t.text = word, m[4]
		case m[5] != "":
			if n := strings.Index(src[len(all):], all); n >= 0 {
				all = src[:n+2*len(all)]
			} else {
				all = src
			}
			t.kind, t.text = text, all
		default:
			t.kind, t.text = all[0], all
		}
		if t.kind != 0 && !down {
			yield(t)
		}
		line += strings.Count(all, "\n")
		src = src[len(all):]
	}
	yield(token{kind: ';'})
}

// takesBack reports whether a comment begins a down migration; a comment that begins neither direction returns was.
func takesBack(comment string, was bool) bool {
	switch strings.ToLower(strings.Join(strings.Fields(comment), " ")) {
	case "-- +goose down", "-- +migrate down", "-- migrate:down", "-- down migration":
		return true
	case "-- +goose up", "-- +migrate up", "-- migrate:up", "-- up migration":
		return false
	}
	return was
}

func unquoted(s string) string {
	quote := s[:1]
	s = s[1:]
	if strings.HasSuffix(s, quote) {
		s = s[:len(s)-1]
	}
	return strings.ReplaceAll(s, quote+quote, quote)
}
