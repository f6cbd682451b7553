package hostile

import (
	"fmt"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/markdown"
)

// Unseen returns the first invisible or invalid part of a text, or "".
func Unseen(text string) string {
	if !utf8.ValidString(text) {
		return "invalid UTF-8"
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
