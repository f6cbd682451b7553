package change

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

// draw is how the lines of two texts correspond: "= 3 4" for a line that is the same, "- 3" and "+ 4".
func draw(before, after []string) string {
	l := Compare(before, after)
	var out []string
	for i := range before {
		if now, ok := l.Now(i + 1); ok {
			out = append(out, fmt.Sprintf("%d=%d", i+1, now))
		}
	}
	return strings.Join(out, " ")
}

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, before, after, want string }{
		{"nothing", "", "", ""},
		{"the same", "a b c", "a b c", "1=1 2=2 3=3"},
		{"new", "", "a b", ""},
		{"a line in the middle", "a b c", "a x b c", "1=1 2=3 3=4"},
		{"an edit", "a b c", "a x c", "1=1 3=3"},
		{"a function moved up", "f } g } h }", "g } f } h }", "3=1 4=4 5=5 6=6"},
		{"one of two equal lines edited", "a x b x c", "a y b x c", "1=1 3=3 4=4 5=5"},
		{"repetitions only", "a a a b b b", "b b a a b b", "2=3 3=4 5=5 6=6"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := draw(strings.Fields(test.before), strings.Fields(test.after)); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestCompareIsAMatching: equal lines only, in one order, and both directions say the same.
func TestCompareIsAMatching(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.SampledFrom(strings.Fields("a b c d e f g h i j }")))
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		l, last := Compare(before, after), 0
		for i := range before {
			now, ok := l.Now(i + 1)
			if !ok {
				continue
			}
			if was, ok := l.Was(now); !ok || was != i+1 || before[i] != after[now-1] || now <= last || l.Added(now, now) {
				t.Fatalf("line %d is %d now, which was %d", i+1, now, was)
			}
			last = now
		}
	})
}

// TestCompareOfLargeFiles holds what has no line in common, or many, to little time: the table of all pairs would have 10^10 cells.
func TestCompareOfLargeFiles(t *testing.T) {
	t.Parallel()
	before, after := make([]string, 100_000), make([]string, 100_000)
	for i := range before {
		before[i], after[i] = fmt.Sprint("a", i%7), fmt.Sprint("b", i%5)
	}
	before[5], after[9] = "once", "once"
	if now, ok := Compare(before, after).Now(6); !ok || now != 10 {
		t.Errorf("the one line in common is at %d", now)
	}
}

func TestEdits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ before, after, want, was, now string }{
		{"a b c", "a b c", "[]", "[0 0 0]", "[0 0 0]"},
		{"", "a", "[{1 1 1 2}]", "[]", "[1]"},
		{"a", "", "[{1 2 1 1}]", "[1]", "[]"},
		{"a b c d", "a x y c", "[{2 3 2 4} {4 5 5 5}]", "[0 1 0 2]", "[0 1 1 0]"},
	} {
		before, after := strings.Fields(test.before), strings.Fields(test.after)
		edits := Compare(before, after).Edits()
		was, now := make([]int, len(before)), make([]int, len(after))
		for i := range was {
			was[i] = edits.Was(i + 1)
		}
		for i := range now {
			now[i] = edits.Now(i + 1)
		}
		if got := fmt.Sprint([]Edit(edits)); got != test.want || fmt.Sprint(was) != test.was || fmt.Sprint(now) != test.now {
			t.Errorf("%q to %q: %s, lines %v and %v", test.before, test.after, got, was, now)
		}
	}
	if edits := Compare(strings.Fields("a b c d e"), strings.Fields("a c x e")).Edits(); !edits.Deleted(2, 2) || edits.Deleted(2, 3) || edits.Deleted(4, 4) || edits.Deleted(1, 1) {
		t.Errorf("%v: it is not told what was deleted", edits)
	}
}
