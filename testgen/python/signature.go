package python

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen/spec"
)

// Param is a parameter of a function; self and cls are none.
type Param struct {
	Name string `json:"n"`
	Type *Type  `json:"t,omitempty"`
	// Optional: it has a default.
	Optional bool `json:"o,omitempty"`
	// Keyword: it is given by its name only. Rest: it takes all further positional arguments.
	Keyword bool `json:"k,omitempty"`
	Rest    bool `json:"r,omitempty"`
	// Positional: it cannot be given by its name.
	Positional bool `json:"p,omitempty"`

	initial    spec.Value // what its default is, where that is a literal
	hasInitial bool
}

// signature is what a declaration says before its body.
type signature struct {
	decorators []string // dotted names, without arguments
	params     []Param  // with self and cls
	result     []token
	async      bool
	keywords   bool // it takes any keywords
	ok         bool
}

// parseSignature reads a declaration as the outline has it: decorators first, one a line, and the last of several overloads counts.
func parseSignature(src string) signature {
	s := signature{}
	var head string
	for line := range strings.Lines(src) {
		if name, ok := strings.CutPrefix(line, "@"); ok && head == "" || ok && !strings.Contains(line, "def ") {
			name, _, _ = strings.Cut(strings.TrimSpace(name), "(")
			s.decorators = append(s.decorators, name)
			continue
		}
		trimmed := strings.TrimPrefix(line, "async ")
		if strings.HasPrefix(trimmed, "def ") {
			head, s.async = "", trimmed != line
		}
		head += line
	}
	toks := tokens(strings.TrimPrefix(head, "async "))
	if len(toks) < 4 || toks[0].text != "def" || toks[2].text != "(" {
		return s
	}
	end := closing(toks, 2)
	if end < 0 {
		return s
	}
	s.ok = s.readParams(toks[3:end])
	if end+1 < len(toks) && toks[end+1].text == "->" {
		s.result = toks[end+2:]
	}
	return s
}

// closing finds the bracket that closes the one at a place; -1 when there is none.
func closing(toks []token, at int) int {
	depth := 0
	for i := at; i < len(toks); i++ {
		if toks[i].kind != tOp {
			continue
		}
		switch toks[i].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// split cuts tokens at a sign that stands in no brackets.
func split(toks []token, at string) (out [][]token) {
	depth, start := 0, 0
	for i, t := range toks {
		if t.kind != tOp {
			continue
		}
		switch {
		case strings.ContainsAny(t.text, "([{"):
			depth++
		case strings.ContainsAny(t.text, ")]}"):
			depth--
		case t.text == at && depth == 0:
			out, start = append(out, toks[start:i]), i+1
		}
	}
	if start < len(toks) {
		out = append(out, toks[start:])
	}
	return out
}

func (s *signature) readParams(toks []token) bool {
	keyword := false
	for _, part := range split(toks, ",") {
		p := Param{Keyword: keyword}
		switch {
		case len(part) == 0:
			return false
		case part[0].text == "/" && len(part) == 1:
			for i := range s.params {
				s.params[i].Positional = true
			}
			continue
		case part[0].text == "**":
			s.keywords = true
			continue
		case part[0].text == "*":
			keyword = true
			if part = part[1:]; len(part) == 0 {
				continue
			}
			p.Rest = true
		}
		if part[0].kind != tWord {
			return false
		}
		p.Name = part[0].text
		rest := part[1:]
		if i := slices.IndexFunc(rest, func(t token) bool { return t.kind == tOp && t.text == "=" }); i >= 0 {
			p.Optional = true
			p.initial, p.hasInitial = literal(rest[i+1:], nil)
			rest = rest[:i]
		}
		if len(rest) > 1 && rest[0].text == ":" {
			p.Type = &Type{annotation: rest[1:]}
		}
		s.params = append(s.params, p)
	}
	return true
}

// has reports whether one of the decorators is called so, whatever it is imported from.
func (s *signature) has(names ...string) bool {
	return slices.ContainsFunc(s.decorators, func(d string) bool { return slices.Contains(names, last(d)) })
}

// last is the last element of a dotted name.
func last(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }
