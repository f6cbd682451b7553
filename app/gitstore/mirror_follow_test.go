package gitstore_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

func follow(t *testing.T, dir, address string, leader gitstore.Leader) *gitstore.Mirror {
	t.Helper()
	m, err := gitstore.FollowMirror(dir, address, leader)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// TestFollowedMirror checks that a mirror without a remote gives the answers of its leader.
func TestFollowedMirror(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.project(60)
	base := s.commit("base")
	s.write("a.txt", "ours")
	ours := s.commit("ours")
	s.git("checkout", "--quiet", "-b", "side", base)
	s.write("b.txt", "theirs")
	theirs := s.commit("theirs")
	dir := filepath.Join(t.TempDir(), "shop")
	leader := s.mirror(t, dir)
	m := follow(t, dir, s.url, leader)
	if _, err := m.Repo().Tree(t.Context(), ours); err == nil {
		t.Error("a commit is there that nobody fetched")
	}
	if err := m.Fetch(t.Context(), base, ours, theirs); err != nil {
		t.Fatal(err)
	}
	changes, err := m.Repo().DiffTrees(t.Context(), base, ours)
	if err != nil || len(changes) != 1 {
		t.Fatalf("%v, %v", changes, err)
	}
	if content, err := m.Repo().ReadBlob(t.Context(), changes[0].New, 100); err != nil || string(content) != "ours" {
		t.Errorf("%q, %v", content, err)
	}
	if got, err := m.MergeBase(t.Context(), ours, theirs); err != nil || got != base {
		t.Errorf("merge base %s, %v; want %s", got, err, base)
	}
	if found, err := m.Contains(t.Context(), ours, base); err != nil || !found {
		t.Errorf("%v, %v", found, err)
	}
	for file, want := range map[string]bool{"a.txt": true, "pkg000/file0001.go": true, "b.txt": false, "pkg000/": false, ":(top)a.txt": false} {
		if found, err := leader.Has(t.Context(), ours, file); found != want || (err != nil) != (file == "pkg000/") {
			t.Errorf("has %s: %v, %v", file, found, err)
		}
	}
	missing := strings.Repeat("1", 40)
	if err := m.Fetch(t.Context(), missing); !errors.Is(err, gitstore.ErrUnknownObject) {
		t.Errorf("%v, want ErrUnknownObject", err)
	}
	for _, id := range []string{"", "-x", "main"} {
		if err := leader.FetchBlobs(t.Context(), id); !errors.Is(err, gitstore.ErrUnknownObject) {
			t.Errorf("FetchBlobs(%q): %v", id, err)
		}
	}
	if n := s.during(func() { _, _ = m.Repo().Tree(t.Context(), ours) }); n != 0 {
		t.Errorf("%d requests for what is here", n)
	}
}

func TestFetchThatIsTooLarge(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.project(60)
	head := s.commit("base")
	m := s.fresh(t)
	m.SetMost(100)
	if err := m.Fetch(t.Context(), head); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Errorf("%v, want ErrTooLarge", err)
	}
}
