package main

import (
	"go/format"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestMonorepo checks that the generated packages are valid Go, and import three others.
func TestMonorepo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := monorepo(dir, 120); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(packageDir(119)), "p.go"))
	if err != nil {
		t.Fatal(err)
	}
	if formatted, err := format.Source(text); err != nil || string(formatted) != string(text) {
		t.Errorf("%v\n%s", err, text)
	}
	if n := strings.Count(string(text), "example.com/made/"); n != 3 {
		t.Errorf("it imports %d others", n)
	}
}

// TestEdits: each edit changes the file again each time, which stays Go.
func TestEdits(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(filepath.Join(runtime.GOROOT(), filepath.FromSlash(editedFile)))
	if err != nil {
		t.Skip("the source of Go is not installed")
	}
	for _, e := range edits {
		text := string(content)
		for n := range 3 {
			changed := e.change(text, n)
			if _, err := format.Source([]byte(changed)); err != nil || changed == text {
				t.Fatalf("%s, time %d: %v, changed %v", e.name, n, err, changed != text)
			}
			text = changed
		}
	}
}

// TestBounds: a row that exceeds a bound says so.
func TestBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		row  row
		want string
	}{
		{row{wall: 15, otherWall: 10, bound: bound{ratio: 1.5}}, ""},
		{row{wall: 16, otherWall: 10, bound: bound{ratio: 1.5}}, "TOO SLOW"},
		{row{cpu: 20, otherCPU: 10, wall: 99, otherWall: 1, bound: bound{over: 15}}, ""},
		{row{cpu: 26, otherCPU: 10, bound: bound{over: 15}}, "TOO SLOW"},
		{row{wall: 1, otherWall: 1, peak: 2, bound: bound{ratio: 1, peak: 1}}, "TOO LARGE"},
		{row{wall: 99, otherWall: 1}, ""},
	} {
		if got := c.row.exceeded(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.row, got, c.want)
		}
	}
}
