package stale

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// region is where the documentation of a declaration stands: the lines from first to last, from 1. It is empty when last is 0.
type region struct{ first, last int }

// docRegion finds the documentation of a declaration. Of Python it is the string that the declaration begins with, of all others the
// comment before it, and before what else is said of it, as decorators.
func docRegion(language string, s *source.Symbol, lines []string) region {
	if s.Doc == "" {
		return region{}
	}
	if language == "python" {
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
			break // what is before it is another comment
		}
	}
	if first == end {
		return region{}
	}
	return region{first + 1, end}
}

// isAttribute reports whether a line says something of the declaration below it that is no comment.
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

// docstring finds the string that a declaration of Python begins with: the first line of the declaration that begins with three
// quotes opens it.
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

// marks are what the lines of a comment begin with, the longest first.
var marks = []string{"/**", "/*!", "///", "//!", "/*", "//", "*", `r"""`, `"""`, "'''"}

// plain is the text of a line of a comment, and where it begins in the line.
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
