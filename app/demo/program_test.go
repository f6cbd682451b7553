package demo

import (
	"os"
	"path/filepath"
	"testing"
)

// TestProgram calls the program by the shortest name that will still work when it has ended.
func TestProgram(t *testing.T) {
	place := func(elements ...string) string {
		p := filepath.Join(elements...)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte("a program"), 0o755); err != nil {
			t.Fatal(err)
		}
		return p
	}
	installed, other := place(t.TempDir(), "bin", "causal"), place(t.TempDir(), "causal")
	t.Setenv("PATH", filepath.Dir(installed))
	odd := place(t.TempDir(), "Ada's programs", "causal")
	left := filepath.Join(t.TempDir(), "left")
	if err := os.Mkdir(left, 0o755); err != nil {
		t.Fatal(err)
	}
	for exe, want := range map[string]string{
		installed: "causal",
		other:     other, // another one has the name
		odd:       `'` + filepath.Dir(filepath.Dir(odd)) + `/Ada'\''s programs/causal'`,
		place(t.TempDir(), "go-build123", "b001", "exe", "causal"): filepath.Join(left, "causal"),
	} {
		if got, err := program(exe, left); err != nil || got != want {
			t.Errorf("%s is called %s, %v; want %s", exe, got, err, want)
		}
	}
	if copied, err := os.ReadFile(filepath.Join(left, "causal")); err != nil || string(copied) != "a program" {
		t.Errorf("the copy is %q, %v", copied, err)
	}
	if _, err := program(place(t.TempDir(), "go-build4", "causal"), left); err == nil {
		t.Error("overwrote what was there")
	}
}
