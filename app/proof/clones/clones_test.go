package clones_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/proof/clones"
)

// TestMake makes the pages of a commit that is not the newest with a program that writes down where and how it is called.
func TestMake(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	causal := filepath.Join(dir, "causal")
	if err := os.WriteFile(causal, []byte("#!/bin/sh\necho \"$@ of $(cat file) from $(git remote get-url origin)\" >> calls\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	from := filepath.Join(dir, "tool")
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", from, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if err := os.Mkdir(from, 0o700); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	for _, state := range []string{"old", "new"} {
		if err := os.WriteFile(filepath.Join(from, "file"), []byte(state), 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", "file")
		git("commit", "-qm", state)
	}
	w, err := clones.Open(t.Context(), causal)
	if err != nil {
		t.Fatal(err)
	}
	root, err := w.Make(t.Context(), "octo/tool", git("rev-parse", "HEAD~1"), dir)
	if err != nil {
		t.Fatal(err)
	}
	const want = "init --yes of old from https://github.com/octo/tool\nupdate of old from https://github.com/octo/tool\n"
	if got, err := os.ReadFile(filepath.Join(root, "calls")); string(got) != want { //nolint:gosec // of this test
		t.Errorf("called as %q, %v, want %q", got, err, want)
	}
	if _, err := w.Make(t.Context(), "octo/other", "HEAD", dir); err == nil || !strings.Contains(err.Error(), "octo/other") {
		t.Errorf("a missing clone: %v", err)
	}
	if w.Close(); t.Failed() {
		return
	}
	if _, err := os.Stat(root); !os.IsNotExist(err) {
		t.Errorf("the pages still exist: %v", err)
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	for dir, found := range map[string]bool{"docs/causal": true, ".causal-docs": true, "docs": false} {
		root := t.TempDir()
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, dir, "llms.txt"), []byte("pages"), 0o600); err != nil {
			t.Fatal(err)
		}
		if pages, err := clones.Pages(root); (err == nil && pages == dir) != found {
			t.Errorf("pages in %s: %s %v", dir, pages, err)
		}
	}
}
