package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// forged matches the start of this program's markers anywhere, including code.
var forged = lazyregexp.New(`(?i)<!--(\s*/?\s*causal)`)

// clean makes text valid UTF-8 with "\n" line ends and removes invisible characters that affect programs: controls,
// bidirectional overrides, zero-width and tag characters. Tabs stay.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	return scrub(s)
}

func scrub(s string) string {
	s = lineEnds.Replace(strings.ToValidUTF8(s, "\uFFFD"))
	var b strings.Builder
	b.Grow(len(s))
	previous := ' '
	for _, r := range s {
		if Hidden(r) || Joiner(r) && previous < 0x80 {
			continue
		}
		b.WriteRune(r)
		previous = r
	}
	return b.String()
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n", "\v", " ", "\f", " ")

// isClean reports whether clean has nothing to do, the usual case.
func isClean(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if size == 1 || r == '\u2028' || r == '\u2029' || Joiner(r) || Hidden(r) {
			return false
		}
		i += size
	}
	return true
}

// Joiner reports a zero-width joiner or non-joiner: needed inside emoji and some scripts, never in ASCII text.
func Joiner(r rune) bool { return r == 0x200C || r == 0x200D }

// Hidden reports an invisible character that affects programs and that no word needs.
func Hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || Joiner(r):
		return false
	case r >= 0xE0100 && r <= 0xE01EF, r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r == 0x034F:
		return true
	case r&0xFFFE == 0xFFFE, r >= 0xFDD0 && r <= 0xFDEF:
		return true
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r)
}

// disarm breaks this program's markers in verbatim text, such as code.
func disarm(s string) string {
	if !strings.Contains(s, "<!--") {
		return s
	}
	return forged.ReplaceAllString(s, "<! --$1")
}

func squeeze(s string) string {
	if isSqueezed(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	start, space := 0, false
	for i, r := range s {
		switch {
		case unicode.IsSpace(r):
			if !space {
				b.WriteString(s[start:i])
				b.WriteByte(' ')
			}
			space = true
		case space:
			start, space = i, false
		}
	}
	if !space {
		b.WriteString(s[start:])
	}
	return b.String()
}

func isSqueezed(s string) bool {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == ' ' && i+1 < len(s) && s[i+1] == ' ', c >= '\t' && c <= '\r':
			return false
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if unicode.IsSpace(r) {
				return false
			}
			i += size
		}
	}
	return true
}

// splitLines splits text into lines, expands leading tabs and removes trailing white space.
func splitLines(s string) []string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		body := strings.TrimLeft(line, " \t")
		if lead := line[:len(line)-len(body)]; strings.Contains(lead, "\t") {
			line = strings.ReplaceAll(lead, "\t", "    ") + body
		}
		lines[i] = line
	}
	return lines
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func dedent(line string, n int) string { return line[min(n, indentOf(line)):] }

// dedentAll removes the common indentation, and blank lines at both ends.
func dedentAll(lines []string) []string {
	least := -1
	for _, line := range lines {
		if in := indentOf(line); line != "" && (least < 0 || in < least) {
			least = in
		}
	}
	out := make([]string, 0, len(lines))
	for _, line := range lines {
		out = append(out, dedent(line, max(least, 0)))
	}
	return trimBlank(out)
}

func trimBlank(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
