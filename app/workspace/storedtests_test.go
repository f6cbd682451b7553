package workspace_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/store"
)

// TestWhatDoesNotEndLeavesNothing: a run over specs that comes to no end leaves files as they were when it began.
func TestWhatDoesNotEndLeavesNothing(t *testing.T) {
	t.Parallel()
	const mine, edited, gone, made = ".causal/reviews/pr-1.jsonl", ".causal/specs/a/Edited.yml", ".causal/specs/a/Gone.yml", "a/zz_causal_made_test.go"
	dir := t.TempDir()
	for _, name := range []string{edited, gone} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("before"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := store.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = files.Close() }()
	write := func(name string) {
		if _, err := files.Write(name, []byte("after")); err != nil {
			t.Fatal(err)
		}
	}
	write(mine)
	before := files.Changed()
	write(edited)
	write(made)
	if err := files.Remove(gone, store.Top); err != nil {
		t.Fatal(err)
	}
	if err := (&workspace.Workspace{Files: files}).Restore(before); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{mine: "after", edited: "before", gone: "before"} {
		if data, err := files.Read(name); string(data) != want {
			t.Errorf("%s holds %q, want %q (%v)", name, data, want, err)
		}
	}
	if _, err := files.Read(made); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is still there: %v", made, err)
	}
	if written, removed, err := files.Touched(); len(written) != 1 || len(removed) > 0 || err != nil {
		t.Errorf("the run has written %v and removed %v (%v)", written, removed, err)
	}
}
