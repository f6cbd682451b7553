package main

import "strings"

// syntax holds the opening brackets and the quotes of a language.
type syntax struct{ open, quotes string }

var (
	pythonLists     = syntax{"([{", `"'`}
	javaLists       = syntax{"([{<", `"'`}
	rustLists       = syntax{"([{<", `"`} // a lifetime begins as a text would
	typescriptLists = syntax{"([{<", "\"'`"}
)

// split splits a list at its commas up to the closing bracket, and returns the rest.
func (x syntax) split(text string) (parts []string, rest string) {
	depth, start := 0, 0
	quote, before := rune(0), rune(0)
	take := func(end int) {
		if part := strings.TrimSpace(text[start:end]); part != "" {
			parts = append(parts, part)
		}
		start = end + 1
	}
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote && before != '\\' {
				quote = 0
			}
		case strings.ContainsRune(x.quotes, r):
			quote = r
		case strings.ContainsRune(x.open, r):
			depth++
		case x.closes(r, before):
			if depth == 0 {
				take(i)
				return parts, text[i+1:]
			}
			depth--
		case r == ',' && depth == 0:
			take(i)
		}
		before = r
	}
	return nil, ""
}

// closes reports whether a character closes a bracket. That of an arrow closes none.
func (x syntax) closes(r, before rune) bool {
	if r == '>' {
		return strings.Contains(x.open, "<") && before != '=' && before != '-'
	}
	return strings.ContainsRune(")]}", r)
}

// parameters lists the parameters of a Python signature in the format of public.py: names, stars before them, "=" after those with a
// default.
func parameters(s *symbol) string {
	_, list, _ := strings.Cut(s.Signature, "(")
	parts, _ := pythonLists.split(list)
	var out []string
	for _, text := range parts {
		if at := strings.IndexAny(text, ":="); at >= 0 {
			name := strings.TrimSpace(text[:at])
			if hasDefault(text[at:]) {
				name += "="
			}
			text = name
		}
		if text != "*" && text != "/" {
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

// hasDefault reports whether a parameter has a default, outside of brackets.
func hasDefault(text string) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '=':
			if depth == 0 {
				return true
			}
		}
	}
	return false
}

// squeezed is a signature of Go without the spaces that gofmt gives it.
func squeezed(s *symbol) string { return strings.Join(strings.Fields(s.Signature), "") }
