package stale

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// region holds the first and last line of a declaration's documentation, from 1. It is empty if last is 0.
type region struct{ first, last int }

// docRegion finds the documentation of a declaration: the docstring, or the comment before the declaration and
// its attributes.
func docRegion(language string, s *source.Symbol, lines []string) region {
	if s.Doc == "" {
		return region{}
	}
	if source.TraitsOf(language).Docstrings {
		return docstring(s, lines)
	}
	end := s.Line - 1
	for end > 0 && end <= len(lines) && isAttribute(lines[end-1]) {
		end--
	}
	first := end
	for first > 0 && first <= len(lines) && isComment(lines[first-1]) {
		first--
		if opened := strings.TrimSpace(lines[first]); strings.HasPrefix(opened, "/*") {
			break // the text before it is another comment
		}
	}
	if first == end {
		return region{}
	}
	return region{first + 1, end}
}

func isAttribute(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "@") || strings.HasPrefix(line, "#[")
}

func isComment(line string) bool {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"//", "/*", "*"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}

var quotes = []string{`"""`, "'''"}

// docstring finds the docstring of a Python declaration. It begins on the first line that begins with three quotes.
func docstring(s *source.Symbol, lines []string) region {
	for at := s.Line; at <= min(s.End, len(lines)); at++ {
		line := strings.TrimLeft(strings.TrimSpace(lines[at-1]), "rRuU")
		for _, quote := range quotes {
			text, opens := strings.CutPrefix(line, quote)
			if !opens {
				continue
			}
			for end := at; end <= min(s.End, len(lines)); end++ {
				if strings.Contains(text, quote) {
					return region{at, end}
				}
				if end < len(lines) {
					text = lines[end]
				}
			}
			return region{}
		}
	}
	return region{}
}

// marks are the beginnings of comment lines, longer ones first.
var marks = []string{"/**", "/*!", "///", "//!", "/*", "//", "*", `r"""`, `"""`, "'''"}

func plain(line string) (text string, at int) {
	text = strings.TrimLeft(line, " \t")
	for _, mark := range marks {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			text = rest
			break
		}
	}
	text = strings.TrimLeft(text, " \t")
	at = len(line) - len(text)
	return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(text, " \t"), "*/"), " \t"), at
}
