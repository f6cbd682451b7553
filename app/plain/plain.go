// Package plain keeps what strangers wrote text. Names of files, branches and people, comments in code and errors that
// quote them are written into lines that a terminal, a log, a commit, a page or a runner reads, each of which obeys some of
// what it reads. There is one way into each of them, and all begin with Line or Text.
//
// Into Markdown, which has its own rules, knowledge/markdown is the way.
package plain

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/markdown"
)

// Longest is how many bytes of one text a line of a terminal or of a page shows. It is twice the longest path that git makes
// people write, and less than a terminal needs to scroll the rest away.
const Longest = 2000

// Line is a text on one line of at most so many bytes. What would end the line is a space, what nobody sees is "?", and
// bytes that are no text are shown as \xff. A text that is cut ends with "…".
func Line(text string, most int) string { return Cut(show(Cut(text, most), false), most) }

// Text is a text that may have many lines, and no more than so many bytes.
func Text(text string, most int) string { return Cut(show(Cut(text, most), true), most) }

const cut = "…"

// Cut shortens a text to so many bytes, between two characters, and says so.
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

// show writes characters out that are obeyed and not seen.
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

// isPlain tells the texts, nearly all, in which there is nothing to show.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

// ends reports whether some reader ends a line at a character.
func ends(r rune) bool {
	return r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// acts reports a character that is obeyed and not seen. Scripts and pictures need what joins, letters of ASCII do not.
func acts(r, previous rune) bool {
	return markdown.Hidden(r) || markdown.Joiner(r) && previous < utf8.RuneSelf
}
