package github

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/app/plain"
)

// largestText is what GitHub takes of a text, counted in bytes to be on the safe side.
const largestText = 65_535

// clip shortens a text to limit bytes, at the end of a line where it can, and says how much is missing. What the cut
// left open is closed, so that the note is read as a note.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	const room = 200 // for the note and what has to be closed
	end := len(cut(text, max(limit-room, 0)))
	if line := strings.LastIndexByte(text[:end], '\n'); line > end/2 {
		end = line
	}
	kept, missing := text[:end], strings.Count(strings.TrimSpace(text[end:]), "\n")+1
	note := fmt.Sprintf("\n\n_… %d more %s: too long for GitHub._\n", missing, plural(missing, "line"))
	return kept + closing(kept, (room-len(note))/len(closeDetails)) + note
}

// largestSent is how many bytes of a text are looked at: more than clip keeps, so that it can tell how much is missing.
const largestSent = 1 << 20

// harmless is a text in which nothing is obeyed that is not seen. Whoever writes Markdown has escaped what is a stranger's.
func harmless(text string) string { return plain.Text(text, largestSent) }

// cutHidden parts a last line off that is a comment of HTML.
func cutHidden(text string) (shown, hidden string) {
	last := strings.LastIndexByte(strings.TrimRight(text, "\n"), '\n')
	if last < 0 || !strings.HasPrefix(text[last+1:], "<!-- ") {
		return text, ""
	}
	return text[:last], text[last:]
}

// sayable is a text as it can be said within so many bytes: harmless, and cut, but for a last line that readers do not see.
func sayable(text string, limit int) string {
	shown, hidden := cutHidden(text)
	return clip(harmless(shown), limit-len(hidden)) + hidden
}

// cut is the beginning of a text, of at most so many bytes and whole characters.
func cut(text string, most int) string {
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

const closeDetails = "\n\n</details>"

// closing ends a code block and folded parts, at most so many.
func closing(text string, most int) string {
	out, fenced := "", false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
	}
	if fenced {
		out, most = "\n```", most-1
	}
	open := strings.Count(text, "<details") - strings.Count(text, "</details>")
	return out + strings.Repeat(closeDetails, min(max(open, 0), most))
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
