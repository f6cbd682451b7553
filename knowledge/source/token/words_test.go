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
	rapid.Check(t, func(t *rapid.T) {
		var w token.Words
		few := rapid.SliceOfN(rapid.StringN(0, 2, -1), 0, 40)
		checkWords(t, &w, few.Draw(t, "words"))
		if rapid.Bool().Draw(t, "many") {
			many := make([]string, rapid.IntRange(200, 3000).Draw(t, "count"))
			for i := range many {
				many[i] = fmt.Sprint("w", i*7919%len(many))
			}
			checkWords(t, &w, many)
		}
		other := w.Clone()
		checkWords(t, &other, few.Draw(t, "behind the copy"))
		if n := int32(w.Len()); n > 0 && other.Text(n-1) != w.Text(n-1) {
			t.Fatalf("word %d is %q in the copy and not %q", n-1, other.Text(n-1), w.Text(n-1))
		}
	})
}

// TestPaths: equal names have one number, from which the text follows.
func TestPaths(t *testing.T) {
	t.Parallel()
	var w token.Words
	rapid.Check(t, func(t *rapid.T) {
		var p token.Paths
		numbers := map[string]int32{}
		for _, name := range rapid.SliceOf(rapid.StringMatching(`[ab](\.[abc]){0,3}`)).Draw(t, "names") {
			var n int32
			for word := range strings.SplitSeq(name, ".") {
				parent := n
				n = p.Join(parent, w.Number(word))
				if found, ok := p.Find(parent, w.Number(word)); !ok || found != n {
					t.Fatalf("%q is %d, but %d was found", name, n, found)
				}
				if back, last := p.Split(n); back != parent || w.Text(last) != word {
					t.Fatalf("%q is %q below %d", name, w.Text(last), back)
				}
			}
			if got := string(p.Spell(nil, n, &w)); n == 0 || got != name || numbers[name] != 0 && numbers[name] != n {
				t.Fatalf("%q is %d, which is %q", name, n, got)
			}
			numbers[name] = n
		}
	})
}

func FuzzWords(f *testing.F) {
	f.Add("a b a c")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		var w token.Words
		checkWords(t, &w, strings.Split(text, " "))
		checkWords(t, &w, strings.Fields(text))
	})
}
