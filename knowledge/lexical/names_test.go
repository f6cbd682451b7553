package lexical_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/lexical"
)

func TestSplitNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ParseDraft": "Parse Draft", "money.ParseAmount(s)": "money.Parse Amount(s)", "HTTPServer": "HTTPServer", "a B": "a B", "éÉ": "é É", "": "",
	} {
		if got := lexical.SplitNames(text); got != want {
			t.Errorf("SplitNames(%q) = %q, want %q", text, got, want)
		}
	}
}
