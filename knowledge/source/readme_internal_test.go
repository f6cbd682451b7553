package source

import (
	"strings"
	"testing"
)

// TestCodeBlocks: each byte is searched once for the end of its line, however many tags the line has.
func TestCodeBlocks(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("<b>", 10) + "\n```\n<b>\n```\n<b>\n~~~\n<b>"
	f := codeBlocks{text: text}
	var got strings.Builder
	for at := range text {
		if strings.HasPrefix(text[at:], "<b>") {
			if f.contain(at) {
				got.WriteByte('x')
			} else {
				got.WriteByte('.')
			}
			if f.seen != at {
				t.Errorf("the text is searched up to %d, want %d", f.seen, at)
			}
		}
	}
	if want := "..........x.x"; got.String() != want {
		t.Errorf("%s, want %s", got.String(), want)
	}
}
