package gitstore_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	withSubmodule(f)
	f.git("worktree", "add", "--quiet", "../linked", "HEAD")
	linked := filepath.Join(filepath.Dir(f.dir), "linked")
	t.Cleanup(func() { _ = os.RemoveAll(linked) })
	alias := filepath.Join(t.TempDir(), "alias")
	f.must(os.Symlink(f.dir, alias))
	common := resolved(t, filepath.Join(f.dir, ".git"))
	cases := []struct{ name, dir, root, private string }{
		{"root", f.dir, f.dir, filepath.Join(common, "causal")},
		{"below", f.path("dir"), f.dir, filepath.Join(common, "causal")},
		{"by a link", alias, f.dir, filepath.Join(common, "causal")},
		{"submodule", f.path("sub"), f.path("sub"), filepath.Join(common, "modules", "sub", "causal")},
		{"linked work tree", filepath.Join(linked, "dir"), linked, filepath.Join(common, "causal", "worktrees", "linked")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			each(t, c.dir, func(t *testing.T, repo *gitstore.Repo) {
				if repo.Root() != resolved(t, c.root) || repo.PrivateDir() != c.private {
					t.Errorf("root %s, private %s; want %s, %s", repo.Root(), repo.PrivateDir(), resolved(t, c.root), c.private)
				}
				if dir := repo.CloneDir(); !strings.HasPrefix(c.private, dir) || filepath.Base(dir) != "causal" {
					t.Errorf("%s is of the clone", dir)
				}
				if _, err := os.Stat(repo.PrivateDir()); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("the private directory exists: %v", err)
				}
				if n := repo.Counters().Spawns; n != 0 {
					t.Errorf("%d processes were started", n)
				}
				if head, err := repo.Head(t.Context()); err != nil || head.Subject != "submodule" && head.Subject != "base" {
					t.Errorf("head = %+v, %v", head, err)
				}
			})
			if entries, err := open(t, gitstore.CLI, c.dir).Tree(t.Context(), "HEAD"); err != nil || len(entries) < 6 {
				t.Errorf("%d entries, %v", len(entries), err)
			}
		})
	}
}

func resolved(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	plain := t.TempDir()
	bare := initIn(t, filepath.Join(mkdirIn(t, "bare")), "--bare")
	broken := newFixture(t)
	broken.remove(".git")
	broken.write(".git", "gitdir: /nowhere\n")
	garbage := newFixture(t)
	garbage.remove(".git")
	garbage.write(".git", "garbage")
	cases := []struct {
		name, dir string
		want      error
		says      string
	}{
		{"not a repository", plain, gitstore.ErrNotRepository, "git init"},
		{"missing", filepath.Join(plain, "none"), fs.ErrNotExist, "none"},
		{"a file", f.path("a.txt"), nil, "not a directory"},
		{"bare", bare.dir, gitstore.ErrBare, "checkout"},
		{"inside .git", f.path(".git/refs"), gitstore.ErrBare, "checkout"},
		{"broken link", broken.dir, gitstore.ErrNotRepository, "git worktree repair"},
		{"no link", garbage.dir, gitstore.ErrNotRepository, "remove or mend"},
	}
	for _, c := range cases {
		for _, adapter := range adapters {
			_, err := gitstore.OpenWith(t.Context(), c.dir, adapter)
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s with %s: %v; want %v that says %q", c.name, adapter, err, c.want, c.says)
			}
		}
	}
}

func mkdirIn(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSpawns limits the number of git processes, and checks that no file is read unless its content is needed.
func TestSpawns(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	repo := open(t, gitstore.CLI, f.dir)
	steps := []struct {
		name  string
		do    func() error
		spawn int64
		files int64
	}{
		{"clean status", func() error { _, err := repo.Status(t.Context()); return err }, 1, 0},
		{"clean work tree", func() error { _, err := workTree(t.Context(), repo); return err }, 1, 0},
		{"changed work tree", func() error {
			f.write("a.txt", "changed")
			_, err := workTree(t.Context(), repo)
			return err
		}, 1, 1},
		{"head", func() error { _, err := repo.Head(t.Context()); return err }, 0, 0},
		{"diff", func() error { _, err := repo.DiffTrees(t.Context(), "HEAD", "HEAD"); return err }, 1, 0}, // the name needs git
		{"no blobs", func() error { return repo.ReadBlobs(t.Context(), nil, 0, nil) }, 0, 0},
	}
	for _, s := range steps {
		before := repo.Counters()
		if err := s.do(); err != nil {
			t.Fatal(err)
		}
		after := repo.Counters()
		if after.Spawns-before.Spawns != s.spawn || after.Files-before.Files != s.files {
			t.Errorf("%s: %d processes and %d files, want %d and %d", s.name,
				after.Spawns-before.Spawns, after.Files-before.Files, s.spawn, s.files)
		}
	}
}

func TestSHA256(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "--object-format=sha256")
	base(f)
	f.write("a.txt", "changed\n")
	if _, err := gitstore.OpenWith(t.Context(), f.dir, gitstore.GoGit); !errors.Is(err, gitstore.ErrUnsupported) {
		t.Errorf("go-git: %v, want ErrUnsupported", err)
	}
	repo := open(t, gitstore.CLI, f.dir)
	snapshot, err := workTree(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	equalLines(t, "work tree", listing(snapshot.entries), f.staged())
	content, err := repo.ReadBlob(t.Context(), f.git("rev-parse", "HEAD:a.txt"), 1<<20)
	if err != nil || string(content) != "a\n" {
		t.Errorf("blob = %q, %v", content, err)
	}
	if head, err := repo.Head(t.Context()); err != nil || len(head.ID) != 64 || len(head.Tree) != 64 {
		t.Errorf("head = %+v, %v", head, err)
	}
}

func TestShallowClone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	first := f.git("rev-parse", "HEAD")
	f.write("a.txt", "second\n")
	second := f.commit("second")
	clone := &fixture{t: t, dir: filepath.Join(t.TempDir(), "clone")}
	f.git("clone", "--quiet", "--depth=1", "file://"+f.dir, clone.dir)
	each(t, clone.dir, func(t *testing.T, repo *gitstore.Repo) {
		if head, err := repo.Head(t.Context()); err != nil || head.ID != second {
			t.Errorf("head = %+v, %v", head, err)
		}
		for commit, want := range map[string]bool{first: false, second: true} {
			if got, err := repo.Contains(t.Context(), "HEAD", commit); err != nil || got != want {
				t.Errorf("Contains(%s) = %v, %v", commit, got, err)
			}
		}
	})
	repo := open(t, gitstore.CLI, clone.dir)
	if _, err := repo.DiffTrees(t.Context(), first, "HEAD"); !errors.Is(err, gitstore.ErrUnknownObject) {
		t.Errorf("diff from what is cut off: %v, want ErrUnknownObject", err)
	}
	for _, file := range []string{"a.txt", "b.txt"} { // changed in the last commit, and in one that is not there
		if last, ok, err := repo.LastCommit(t.Context(), "HEAD", file); err != nil || ok {
			t.Errorf("last commit of %s = %+v, %v, %v", file, last, ok, err)
		}
	}
	if branch, err := repo.DefaultRemoteBranch(t.Context(), "origin"); err != nil || branch != "origin/main" {
		t.Errorf("default branch = %q, %v", branch, err)
	}
}

// TestRefusedWithoutGit: what only git can do says so, and leaves the repository as it is.
func TestRefusedWithoutGit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	f.write("new.txt", "n")
	repo := open(t, gitstore.GoGit, f.dir)
	for name, call := range map[string]func() error{
		"Resolve":   func() error { _, err := repo.Resolve(t.Context(), "HEAD"); return err },
		"Tree":      func() error { _, err := repo.Tree(t.Context(), "HEAD"); return err },
		"DiffTrees": func() error { _, err := repo.DiffTrees(t.Context(), "HEAD", "HEAD"); return err },
		"ReadBlob": func() error {
			_, err := repo.ReadBlob(t.Context(), f.git("rev-parse", "HEAD:a.txt"), 1<<20)
			return err
		},
		"Status":      func() error { _, err := repo.Status(t.Context()); return err },
		"CommitPaths": func() error { _, err := repo.CommitPaths(t.Context(), []string{"new.txt"}, "m"); return err },
		"Stage":       func() error { return repo.Stage(t.Context(), []string{"new.txt"}) },
		"LastCommit":  func() error { _, _, err := repo.LastCommit(t.Context(), "HEAD", "a.txt"); return err },
		"Messages": func() error {
			return repo.Messages(t.Context(), "HEAD", "", func(gitstore.Message) error { return nil })
		},
		"MergeBase":           func() error { _, err := repo.MergeBase(t.Context(), "HEAD", "main"); return err },
		"Tag":                 func() error { _, err := repo.Tag(t.Context(), "HEAD", ""); return err },
		"Tag by name":         func() error { _, err := repo.Tag(t.Context(), "HEAD", "v1"); return err },
		"Tags":                func() error { _, err := repo.Tags(t.Context()); return err },
		"RemoteURL":           func() error { _, err := repo.RemoteURL(t.Context(), "origin"); return err },
		"DefaultRemoteBranch": func() error { _, err := repo.DefaultRemoteBranch(t.Context(), "origin"); return err },
	} {
		want := "git is required: there is no git program in PATH (" + os.Getenv("PATH") + "): install git"
		if err := call(); !errors.Is(err, gitstore.ErrUnsupported) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want ErrUnsupported that says %q", name, err, want)
		}
	}
	if got := f.git("status", "--porcelain"); got != "?? new.txt" {
		t.Errorf("left %q", got)
	}
}
