package render

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/render/node"
)

const nextID = "9999999999999999999999999999999999999999"

var twoFiles = map[string]string{
	"m/a.go": "// Package m does it.\npackage m\n\n// A is one.\nfunc A() int { return 1 }\n\n// B is two.\nfunc B() int { return 2 }\n",
	"m/b.go": "package m\n\n// C is three.\nfunc C() int { return 3 }\n",
}

// evolve concludes twoFiles at one commit, edits them, and concludes again at the next one.
func evolve(t *testing.T, edit func(r *repo, files map[string]string)) (before, after *node.Node, pages [2]string) {
	t.Helper()
	files := map[string]string{}
	maps.Copy(files, twoFiles)
	r := newRepo(t, files)
	before = r.nodes()["m"]
	pages[0] = pageOf(r.config, before, r.graph(), nil)
	r.head.ID, r.head.When = nextID, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	edit(r, files)
	r.read(files)
	after = r.nodes()["m"]
	pages[1] = pageOf(r.config, after, r.graph(), nil)
	return before, after, pages
}

func symbol(t *testing.T, n *node.Node, name string) node.Symbol {
	t.Helper()
	for _, s := range n.PublicAPI {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no symbol %s", name)
	return node.Symbol{}
}

func replaceIn(file, old, with string) func(*repo, map[string]string) {
	return func(_ *repo, files map[string]string) { files[file] = strings.Replace(files[file], old, with, 1) }
}

func TestProvenance(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit     func(*repo, map[string]string)
		a        string // commit and lines at which A is linked
		samePage bool
	}{
		"nothing":               {func(*repo, map[string]string) {}, headID + " 5-5", true},
		"lines moved":           {replaceIn("m/a.go", "package m\n", "package m\n\n// ordinary\n\n"), headID + " 5-5", true},
		"formatting":            {replaceIn("m/a.go", "{ return 1 }", "{\n\treturn 1\n}"), headID + " 5-5", true},
		"documentation of A":    {replaceIn("m/a.go", "A is one.", "A is 1."), nextID + " 5-5", false},
		"documentation of B":    {replaceIn("m/a.go", "B is two.", "B is 2."), headID + " 5-5", false},
		"body of A, not shown":  {replaceIn("m/a.go", "return 1", "return 10"), headID + " 5-5", true},
		"body of C, other file": {replaceIn("m/b.go", "return 3", "return 30"), headID + " 5-5", true},
		"A moves with an edit": {
			func(r *repo, files map[string]string) {
				replaceIn("m/a.go", "func A() int", "\nfunc A() int64")(r, files)
				replaceIn("m/a.go", "// A is one.\n\n", "\n\n// A is one.\n")(r, files)
			}, nextID + " 7-7", false},
		"the edit is not committed": {
			func(r *repo, files map[string]string) {
				replaceIn("m/a.go", "A is one.", "A is 1.")(r, files)
				r.dirty = map[string]bool{"m/a.go": true}
			}, " ", false},
		"another file is not committed": {
			func(r *repo, files map[string]string) {
				replaceIn("m/b.go", "C is three.", "C is 3.")(r, files)
				r.dirty = map[string]bool{"m/b.go": true}
			}, headID + " 5-5", false},
		"links to the head would break": {
			func(r *repo, files map[string]string) {
				replaceIn("m/a.go", "A is one.", "A is 1.")(r, files)
				r.local = true
			}, " ", false},
	} {
		_, after, pages := evolve(t, c.edit)
		a := symbol(t, after, "A")
		if a.At+" "+a.Lines != c.a {
			t.Errorf("%s: A at %q lines %q; want %q", name, a.At, a.Lines, c.a)
		}
		if (pages[0] == pages[1]) != c.samePage {
			t.Errorf("%s: the page is the same: %t", name, pages[0] == pages[1])
		}
	}
}

func TestFirstRunWithoutACommit(t *testing.T) {
	t.Parallel()
	r := newRepo(t, twoFiles)
	r.head.ID, r.local = "", true
	n := r.nodes()["m"]
	if at := symbol(t, n, "A").At; at != "" {
		t.Errorf("A is at %q", at)
	}
	faultless(t, map[string]string{r.config.Layout.Page("m"): pageOf(r.config, n, r.graph(), nil)}, twoFiles)
}

// TestTheLastTextThatCouldBeReadIsKept breaks a file and mends it again.
func TestTheLastTextThatCouldBeReadIsKept(t *testing.T) {
	t.Parallel()
	files := map[string]string{"m/a.go": twoFiles["m/a.go"], "m/b.go": twoFiles["m/b.go"]}
	r := newRepo(t, files)
	good := r.nodes()["m"]
	page := pageOf(r.config, good, r.graph(), nil)

	r.head.ID = nextID
	files["m/a.go"] = strings.Replace(files["m/a.go"], "func A() int {", "func A( int {", 1)
	r.read(files)
	for range 2 { // a second run on the broken file keeps the state of the first
		n := r.nodes()["m"]
		if !strings.HasPrefix(n.Stale, "m/a.go could not be read: ") || n.Fresh() {
			t.Errorf("stale: %q", n.Stale)
		}
		if a := symbol(t, n, "A"); a.Signature != "func A() int" || a.Doc != "A is one." || a.At != headID {
			t.Errorf("A is %+v", a)
		}
		if confidence(n) >= confidence(good) {
			t.Errorf("confidence %v", confidence(n))
		}
		text := pageOf(r.config, n, r.graph(), nil)
		if !strings.Contains(text, "> ⚠ **Stale** · m/a.go could not be read: ") || !strings.Contains(text, "### `m.A`") {
			t.Errorf("the page does not say so:\n%s", text)
		}
		faultless(t, map[string]string{r.config.Layout.Page("m"): text}, files)
	}

	files["m/a.go"] = twoFiles["m/a.go"]
	r.read(files)
	if text := pageOf(r.config, r.nodes()["m"], r.graph(), nil); text != page {
		t.Errorf("the mended page differs:\n%s\nwas\n%s", text, page)
	}
}

// TestABrokenFirstRunIsPartial has nothing earlier to keep.
func TestABrokenFirstRunIsPartial(t *testing.T) {
	t.Parallel()
	files := map[string]string{"m/a.go": strings.Replace(twoFiles["m/a.go"], "func A() int {", "func A( int {", 1), "m/b.go": twoFiles["m/b.go"]}
	r := newRepo(t, files)
	n := r.nodes()["m"]
	text := pageOf(r.config, n, r.graph(), nil)
	if n.Stale != "" || !strings.Contains(text, "> ⚠ **Partial** · could not read all of m/a.go: ") {
		t.Errorf("stale %q, page\n%s", n.Stale, text)
	}
	if symbol(t, n, "C").Signature != "func C() int" {
		t.Error("the other file is not read")
	}
}
