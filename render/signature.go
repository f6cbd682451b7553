package render

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// constructor returns the constructor of a class, which its page shows first.
func (e *entry) constructor() *entry {
	if e.Kind != source.Class {
		return nil
	}
	for _, m := range e.members {
		if m.owner == e.Name && isFunction(m.Symbol) && isConstructor(m.Name) {
			return m
		}
	}
	return nil
}

// inLine shortens a declaration for a list. Functions are never cut, since readers look for their parameters.
func inLine(s *node.Symbol) string {
	if isFunction(s) {
		return headline(s.Signature)
	}
	return shorten(headline(s.Signature))
}

// overloaded reports whether a signature has several lines in addition to annotations.
func overloaded(signature string) bool { return strings.HasSuffix(headline(signature), "…") }

// widest is the line length in characters at which declarations are wrapped.
const widest = 100

// wrapped breaks the long lines of a declaration between parameters.
func wrapped(signature string) string {
	lines := strings.Split(signature, "\n")
	for i, line := range lines {
		if len(line) > widest {
			lines[i] = wrap(line)
		}
	}
	return strings.Join(lines, "\n")
}

func wrap(line string) string {
	var b strings.Builder
	depth, quote, start := 0, byte(0), 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case depth == 0 && c == '(':
			depth = 1
			b.WriteString(line[:i+1])
			start = i + 1
		case depth == 0:
		case c == '(' || c == '[' || c == '{' || c == '<' && isWordByte(line[i-1]):
			depth++
		case c == ')' || c == ']' || c == '}' || c == '>' && depth > 1 && !strings.ContainsRune("-= ", rune(line[i-1])):
			if depth--; depth == 0 {
				b.WriteString(parameter(line[start:i]) + "\n" + line[i:])
				return b.String()
			}
		case c == ',' && depth == 1:
			b.WriteString(parameter(line[start : i+1]))
			start = i + 1
		}
	}
	return line
}

func parameter(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return "\n    " + text
}

func isWordByte(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}
