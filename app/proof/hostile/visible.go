package hostile

import (
	"fmt"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/markdown"
)

// Unseen says what of a text is obeyed and not seen, or is no text at all; nothing where all of it is seen.
func Unseen(text string) string {
	if !utf8.ValidString(text) {
		return "bytes that are no text"
	}
	previous := ' '
	for _, r := range text {
		if markdown.Hidden(r) && r != '\n' || r == '\u2028' || r == '\u2029' || markdown.Joiner(r) && previous < utf8.RuneSelf {
			return fmt.Sprintf("%U", r)
		}
		previous = r
	}
	return ""
}
