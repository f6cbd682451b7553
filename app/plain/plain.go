// Package plain makes untrusted text harmless: names of files, branches and users, code comments, and errors that quote
// them, in the output to a terminal, a log, a commit, a page or a runner, each of which interprets some characters.
// There is one function for each; all are based on Line or Text.
//
// For Markdown, see knowledge/markdown.
package plain

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/markdown"
)

// Longest bounds the bytes of one text on a line of a terminal or page: twice the longest practical path in git, and
// short enough not to scroll the rest away.
const Longest = 2000

// Line returns a text as one line of at most so many bytes. Line ends become spaces, invisible characters "?", and
// invalid UTF-8 \xff. A truncated text ends with "…".
func Line(text string, most int) string { return Cut(show(Cut(text, most), false), most) }

// Text returns a text of several lines, cut to so many bytes.
func Text(text string, most int) string { return Cut(show(Cut(text, most), true), most) }

const cut = "…"

// Cut truncates a text to so many bytes between two characters, and adds "…".
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := max(most-len(cut), 0)
	for end > 0 && end > most-len(cut)-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + cut
}

// show makes control and invisible characters visible.
func show(text string, lines bool) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	previous := ' '
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[at])
		case lines && (r == '\n' || r == '\t'):
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(text[at:], "\r\n"):
		case lines && ends(r):
			b.WriteByte('\n')
		case ends(r), r == '\t':
			b.WriteByte(' ')
		case acts(r, previous):
			b.WriteByte('?')
		default:
			b.WriteString(text[at : at+size])
		}
		at, previous = at+size, r
	}
	return b.String()
}

// isPlain reports whether a text needs no change, as most do.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

// ends reports whether some reader treats a character as a line end.
func ends(r rune) bool {
	return r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// acts reports an invisible character with an effect. Joiners are needed in some scripts and emoji, but not after ASCII
// letters.
func acts(r, previous rune) bool {
	return markdown.Hidden(r) || markdown.Joiner(r) && previous < utf8.RuneSelf
}
