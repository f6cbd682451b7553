package gitstore_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

// large has 10,000 committed files in 100 directories.
func large(b *testing.B) *fixture {
	b.Helper()
	f := newFixture(b)
	for i := range 10_000 {
		f.write(fmt.Sprintf("pkg%02d/file%04d.go", i%100, i), fmt.Sprintf("package pkg%02d\n\nconst Value%d = %d\n", i%100, i, i))
	}
	f.commit("large")
	f.git("gc", "--quiet")
	f.git("status", "--porcelain")
	return f
}

// BenchmarkStatus holds Status, opening included, against a plain `git status` of the same repository.
func BenchmarkStatus(b *testing.B) {
	f := large(b)
	b.Run("plain git status", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.Command("git", "status")
			cmd.Dir, cmd.Env = f.dir, append(os.Environ(), "GIT_OPTIONAL_LOCKS=0")
			if _, err := cmd.Output(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Status", func(b *testing.B) {
		for b.Loop() {
			if status, err := open(b, gitstore.CLI, f.dir).Status(b.Context()); err != nil || len(status.Changes) > 0 {
				b.Fatal(status, err)
			}
		}
	})
}

// BenchmarkRead lists HEAD's tree, and reads all of its blobs.
func BenchmarkRead(b *testing.B) {
	f := large(b)
	b.Run("tree", func(b *testing.B) {
		for b.Loop() {
			if entries, err := open(b, gitstore.CLI, f.dir).Tree(b.Context(), "HEAD"); err != nil || len(entries) != 10_000 {
				b.Fatal(len(entries), err)
			}
		}
	})
	b.Run("blobs", func(b *testing.B) {
		repo := open(b, gitstore.CLI, f.dir)
		entries, err := repo.Tree(b.Context(), "HEAD")
		if err != nil {
			b.Fatal(err)
		}
		ids := make([]string, len(entries))
		for i, e := range entries {
			ids[i] = e.ID
		}
		for b.Loop() {
			if err := repo.ReadBlobs(b.Context(), ids, 1<<20, func(gitstore.Blob) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
}
