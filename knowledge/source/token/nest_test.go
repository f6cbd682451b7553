package token_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/source/token"
)

// matched reads text by the rule of Close and lists what each closing bracket ends, by offset: the matching bracket
// and those open in it. Brackets that are open at the end follow a slash.
func matched(text string) string {
	var nest token.Nest[struct{}]
	var out []string
	places := func(list []token.Open[struct{}]) string {
		s := make([]string, len(list))
		for i, o := range list {
			s[i] = fmt.Sprint(o.At)
		}
		return strings.Join(s, "+")
	}
	for i := range len(text) {
		switch c := text[i]; c {
		case '(', '[', '{':
			nest.Push(i, c)
		case ')', ']', '}':
			out = append(out, fmt.Sprintf("%d:%s", i, places(nest.Close(c))))
		}
	}
	if nest.Len() > 0 {
		out = append(out, "|"+places(nest.All()))
	}
	return strings.Join(out, " ")
}

func TestClose(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":              "",
		"()[]{}":        "1:0 3:2 5:4",
		"([{}])":        "3:2 4:1 5:0",
		"{(}":           "2:0+1",
		"{([}":          "3:0+1+2",
		"{(]}":          "2: 3:0+1", // the stray one closes nothing
		"(}":            "1: |0",
		"{)":            "1: |0",
		"}":             "0:",
		"{{(}{}}":       "3:1+2 5:4 6:0",
		"f(a[1) { }":    "5: 9:7 |1+3",
		"{ f(a { } g()": "8:6 12:11 |0+3",
	} {
		if got := matched(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// checkNest pairs the brackets of a text in both ways, and checks the properties of any pairing.
func checkNest(t interface{ Fatalf(string, ...any) }, text string) {
	var nest token.Nest[int]
	var stack []byte // a list that is searched
	ended := map[int32]bool{}
	for i := range len(text) {
		c := text[i]
		switch c {
		case '(', '[', '{':
			*nest.Push(i, c) = 2 * i
			stack = append(stack, c)
			continue
		case ')', ']', '}':
		default:
			continue
		}
		fits := len(stack) > 0 && token.Closer(stack[len(stack)-1]) == c
		if nest.Fits(c) != fits {
			t.Fatalf("%q: whether %c at %d fits is told wrong", text, c, i)
		}
		depth := len(stack)
		switch last := strings.LastIndexByte(string(stack), '{'); {
		case fits:
			depth--
		case c == '}' && last >= 0:
			depth = last
		}
		closed := nest.Close(c)
		if len(closed) != len(stack)-depth || nest.Len() != depth {
			t.Fatalf("%q: %c at %d closes %v", text, c, i, closed)
		}
		for k, o := range closed {
			if o.Bracket != stack[depth+k] || text[o.At] != o.Bracket || o.Note != 2*int(o.At) || ended[o.At] || k > 0 && o.At <= closed[k-1].At {
				t.Fatalf("%q: %c at %d closes %v", text, c, i, closed)
			}
			ended[o.At] = true
		}
		stack = stack[:depth]
	}
	for i, o := range nest.All() {
		if o.Bracket != stack[i] {
			t.Fatalf("%q: %v is open at the end", text, nest.All())
		}
	}
	if len(stack) > 0 && *nest.Top() != nest.All()[len(stack)-1] {
		t.Fatalf("%q: %v is not the innermost of %v", text, *nest.Top(), nest.All())
	}
}

func TestNestIsAStack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		checkNest(t, rapid.StringOfN(rapid.RuneFrom([]rune("((((([[{{{)))])}}} ")), 0, 80, -1).Draw(t, "text"))
	})
}

// TestCutCounts: after any removal, Close knows whether a block is open.
func TestCutCounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var nest token.Nest[struct{}]
		var stack []byte
		rest := func(depth int) {
			for _, o := range nest.Cut(depth) {
				if o.Bracket != stack[depth] {
					t.Fatalf("%c was cut where %q is open", o.Bracket, stack[depth:])
				}
				stack = slices.Delete(stack, depth, depth+1)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				c := rapid.SampledFrom([]byte("([{")).Draw(t, "bracket")
				nest.Push(len(stack), c)
				stack = append(stack, c)
			},
			"pop": func(t *rapid.T) {
				if len(stack) == 0 {
					t.Skip("nothing is open")
				}
				if o := nest.Pop(); o.Bracket != stack[len(stack)-1] || int(o.At) != len(stack)-1 {
					t.Fatalf("popped %c from %q", o.Bracket, stack)
				}
				stack = stack[:len(stack)-1]
			},
			"cut": func(t *rapid.T) { rest(rapid.IntRange(0, len(stack)).Draw(t, "depth")) },
			"close": func(t *rapid.T) {
				depth := slices.Index(stack, '{')
				for ; depth >= 0 && slices.Contains(stack[depth+1:], '{'); depth++ {
				}
				closed := nest.Close('}')
				if len(closed) == 0 != !slices.Contains(stack, '{') {
					t.Fatalf("} closes %v of %q", closed, stack)
				}
				stack = stack[:len(stack)-len(closed)]
			},
			"": func(t *rapid.T) {
				if nest.Len() != len(stack) {
					t.Fatalf("%d are open, and not %d", nest.Len(), len(stack))
				}
			},
		})
	})
}

func FuzzNest(f *testing.F) {
	for _, seed := range []string{"", "f(a[1]) { g() }", "{([}", "((((}}}}", "{{{{)))}", "}{"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkNest(t, text) })
}

// TestCloseTakesNoLongerThanItEnds: closing braces without an open block do not search all open brackets each time.
func TestCloseTakesNoLongerThanItEnds(t *testing.T) {
	t.Parallel()
	const many = 200_000 // a search each time would take minutes
	var nest token.Nest[struct{}]
	for i := range many {
		nest.Push(i, '(')
	}
	for range many {
		if closed := nest.Close('}'); len(closed) > 0 {
			t.Fatalf("%v were closed", closed)
		}
	}
	if nest.Len() != many {
		t.Errorf("%d are open", nest.Len())
	}
}
