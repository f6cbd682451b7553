package gitstore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

func TestCommitPaths(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	f.write("dir/c.txt", "C\n")
	f.write("deep/new/x.yml", "x\n")
	f.write("-dash *", "odd\n")
	f.write("tool", "run\n")
	f.chmod("tool", 0o755)
	f.link("newlink", "tool")
	f.git("rm", "--quiet", "--cached", "dir/run.sh")
	f.write("dir/run.sh", "again\n")
	f.remove("b.txt")
	f.write("a.txt", "staged by the user\n")
	f.write("users.txt", "staged by the user\n")
	f.git("add", "a.txt", "users.txt")
	f.write("a.txt", "and changed again\n")
	f.write("untracked.txt", "of the user\n")
	repo := open(t, gitstore.CLI, f.dir)
	before := f.git("rev-parse", "HEAD")
	paths := []string{"deep/new/x.yml", "b.txt", "dir/c.txt", "-dash *", "tool", "newlink", "dir/run.sh", "dir/c.txt", "link"}
	commit, err := repo.CommitPaths(t.Context(), paths, "Update nodes\n\n# a body\n",
		gitstore.Trailer{Key: "Causal-Session", Value: "s1"}, gitstore.Trailer{Key: "Reason", Value: "two\nlines"})
	if err != nil {
		t.Fatal(err)
	}
	if commit.ID != f.git("rev-parse", "refs/heads/main") || commit.Subject != "Update nodes" || f.git("rev-parse", "HEAD~1") != before {
		t.Errorf("commit = %+v", commit)
	}
	equalLines(t, "committed", strings.Split(f.git("diff-tree", "-r", "--no-renames", "--name-status", "HEAD~1", "HEAD"), "\n"), []string{
		"A\t-dash *", "D\tb.txt", "A\tdeep/new/x.yml", "M\tdir/c.txt", "M\tdir/run.sh", "A\tnewlink", "A\ttool",
	})
	equalLines(t, "left", strings.Split(f.git("status", "--porcelain"), "\n"), []string{"MM a.txt", "A  users.txt", "?? untracked.txt"})
	if got := f.git("log", "-1", "--format=%an <%ae> %cn <%ce>"); got != "Ada <ada@example.com> Ada <ada@example.com>" {
		t.Errorf("identity: %s", got)
	}
	if got, want := f.git("log", "-1", "--format=%B"), "Update nodes\n\n# a body\n\nCausal-Session: s1\nReason: two lines\n"; got != want {
		t.Errorf("message = %q, want %q", got, want)
	}
	if out, err := f.try("fsck", "--strict"); err != nil {
		t.Errorf("fsck: %s", out)
	}
	if _, err := repo.CommitPaths(t.Context(), paths, "again"); !errors.Is(err, gitstore.ErrNothingToCommit) {
		t.Errorf("a second time: %v, want ErrNothingToCommit", err)
	}
}

// TestStage: exactly the given files are staged, as the work tree has them.
func TestStage(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	f.write("deep/new/x.yml", "x\n")
	f.write("-dash *", "odd\n")
	f.write("untracked.txt", "of the user\n")
	f.remove("b.txt")
	f.git("rm", "--quiet", "dir/run.sh")
	f.write("a.txt", "staged\n")
	f.git("add", "a.txt")
	f.write("a.txt", "and changed again\n")
	repo := open(t, gitstore.CLI, f.dir)
	if err := repo.Stage(t.Context(), []string{"deep/new/x.yml", "-dash *", "b.txt", "dir/run.sh", "never/there.md"}); err != nil {
		t.Fatal(err)
	}
	equalLines(t, "status", strings.Split(f.git("status", "--porcelain"), "\n"),
		[]string{"A  \"-dash *\"", "MM a.txt", "D  b.txt", "A  deep/new/x.yml", "D  dir/run.sh", "?? untracked.txt"})
	if err := repo.Stage(t.Context(), []string{"../x"}); err == nil || !strings.Contains(err.Error(), "not a path inside") {
		t.Errorf("outside: %v", err)
	}
}

func TestFirstCommit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("a.txt", "a")
	f.write("staged.txt", "s")
	f.git("add", "staged.txt")
	commit, err := open(t, gitstore.CLI, f.dir).CommitPaths(t.Context(), []string{"a.txt"}, "first")
	if err != nil {
		t.Fatal(err)
	}
	if got := f.git("ls-tree", "-r", "--name-only", commit.ID); got != "a.txt" {
		t.Errorf("committed %q", got)
	}
	if got := f.git("status", "--porcelain"); got != "A  staged.txt" {
		t.Errorf("left %q", got)
	}
}

func TestCommitEmptiesDirectory(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	f.git("checkout", "--quiet", "--detach")
	f.remove("dir")
	commit, err := open(t, gitstore.CLI, f.dir).CommitPaths(t.Context(), []string{"dir/c.txt", "dir/run.sh"}, "drop")
	if err != nil || commit.ID != f.git("rev-parse", "HEAD") {
		t.Fatalf("commit = %+v, %v", commit, err)
	}
	equalLines(t, "tree", strings.Fields(f.git("ls-tree", "--name-only", "HEAD")), []string{".gitignore", "a.txt", "b.txt", "link"})
	if f.git("rev-parse", "main") == commit.ID {
		t.Error("the branch moved, though HEAD is detached")
	}
}

func TestCommitRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		build func(f *fixture)
		path  string
		want  error
		says  string
	}{
		{"no identity", func(f *fixture) {
			f.git("config", "--unset", "user.name")
			f.git("config", "--unset", "user.email")
			f.git("config", "user.useConfigOnly", "true")
		}, "new.txt", gitstore.ErrNoIdentity, "user.name"},
		{"ignored", func(f *fixture) { f.write("x.log", "") }, "x.log", nil, "x.log is ignored"},
		{"unchanged", func(*fixture) {}, "b.txt", gitstore.ErrNothingToCommit, ""},
		{"outside", func(*fixture) {}, "../x", nil, "not a path inside"},
		{"directory", func(*fixture) {}, "dir", nil, "is a directory"},
		{"merge", func(f *fixture) {
			f.git("add", "--all")
			f.commitStaged("new")
			diverge(f)
		}, "a.txt", nil, "merge is in progress"},
		{"locked", func(f *fixture) { f.write(".git/index.lock", "") }, "new.txt", nil, "index.lock"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			base(f)
			f.write("new.txt", "n")
			c.build(f)
			before := f.git("rev-parse", "HEAD") + f.git("status", "--porcelain")
			_, err := open(t, gitstore.CLI, f.dir).CommitPaths(t.Context(), []string{c.path}, "m")
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v; want %v that says %q", err, c.want, c.says)
			}
			if after := f.git("rev-parse", "HEAD") + f.git("status", "--porcelain"); after != before {
				t.Errorf("left %q, was %q", after, before)
			}
		})
	}
}

func TestHooks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	f.write("new.txt", "n")
	f.write(".git/hooks/pre-commit", "#!/bin/sh\necho no such luck >&2\nexit 1\n")
	f.chmod(".git/hooks/pre-commit", 0o755)
	before := f.git("status", "--porcelain")
	_, err := open(t, gitstore.CLI, f.dir).CommitPaths(t.Context(), []string{"new.txt"}, "m")
	if err == nil || !strings.Contains(err.Error(), "no such luck") {
		t.Errorf("%v; want what the hook said", err)
	}
	if after := f.git("status", "--porcelain"); after != before {
		t.Errorf("left %q, was %q", after, before)
	}
}
