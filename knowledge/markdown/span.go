package markdown

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Folded makes finished Markdown fit inside an HTML element. Parsers that search for the end of the element, such as
// Python-Markdown, detect HTML even within code, where backslashes have no effect.
func Folded(text string) string {
	if !opensElement(text) {
		return text
	}
	return rewriteCode(text, opensElement)
}

func opensElement(s string) bool {
	return strings.Contains(s, "<") && (strings.Contains(s, "<?") || strings.Contains(s, "<!") || strings.Contains(s, "</"))
}

// rewriteCode writes the code spans that want selects as HTML, in which every character can be escaped.
func rewriteCode(text string, want func(code string) bool) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := runLength(text[i:], '`')
		switch {
		case n > 0:
			end := closingRun(text[i+n:], n)
			if end < 0 {
				b.WriteString(text[i : i+n])
				i += n
				continue
			}
			span, code := text[i:i+n+end+n], text[i+n:i+n+end]
			if want(code) {
				span = "<code>" + nameAll(strings.TrimSpace(code)) + "</code>"
			}
			b.WriteString(span)
			i += n + end + n
		case text[i] == '\\' && i+1 < len(text):
			b.WriteString(text[i : i+2])
			i += 2
		default:
			b.WriteByte(text[i])
			i++
		}
	}
	return b.String()
}

// closingRun returns the position of a run of exactly n backticks in the rest of a line, or -1.
func closingRun[S string | []byte](s S, n int) int {
	for i := 0; i < len(s) && s[i] != '\n'; {
		run := runLength(s[i:], '`')
		if run == n {
			return i
		}
		i += max(run, 1)
	}
	return -1
}

// nameAll writes every character with a possible Markdown meaning as its number.
func nameAll(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < 0x80 && !isWordByte(c) && strings.IndexByte(` (),;.=+->/?!"'`, c) < 0 || c == '_' {
			fmt.Fprintf(&b, "&#%d;", c)
			continue
		}
		b.WriteByte(s[i])
	}
	return ghNumber.ReplaceAllString(strings.ReplaceAll(b.String(), "www.", "www&#46;"), "$1&#45;$2")
}

var ghNumber = lazyregexp.New(`(?i)(gh)-([0-9])`)
