package render

import (
	"strings"
	"testing"
)

// TestPassagesOfTheSystem: documents use PATH as a placeholder, which describes no variable.
func TestPassagesOfTheSystem(t *testing.T) {
	t.Parallel()
	names := map[string]bool{"PATH": true, "SHOP_PORT": true}
	for name, want := range map[string]bool{"PATH": false, "SHOP_PORT": true} {
		if withoutSystem(names); names[name] != want {
			t.Errorf("%s is looked up: %t", name, !want)
		}
	}
}

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
