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
