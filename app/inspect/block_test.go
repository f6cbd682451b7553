package inspect_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/knowledge/fact"
)

// TestBlocks: a pinned read holds where its lines are now, the nearest place first. Edited facts do no harm.
func TestBlocks(t *testing.T) {
	t.Parallel()
	line := func(n int) string { return "line " + strconv.Itoa(n) }
	var text []string
	for n := range 20 {
		text = append(text, line(n+1))
	}
	before := strings.Join(text, "\n") + "\n"
	read := inspect.Call{Tool: inspect.Read, About: "a.txt", From: 5, To: 7}
	f := over(map[string]string{"a.txt": before})
	pinned := read.Pinned(run(t, f, read))
	if pinned.Block == "" || pinned.From != 5 || pinned.To != 7 {
		t.Fatalf("%+v", pinned)
	}
	for _, other := range []inspect.Call{{Tool: inspect.Read, About: "a.txt", From: 1, To: 20}, {Tool: inspect.Read, About: "a.txt", From: 15, To: 99}, {Tool: inspect.Grep, About: "line", Glob: "**"}, {Tool: inspect.Read, About: "none.txt", From: 1, To: 2}} {
		if got := other.Pinned(run(t, f, other)); got != other {
			t.Errorf("%+v is pinned: %+v", other, got)
		}
	}
	at, ok := inspect.Locate(pinned.Fact())
	if !ok || inspect.Check(at) == nil || inspect.Check(pinned.Fact()) != nil {
		t.Fatalf("%v, %t", at, ok)
	}
	block := strings.Join(text[4:7], "\n")
	for name, c := range map[string]struct {
		text string
		from string // empty if the block is gone
	}{
		"as it was":          {before, "5"},
		"lines above":        {"x\ny\n" + before, "7"},
		"lines above gone":   {strings.Join(text[3:], "\n"), "2"},
		"the file is short":  {block, "1"},
		"the nearest of two": {block + "\n" + before + block + "\n", "8"},
		"within":             {strings.Replace(before, "line 6", "line 6\nx", 1), ""},
		"gone":               {"x\n", ""},
		"empty":              {"", ""},
	} {
		now := over(map[string]string{"a.txt": c.text})
		located, err := now.Digest(t.Context(), at)
		if err != nil || located != c.from {
			t.Errorf("%s: at %q, want %q: %v", name, located, c.from, err)
		}
		if digest, err := now.Digest(t.Context(), pinned.Fact()); err != nil || (digest == pinned.Block) != (c.from != "") {
			t.Errorf("%s: the digest is %q: %v", name, digest, err)
		}
	}
	for _, wrong := range [][2]int{{7, 5}, {0, 3}, {-9, -3}, {5, 9999}, {9000, 9002}, {-1 << 62, 1 << 62}} {
		c := inspect.Call{Tool: inspect.Read, About: "a.txt", From: wrong[0], To: wrong[1], Block: fact.Digest("x")}
		if got, err := f.Digest(t.Context(), c.Fact()); err != nil || got == c.Block {
			t.Errorf("%v: %q, %v", wrong, got, err)
		}
	}
}
