package markdown_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/markdown"
)

// TestEscapeUnderscores: Prettier 2 takes two underscores inside words for strong emphasis, and others leave one alone.
func TestEscapeUnderscores(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a_b":               "a_b",
		"00__in and 01__de": `00\_\_in and 01\_\_de`,
		"__init__":          `\_\_init\_\_`,
	} {
		if got := markdown.Escape(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestEscapeAddressesWithBraces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"as {protocol}://{host}:{port}, or": "as `{protocol}://{host}:{port}`, or",
		"{see http://a.example/b}":          "\\{see [http://a.example/b](http://a.example/b)}",
		"(as {a}://b)":                      "(as `{a}://b`)",
		"[a](http://b)":                     "`[a](http://b)`",
	} {
		if got := markdown.Escape(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestFirstSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                     "",
		"The port.":                            "The port",
		"The address, e.g. tcp://a:53. Or not": "The address, e.g. tcp://a:53",
		"e.g. \"a\"":                           "e.g. \"a\"",
		"Who asks,\ni.e. the user. More.\n\nAnd more.": "Who asks, i.e. the user",
	} {
		if got := markdown.FirstSentence(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
