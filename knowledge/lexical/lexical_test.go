package lexical

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Caching the cached caches, in a cache!", []string{"cach", "cach", "cach", "cach"}},
		{"HTTP/2 über 10 Ziele", []string{"http", "2", "über", "10", "ziel"}},
		{"the of and a", nil},
		{"", nil},
		{"缓存失效", []string{"缓存", "存失", "失效"}},
		{strings.Repeat("x", 100), []string{strings.Repeat("x", longestWord)}},
	} {
		if got := Terms(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestIndex(t *testing.T) {
	t.Parallel()
	x := New()
	x.Add("a", "Cache rendered invoices in memory for ten minutes")
	x.Add("b", "Send reminder letters to customers")
	x.Add("c", "Send invoices as letters, invoices as mail, invoices as faxes, and whatever customers may want besides all that")
	all := func(string) bool { return true }
	keys := func(list []Match) string {
		var out []string
		for _, m := range list {
			out = append(out, m.Key)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct{ question, covered, found string }{
		{"rendered invoices in memory", "a c", "a c"},
		{"customers", "b c", "b c"}, // the shorter text says more by it
		{"invoices", "a c", "c a"},  // and so does the one that says it often
		{"quarantine", "", ""},
		{"the", "", ""},
	} {
		if got := keys(x.Cover(c.question, all)); got != c.covered {
			t.Errorf("%q is covered by %q, want %q", c.question, got, c.covered)
		}
		if got := keys(x.Search(c.question, 10)); got != c.found {
			t.Errorf("%q finds %q, want %q", c.question, got, c.found)
		}
	}
	if list := x.Cover("invoices rendered", all); list[0].Score < 0.999 || list[1].Score > 0.5 {
		t.Errorf("%v", list)
	}
	if got := keys(x.Cover("invoices", func(key string) bool { return key != "a" })); got != "c" {
		t.Errorf("without a: %q", got)
	}
}

// FuzzTerms: whatever a text is, its terms are bounded, and the same for the same text.
func FuzzTerms(f *testing.F) {
	f.Add("Caching the cached caches")
	f.Add("缓存失效 ümlaut \xff")
	f.Fuzz(func(t *testing.T, text string) {
		terms := Terms(text)
		if len(terms) > utf8.RuneCountInString(text) || !slices.Equal(terms, Terms(text)) {
			t.Fatalf("%q: %q", text, terms)
		}
		for _, term := range terms {
			if len(term) > 2*longestWord || term == "" {
				t.Fatalf("%q has the term %q", text, term)
			}
		}
	})
}
