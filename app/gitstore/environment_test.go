package gitstore_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

// TestOtherOwner needs root to give a repository away.
func TestOtherOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make a repository that belongs to someone else")
	}
	f := newFixture(t)
	base(f)
	f.must(os.Chown(f.dir, 12345, -1))
	for _, adapter := range adapters {
		_, err := gitstore.OpenWith(t.Context(), f.dir, adapter)
		if !errors.Is(err, gitstore.ErrDubiousOwnership) || !strings.Contains(err.Error(), "safe.directory") {
			t.Errorf("%s: %v, want ErrDubiousOwnership that tells of safe.directory", adapter, err)
		}
	}
	global := filepath.Join(t.TempDir(), "gitconfig")
	f.must(os.WriteFile(global, []byte("[safe]\n\tdirectory = "+f.dir+"\n"), 0o644))
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	if _, err := open(t, gitstore.CLI, f.dir).Head(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestHookEnvironment checks that GIT_DIR and GIT_INDEX_FILE, which git sets for hooks, are respected.
func TestHookEnvironment(t *testing.T) {
	f := newFixture(t)
	base(f)
	f.write("a.txt", "changed")
	t.Setenv("GIT_DIR", f.path(".git"))
	t.Setenv("GIT_WORK_TREE", f.dir)
	t.Setenv("GIT_GLOB_PATHSPECS", "1")
	repo, err := gitstore.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	status, err := repo.Status(t.Context())
	if err != nil || repo.Root() != resolved(t, f.dir) {
		t.Fatalf("root %s, %v", repo.Root(), err)
	}
	equalLines(t, "status", brief(status.Changes), []string{"modified regular a.txt"})
	if _, ok, err := repo.LastCommit(t.Context(), "HEAD", "a.txt"); err != nil || !ok {
		t.Errorf("last commit: %v, %v", ok, err)
	}
}

// TestOpenWithoutGit: with no git on PATH, commits can be read.
func TestOpenWithoutGit(t *testing.T) {
	f := newFixture(t)
	base(f)
	t.Setenv("PATH", t.TempDir())
	repo, err := gitstore.Open(t.Context(), f.dir)
	if err != nil {
		t.Fatal(err)
	}
	if head, err := repo.Head(t.Context()); err != nil || head.Subject != "base" {
		t.Errorf("head = %+v, %v", head, err)
	}
	if n := repo.Counters().Spawns; n != 0 {
		t.Errorf("%d processes were started", n)
	}
	if _, err := gitstore.OpenWith(t.Context(), f.dir, gitstore.CLI); !errors.Is(err, gitstore.ErrUnsupported) {
		t.Errorf("the adapter over git: %v, want ErrUnsupported", err)
	}
}

// TestAuthorName is who git would name, by the environment or the configuration.
func TestAuthorName(t *testing.T) {
	f := newFixture(t)
	check := func(want string) {
		t.Helper()
		each(t, f.dir, func(t *testing.T, repo *gitstore.Repo) {
			got, err := repo.AuthorName(t.Context())
			if got != want || (want == "") != errors.Is(err, gitstore.ErrNoIdentity) {
				t.Errorf("%q, %v; want %q", got, err, want)
			}
		})
	}
	check("Ada")
	f.configure("[author]\n\tname = Grace\n")
	check("Grace")
	t.Setenv("GIT_AUTHOR_NAME", "Barbara")
	check("Barbara")
	t.Setenv("GIT_AUTHOR_NAME", "")
	nobody := &fixture{t: t, dir: t.TempDir()}
	nobody.git("init", "--quiet", "--template=")
	nobody.configure("[user]\n\tuseConfigOnly = true\n")
	f = nobody
	check("")
}

// TestConfigurationOnlyGitReads: what our reader does not understand is left to git.
func TestConfigurationOnlyGitReads(t *testing.T) {
	f := newFixture(t)
	base(f)
	config, err := os.ReadFile(f.path(".git/config"))
	f.must(err)
	f.write(".git/config", string(config)+"[odd.Section]\n\tkey = value\n[core]\n\tfilemode\n")
	f.chmod("a.txt", 0o755)
	if _, err := f.try("status"); err != nil {
		t.Fatal("git does not read this configuration either")
	}
	status, err := open(t, gitstore.CLI, f.dir).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equalLines(t, "status", brief(status.Changes), []string{"modified executable a.txt"})
}

// TestReplacedObjectsAndGrafts: both belong to one clone, and commits are read as their ids say.
func TestReplacedObjectsAndGrafts(t *testing.T) {
	f := newFixture(t)
	base(f)
	first := f.git("rev-parse", "HEAD")
	want := f.git("rev-parse", "HEAD:a.txt")
	f.write("a.txt", "second\n")
	second := f.commit("second")
	f.write("a.txt", "third\n")
	third := f.commit("third")
	f.git("replace", first, third)
	f.write(".git/info/grafts", second+"\n")
	list, err := open(t, gitstore.CLI, f.dir).Tree(t.Context(), first)
	if err != nil || !slices.ContainsFunc(list, func(e gitstore.Entry) bool { return e.Path == "a.txt" && e.ID == want }) {
		t.Errorf("%v, %v: want a.txt with %s", list, err, want)
	}
	each(t, f.dir, func(t *testing.T, repo *gitstore.Repo) {
		if is, err := repo.Contains(t.Context(), second, first); err != nil || !is {
			t.Errorf("the first commit is an ancestor of the second: %t, %v", is, err)
		}
	})
}

// TestHidden lists the files that git does not compare with the work tree, for each form of an index.
func TestHidden(t *testing.T) {
	for _, c := range []struct {
		form    string
		command []string
		spawns  int64
	}{
		{"plain", []string{"status"}, 0},
		{"version 4", []string{"update-index", "--index-version", "4"}, 1},
		{"split", []string{"update-index", "--split-index"}, 1},
		{"with extensions", []string{"update-index", "--untracked-cache", "--force-write-index"}, 0},
		{"sparse", []string{"sparse-checkout", "set", "--cone", "--sparse-index", "dir"}, 1},
	} {
		t.Run(c.form, func(t *testing.T) {
			f := newFixture(t)
			base(f)
			f.write("out/of/cone.txt", "x")
			f.git("add", ".")
			f.git("commit", "--quiet", "--message=more")
			f.git("update-index", "--assume-unchanged", "a.txt")
			f.git("update-index", "--skip-worktree", "dir/c.txt", "dir/run.sh")
			f.git("update-index", "--assume-unchanged", "dir/run.sh")
			f.git(c.command...)
			repo := open(t, gitstore.CLI, f.dir)
			hidden, err := repo.Hidden(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for line := range strings.SplitSeq(f.git("ls-files", "-v"), "\n") {
				if tag, path, ok := strings.Cut(line, " "); ok && tag != "H" {
					want = append(want, path)
				}
			}
			if len(want) < 2 {
				t.Fatalf("git hides only %q", want)
			}
			equalLines(t, "hidden", slices.Sorted(maps.Keys(hidden)), want)
			if n := repo.Counters().Spawns; n != c.spawns {
				t.Errorf("%d processes, want %d", n, c.spawns)
			}
		})
	}
}
