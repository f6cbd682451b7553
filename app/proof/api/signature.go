package main

import "strings"

// split are the parts of a list between its commas, up to where its bracket closes, and what follows. Where angles is set, they are
// brackets too, as in Java and Rust.
func split(text string, angles bool) (parts []string, rest string) {
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
		case r == '"' || r == '\'' && !angles || r == '`':
			quote = r
		case strings.ContainsRune("([{", r) || angles && r == '<':
			depth++
		case strings.ContainsRune(")]}", r) || angles && r == '>' && before != '=' && before != '-':
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

// parameters are those of a signature of Python as public.py writes them: names, a star before them, "=" behind those with a default.
func parameters(s *symbol) string {
	_, list, _ := strings.Cut(s.Signature, "(")
	parts, _ := split(list, false)
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

// hasDefault reports whether what follows the name of a parameter has one, outside of brackets.
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
