package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/proof/trial"
)

func TestMissing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		language, doc, page string
		want                []string
	}{
		{"go", "Adds one and one.", "Adds one and.", []string{"one"}},
		{"java", "<p class=\"x\">Adds {@code a} and {@link B the b}.\n@internal only\n@param c d", "Adds `a` and the b.\n\n| `c` | d |", nil},
		{"python", "Adds :class:`~a.B`.\n\n.. note:: More\n\n:param c: d", "Adds `B`.\n\n**Note:** More\n\n`c`: d", nil},
		{"rust", "Adds [`A`][x].\n\n```no_run\n# hidden\nb();\n```\n\n[x]: y", "Adds `A`.\n\n```rust\nb();\n```", nil},
		{"c", "\\brief Adds.\n\\code{.c}\na;\n\\endcode", "Adds.\n\n```c\na;\n```", nil},
		{"typescript", "[Adds](https://x.io/y) it", "[Adds](https://x.io/y)", []string{"it"}},
		{"java", "<b>A</b>dds &lt;", "Adds &lt;", nil},
	}
	for _, test := range tests {
		if got := missing(wordsOf(written(test.doc, test.language)), wordsOf(readPage(test.page).text)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q lacks %q, want %q", test.language, test.page, got, test.want)
		}
	}
}

func TestLeaks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		language, page string
		leaks          int
		open           bool
	}{
		{"java", "A &lt;p> b", 1, false},
		{"java", "A `<p>` b\n\n```\n<p> @param\n```", 0, false},
		{"typescript", "See {@link b}", 1, false},
		{"typescript", "@param a b", 1, false},
		{"python", ":class:`A` and\n\n.. note:: b\n\nc::", 3, false},
		{"c", "See \\ref b", 1, false},
		{"rust", "See \\[`B`\\]", 1, false},
		{"rust", "````\na\n```\nprose\n````", 1, false},
		{"go", "a\n\n```\nb", 0, true},
		{"go", "a **b** c \\*\\*d\\*\\*", 1, false},
	}
	for _, test := range tests {
		read := readPage(test.page)
		if got := read.leaks("", test.language); len(got) != test.leaks || read.open != test.open {
			t.Errorf("%s: %q shows %q and is open: %t", test.language, test.page, got, read.open)
		}
	}
}

func TestWalk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go":         "// Package a adds.\npackage a\n\n// Add adds [x] to `y`.\nfunc Add() {}\n",
		".hidden/b.go": "// Package b hides.\npackage b\n",
		"c.txt":        "no source",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs strings.Builder
	if code := proof.Run(t.Context(), []string{dir}, &out, &errs); code != trial.ExitHolds || !strings.Contains(out.String(), "go                  2         8") {
		t.Errorf("exit %d with %q and %q", code, out.String(), errs.String())
	}
	if code := proof.Run(t.Context(), nil, &out, &errs); code != trial.ExitUsage {
		t.Errorf("without a directory the exit code is %d", code)
	}
	if code := proof.Run(t.Context(), []string{filepath.Join(dir, "none")}, &out, &errs); code != trial.ExitFailure {
		t.Errorf("with a missing directory the exit code is %d", code)
	}
	lossy := report{"go": {docs: 100, losing: 1}}
	if lossy.holds() || (report{"go": {docs: 1, open: 1}}).holds() || !(report{"go": {docs: 1000, losing: 1}}).holds() {
		t.Error("wrong verdict")
	}
}
