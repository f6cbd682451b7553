package token_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/source/token"
)

// checkWords numbers words in every way and compares w with a list of them.
func checkWords(t interface{ Fatalf(string, ...any) }, w *token.Words, words []string) {
	known := map[string]int32{}
	for n := range int32(w.Len()) {
		known[w.Text(n)] = n
	}
	for i, s := range words {
		want, ok := known[s]
		if !ok {
			want = -1
		}
		if w.Find(s) != want || w.FindOf([]byte(s)) != want {
			t.Fatalf("%q is found as %d and %d, want %d", s, w.Find(s), w.FindOf([]byte(s)), want)
		}
		if !ok {
			want = int32(len(known))
			known[s] = want
		}
		number := func() int32 { return w.Number(s) }
		if i%2 > 0 {
			number = func() int32 { return w.NumberOf([]byte(s)) }
		}
		if n := number(); n != want || w.Text(n) != s || w.Len() != len(known) {
			t.Fatalf("%q is number %d of %d, want %d of %d", s, n, w.Len(), want, len(known))
		}
	}
	for s, n := range known {
		if w.Number(s) != n || w.Text(n) != s {
			t.Fatalf("%q is no longer number %d", s, n)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	var w token.Words // used again, as scanners do
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.SliceOfN(rapid.StringN(0, 2, -1), 0, 40)
		w.Reset()
		if w.Len() != 0 || w.Find("") >= 0 {
			t.Fatalf("%d words are left", w.Len())
		}
		checkWords(t, &w, few.Draw(t, "words"))
		if rapid.Bool().Draw(t, "many") {
			many := make([]string, rapid.IntRange(200, 3000).Draw(t, "count"))
			for i := range many {
				many[i] = fmt.Sprint("w", i*7919%len(many))
			}
			checkWords(t, &w, many)
		}
		var other token.Words
		checkWords(t, &other, few.Draw(t, "of the other"))
		other.CopyOf(&w)
		checkWords(t, &other, few.Draw(t, "behind the copy"))
		if n := int32(w.Len()); n > 0 && other.Text(n-1) != w.Text(n-1) {
			t.Fatalf("word %d is %q in the copy and not %q", n-1, other.Text(n-1), w.Text(n-1))
		}
	})
}

// TestHeadComparesAsTheTextDoes: different heads have the order of the texts, and equal words have equal heads.
func TestHeadComparesAsTheTextDoes(t *testing.T) {
	t.Parallel()
	var w token.Words
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`a{0,7}.?b{0,3}`)
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		x, y := w.Head(w.Number(a)), w.Head(w.Number(b))
		if a == b && x != y || x != y && x < y != (strings.Compare(a, b) < 0) {
			t.Fatalf("%q has the head %x, %q has %x", a, x, b, y)
		}
	})
}

func FuzzWords(f *testing.F) {
	f.Add("a b a c")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		var w token.Words
		checkWords(t, &w, strings.Split(text, " "))
		w.Reset()
		checkWords(t, &w, strings.Fields(text))
	})
}
