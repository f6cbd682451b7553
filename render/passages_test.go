package render

import (
	"strings"
	"testing"
)

func TestBrief(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Many words stand here. ", 20)
	for text, want := range map[string]string{
		"The port of `serve`":       "The port of `serve`",
		"A ` alone":                 "A \\` alone",
		long:                        strings.Repeat("Many words stand here. ", 9) + "Many words stand here …",
		strings.Repeat("word ", 60): strings.TrimSpace(strings.Repeat("word ", 48)) + " …",
		"`" + long:                  "\\`" + strings.Repeat("Many words stand here. ", 9) + "Many words stand here …",
	} {
		if got := brief(text); got != want {
			t.Errorf("%q\ngot  %q\nwant %q", text, got, want)
		}
	}
}
