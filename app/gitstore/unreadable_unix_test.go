//go:build unix

package gitstore_test

import (
	"os"
	"syscall"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

// TestUnreadable checks that special and unreadable files are reported, and do not block the others.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	f.remove("a.txt")
	f.must(syscall.Mkfifo(f.path("a.txt"), 0o644))
	f.must(syscall.Mkfifo(f.path("untracked-pipe"), 0o644))
	f.write("b.txt", "B\n")
	want := []string{"a.txt"}
	if os.Geteuid() != 0 {
		f.write("dir/c.txt", "secret\n")
		f.chmod("dir/c.txt", 0)
		want = append(want, "dir/c.txt")
	}
	repo := open(t, gitstore.CLI, f.dir)
	snapshot, err := workTree(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	equalLines(t, "unreadable", snapshot.unreadable, want)
	for _, e := range snapshot.entries {
		if e.Path == "a.txt" {
			t.Error("the pipe is in the listing")
		}
		if e.Path == "b.txt" && e.ID != repo.HashBytes([]byte("B\n")) {
			t.Errorf("b.txt = %s", e.ID)
		}
	}
}
