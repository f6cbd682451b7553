package source

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

// What unlinked does, in words that are easily checked and slow: a search for an end begins again at every bracket.
var slowly = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`(?m)^ {0,3}\[[^\]\n]+\]:.*$`), ""},
	{regexp.MustCompile(`!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])?`), ""},
	{regexp.MustCompile(`\[\s*\](\([^)]*\)|\[[^\]]*\])`), ""},
	{regexp.MustCompile(`\[([^\]\[]+)\](\([^)]*\)|\[[^\]]*\])?`), "$1"},
}

func TestUnlinkedDoesWhatItIsDescribedAs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			"[", "]", "(", ")", "!", ":", "a", " ", "\n", "[a](b)", "![a](b)", "[a]: b\n", "    ", "[]", "[![", "é", "\t", "\f",
		})).Draw(t, "pieces"), "")
		want := text
		for _, r := range slowly {
			want = r.what.ReplaceAllString(want, r.with)
		}
		if got := unlinked(text); got != want {
			t.Fatalf("%q becomes %q, want %q", text, got, want)
		}
	})
}
