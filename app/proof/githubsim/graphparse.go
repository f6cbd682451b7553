package githubsim

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// document is one operation of GraphQL.
type document struct {
	text     string
	mutation bool
	fields   []field
}

// field is one that is asked for.
type field struct {
	alias, name string
	arguments   object
	fields      []field
}

// variable is a value that comes with the request.
type variable string

var tokens = regexp.MustCompile(`\s+|,|#[^\n]*|\.\.\.|[{}()\[\]:!=@|&]|\$?[A-Za-z_][A-Za-z0-9_]*|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|"(?:[^"\\]|\\.)*"`)

// graphReader reads a document word by word.
type graphReader struct {
	words []string
	err   error
}

// parseGraphQL reads a document with one operation, as clients of one purpose send them: with inline fragments, without
// named ones.
func parseGraphQL(text string) (document, error) {
	r := &graphReader{}
	at := 0
	for at < len(text) {
		found := tokens.FindStringIndex(text[at:])
		if found == nil || found[0] != 0 {
			return document{}, fmt.Errorf("parse error on %q", text[at:])
		}
		if word := text[at : at+found[1]]; !blank(word[0]) {
			r.words = append(r.words, word)
		}
		at += found[1]
	}
	d := document{text: text, mutation: r.peek() == "mutation"}
	for r.peek() != "{" && r.peek() != "" {
		if r.take() == "(" {
			r.skip()
		}
	}
	d.fields = r.selection()
	if r.err == nil && (len(d.fields) == 0 || r.peek() != "") {
		r.err = errors.New("parse error: one operation was expected")
	}
	return d, r.err
}

func blank(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ',' || c == '#'
}

func (r *graphReader) peek() string {
	if len(r.words) == 0 {
		return ""
	}
	return r.words[0]
}

func (r *graphReader) take() string {
	word := r.peek()
	if word != "" {
		r.words = r.words[1:]
	}
	return word
}

func (r *graphReader) expect(word string) {
	if got := r.take(); got != word && r.err == nil {
		r.err = fmt.Errorf("parse error on %q: expected %q", got, word)
	}
}

// skip leaves a list in parentheses out, whose beginning was taken: types of variables are GitHub's to check.
func (r *graphReader) skip() {
	for depth := 1; depth > 0 && r.peek() != ""; {
		switch r.take() {
		case "(":
			depth++
		case ")":
			depth--
		}
	}
}

func (r *graphReader) selection() []field {
	r.expect("{")
	var out []field
	for r.peek() != "}" && r.peek() != "" && r.err == nil {
		if r.peek() == "..." {
			r.take()
			if r.peek() == "on" {
				r.take()
				r.take()
			}
			out = append(out, r.selection()...)
			continue
		}
		out = append(out, r.field())
	}
	r.expect("}")
	return out
}

func (r *graphReader) field() field {
	f := field{name: r.take()}
	f.alias = f.name
	if r.peek() == ":" {
		r.take()
		f.name = r.take()
	}
	if r.peek() == "(" {
		r.take()
		f.arguments = r.object(")")
	}
	if r.peek() == "{" {
		f.fields = r.selection()
	}
	return f
}

// object reads names with values up to a closing word.
func (r *graphReader) object(end string) object {
	out := object{}
	for r.peek() != end && r.peek() != "" && r.err == nil {
		name := r.take()
		r.expect(":")
		out[name] = r.value()
	}
	r.expect(end)
	return out
}

func (r *graphReader) value() any {
	word := r.take()
	switch {
	case word == "{":
		return r.object("}")
	case word == "[":
		out := []any{}
		for r.peek() != "]" && r.peek() != "" && r.err == nil {
			out = append(out, r.value())
		}
		r.expect("]")
		return out
	case word == "":
		r.err = errors.New("parse error: the document ends too early")
		return nil
	case word[0] == '$':
		return variable(word[1:])
	}
	var value any
	if json.Unmarshal([]byte(word), &value) != nil {
		return word // the name of an enum's value
	}
	return value
}
