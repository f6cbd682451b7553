package minutes

import "strings"

// between lists words that may stand between a marker and a reference.
var between = map[string]bool{"to": true, "of": true, "on": true, "for": true, "and": true, "re": true, "with": true}

var quotes = map[string]string{`"`: `"`, "“": "”", "„": "“", "«": "»"}

const longestHead = 1 << 10

// parse reads a statement: a marker, optionally a name in parentheses and references, a colon and the text. The
// marker may be bold.
func parse(line string) (s statement, ok bool) {
	bold := line[:len(line)-len(strings.TrimLeft(line, "*_"))]
	rest := line[len(bold):]
	word := letters(rest)
	if s.kind, ok = markers[strings.ToLower(word)]; !ok || len(bold) > len("***") {
		return s, false
	}
	for rest = rest[len(word):]; ; {
		rest = strings.TrimLeft(rest, " \t,")
		switch {
		case len(line)-len(rest) > longestHead, rest == "":
			return s, false
		case bold != "" && strings.HasPrefix(rest, bold):
			rest, bold = rest[len(bold):], ""
		case rest[0] == ':':
			s.text = words(rest[1:], bold)
			return s.quoted(), true
		default:
			if rest, ok = s.about(rest); !ok {
				return s, false
			}
		}
	}
}

func (s *statement) about(rest string) (string, bool) {
	if name, after, ok := bracketed(rest, "(", ")"); ok && s.actor == "" {
		s.actor = name
		return after, name != ""
	}
	if id, after, ok := bracketed(rest, "[", "]"); ok {
		return after, isID(id) && s.refer(id)
	}
	if quote, after, ok := quotation(rest); ok {
		return after, s.refer(`"` + quote + `"`)
	}
	word := letters(rest)
	return rest[len(word):], between[strings.ToLower(word)]
}

func (s *statement) refer(ref string) bool {
	s.refs = append(s.refs, ref)
	return len(s.refs) <= mostNamed
}

// quoted moves a quotation at the beginning of an act's text to its references.
func (s statement) quoted() statement {
	if quote, after, ok := quotation(s.text); ok && s.acts() && len(s.refs) == 0 {
		s.refs = []string{`"` + quote + `"`}
		s.text = strings.TrimLeft(after, " ,;:–—-")
	}
	return s
}

// words trims a text and the end of its bold markup.
func words(text, bold string) string {
	text = strings.TrimSpace(text)
	if bold == "" {
		return text
	}
	if after, ok := strings.CutPrefix(text, bold); ok {
		return strings.TrimSpace(after)
	}
	return strings.TrimSpace(strings.TrimSuffix(text, bold))
}

func letters(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))]
}

func bracketed(text, open, end string) (within, after string, ok bool) {
	if text, ok = strings.CutPrefix(text, open); !ok {
		return "", "", false
	}
	within, after, ok = strings.Cut(text, end)
	return strings.TrimSpace(within), after, ok
}

func quotation(text string) (quote, after string, ok bool) {
	for open, end := range quotes {
		if quote, after, ok = bracketed(text, open, end); ok && quote != "" {
			return quote, after, true
		}
	}
	return "", "", false
}

// leastDigits is the minimum length of an ID.
const leastDigits = 8

func isID(text string) bool {
	return len(text) >= leastDigits && strings.Trim(text, "0123456789abcdef") == ""
}
