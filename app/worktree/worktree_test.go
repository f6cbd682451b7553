package worktree_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/survey"
)

// fixture is a repository with one commit: a.go, dir/b.go and a link.
type fixture struct {
	*testing.T
	root string
	repo *gitstore.Repo
	tree *worktree.Tree
}

// template is a directory with the repository of setup, which is made once.
var template struct {
	sync.Once
	dir string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if template.dir != "" {
		_ = os.RemoveAll(template.dir)
	}
	os.Exit(code)
}

func setup(t *testing.T, now func() time.Time) *fixture {
	t.Helper()
	template.Do(func() {
		dir, err := os.MkdirTemp("", "worktree-") //nolint:usetesting // it outlives this test
		if err != nil {
			t.Fatal(err)
		}
		f := &fixture{T: t, root: dir}
		f.git("init", "-q", "-b", "main", "--template=")
		f.write("a.go", "package a\n")
		f.write("dir/b.go", "package b\n")
		if err := os.Symlink("a.go", filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
		f.commit()
		template.dir = dir
	})
	f := &fixture{T: t, root: t.TempDir()}
	if err := os.CopyFS(f.root, os.DirFS(template.dir)); err != nil {
		t.Fatal(err)
	}
	repo, err := gitstore.Open(context.Background(), f.root)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := worktree.New(repo, "", now, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	f.repo, f.tree = repo, tree
	return f
}

func (f *fixture) git(args ...string) string {
	f.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = f.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (f *fixture) commit() {
	f.git("add", "-A")
	f.git("commit", "-q", "--allow-empty", "-m", "m")
}

func (f *fixture) write(name, text string) {
	f.Helper()
	file := filepath.Join(f.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) state(earlier survey.State) survey.State {
	f.Helper()
	s, err := f.tree.State(context.Background(), func() survey.State { return earlier })
	if err != nil {
		f.Fatal(err)
	}
	return s
}

// between lists what changed between two states: "+path", "-path" or "~path".
func (f *fixture) between(from, to survey.State) []string {
	f.Helper()
	changes, known, err := f.tree.Changes(context.Background(), from, to)
	if err != nil {
		f.Fatal(err)
	}
	if !known {
		return []string{"unknown"}
	}
	var out []string
	for _, c := range changes {
		switch {
		case c.Was == "":
			out = append(out, "+"+c.Path)
		case c.ID == "":
			out = append(out, "-"+c.Path)
		default:
			out = append(out, "~"+c.Path)
		}
	}
	return out
}

// later is a clock by which every file is old enough for its looks to be trusted.
func later() time.Time { return time.Now().Add(time.Hour) }

func TestChanges(t *testing.T) {
	t.Parallel()
	f := setup(t, later)
	clean := f.state(survey.State{})
	if len(clean.Dirty) != 0 || clean.Commit == "" {
		t.Fatalf("clean state %+v", clean)
	}
	f.write("a.go", "package a // edited\n")
	f.write("new.go", "package n\n")
	if err := os.Remove(filepath.Join(f.root, "dir/b.go")); err != nil {
		t.Fatal(err)
	}
	dirty := f.state(clean)
	edits := []string{"~a.go", "-dir/b.go", "+new.go"}
	for _, c := range []struct {
		name     string
		from, to survey.State
		want     []string
	}{
		{"to a dirty tree", clean, dirty, edits},
		{"to itself", dirty, dirty, nil},
		{"back", dirty, clean, []string{"~a.go", "+dir/b.go", "-new.go"}},
	} {
		if got := f.between(c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	f.commit()
	committed := f.state(dirty)
	if got := f.between(dirty, committed); got != nil {
		t.Errorf("a commit of what was there already changes %v", got)
	}
	if got := f.between(clean, committed); !slices.Equal(got, edits) {
		t.Errorf("from the first commit: %v, want %v", got, edits)
	}
	gone := clean
	gone.Commit = strings.Repeat("1", len(clean.Commit))
	if got := f.between(gone, committed); !slices.Equal(got, []string{"unknown"}) {
		t.Errorf("from a commit that is not there: %v", got)
	}
}

func TestKnownFilesAreNotReadAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		written time.Time
		reads   int64
	}{"long ago": {time.Now().Add(-time.Hour), 0}, "not before now": {time.Now().Add(time.Hour), 1}} {
		f := setup(t, time.Now)
		f.write("a.go", "package a // edited\n")
		if err := os.Chtimes(filepath.Join(f.repo.Root(), "a.go"), c.written, c.written); err != nil {
			t.Fatal(err)
		}
		first := f.state(survey.State{})
		before := f.repo.Counters().Files
		second := f.state(first)
		if !first.Equal(second) {
			t.Errorf("%s: %+v, then %+v", name, first, second)
		}
		if got := f.repo.Counters().Files - before; got != c.reads {
			t.Errorf("%s: %d files were read again, want %d", name, got, c.reads)
		}
	}
}

func TestWrote(t *testing.T) {
	t.Parallel()
	f := setup(t, later)
	s := f.state(survey.State{})
	f.write("a.go", "package a // by us\n")
	f.write("page.md", "# page\n")
	told, err := f.tree.Wrote(context.Background(), s, map[string][]byte{"a.go": []byte("package a\n"), "page.md": nil})
	if err != nil {
		t.Fatal(err)
	}
	if seen := f.state(survey.State{}); !told.Equal(seen) {
		t.Errorf("told  %+v\nseen %+v", told, seen)
	}
	f.write("a.go", "package a\n")
	told, err = f.tree.Wrote(context.Background(), told, map[string][]byte{"a.go": []byte("package a // by us\n")})
	if err != nil {
		t.Fatal(err)
	}
	if seen := f.state(survey.State{}); !told.Equal(seen) {
		t.Errorf("after taking it back: told %+v\nseen %+v", told, seen)
	}
}

func TestReadAndEntries(t *testing.T) {
	t.Parallel()
	f := setup(t, later)
	commit, err := f.repo.Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	f.write("dir/b.go", "package b // edited, and long enough to be over the limit of the test\n")
	for name, tree := range map[string]survey.Tree{
		"work tree": f.tree,
		"revision":  worktree.At(f.tree, commit, commit, func(string) bool { return false }),
	} {
		s, err := tree.State(context.Background(), func() survey.State { return survey.State{} })
		if err != nil {
			t.Fatal(err)
		}
		list, err := tree.Entries(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		var regular []survey.Entry
		for _, e := range list {
			got = append(got, string(e.Mode)+" "+e.Path)
			if e.Mode == survey.Regular {
				regular = append(regular, e)
			}
		}
		if want := []string{"regular a.go", "regular dir/b.go", "symlink link"}; !slices.Equal(got, want) {
			t.Errorf("%s: entries %v, want %v", name, got, want)
		}
		var read []string
		err = tree.Read(context.Background(), regular, 20, func(e survey.Entry, content []byte, err error) error {
			if errors.Is(err, survey.ErrTooLarge) {
				content = []byte("too large")
			}
			read = append(read, string(content))
			return nil
		})
		want := []string{"package a\n", "package b\n"}
		if name == "work tree" {
			want[1] = "too large"
		}
		if err != nil || !slices.Equal(read, want) {
			t.Errorf("%s: read %q, %v; want %q", name, read, err, want)
		}
	}
}

// TestStateOfARun: git is asked once for a run, until the run writes or waits for others.
func TestStateOfARun(t *testing.T) {
	t.Parallel()
	f := setup(t, later)
	writes := int64(0)
	tree, err := worktree.New(f.repo, "", later, func() int64 { return writes })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	for step, c := range []struct {
		before func()
		dirty  int
	}{
		{func() {}, 0},
		{func() { f.write("a.go", "package a // edited\n") }, 0},
		{func() { writes++ }, 1},
		{func() { f.write("c.go", "package c\n") }, 1},
		{func() { tree.Begin(t.Context()) }, 2},
	} {
		c.before()
		if s := stateOf(t, tree); len(s.Dirty) != c.dirty {
			t.Errorf("step %d: %d files differ, want %d", step, len(s.Dirty), c.dirty)
		} else if len(s.Dirty) > 0 {
			s.Dirty[0].Path = "the caller's" // must not show in a later State
		}
	}
	if s := stateOf(t, tree); len(s.Dirty) != 2 || s.Dirty[0].Path != "a.go" {
		t.Errorf("the last state is %+v", s)
	}
}
