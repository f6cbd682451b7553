package markdown_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/markdown"
)

func TestSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Turns `Parse` into *text*.": "Turns `Parse` into \\*text\\*.", "plain": "plain", "`a` and `b`": "`a` and `b`", "": "",
	} {
		if got := markdown.Sentence(text); got != want {
			t.Errorf("Sentence(%q) = %q, want %q", text, got, want)
		}
	}
}
