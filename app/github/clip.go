package github

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/app/plain"
)

// largestText is GitHub's limit for a text, applied to bytes to be safe.
const largestText = 65_535

// clip shortens a text to limit bytes, at a line end if possible, and notes how much is missing. It closes open code
// blocks and folds so the note renders as a note.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	const room = 200
	end := len(cut(text, max(limit-room, 0)))
	if line := strings.LastIndexByte(text[:end], '\n'); line > end/2 {
		end = line
	}
	kept, missing := text[:end], strings.Count(strings.TrimSpace(text[end:]), "\n")+1
	note := fmt.Sprintf("\n\n_… %d more %s: too long for GitHub._\n", missing, plural(missing, "line"))
	return kept + closing(kept, (room-len(note))/len(closeDetails)) + note
}

// largestSent bounds the bytes examined. It exceeds the limits of clip, which needs the excess to report how much is
// missing.
const largestSent = 1 << 20

// harmless replaces invisible characters, which could hide content from readers. Callers escape untrusted text.
func harmless(text string) string { return plain.Text(text, largestSent) }

func cutHidden(text string) (shown, hidden string) {
	last := strings.LastIndexByte(strings.TrimRight(text, "\n"), '\n')
	if last < 0 || !strings.HasPrefix(text[last+1:], "<!-- ") {
		return text, ""
	}
	return text[:last], text[last:]
}

// sayable returns a harmless text of at most limit bytes and keeps a hidden last line intact.
func sayable(text string, limit int) string {
	shown, hidden := cutHidden(text)
	return clip(harmless(shown), limit-len(hidden)) + hidden
}

func cut(text string, most int) string {
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

const closeDetails = "\n\n</details>"

// closing returns the markup that closes an open code block and open folds, at most most elements.
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
