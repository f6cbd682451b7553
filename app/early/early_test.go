package early

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"
)

// repository is one that causal has run in, with a file that is not committed.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "--quiet", "--initial-branch=main", "--template=")
	put(t, filepath.Join(dir, "new.go"), "package new\n")
	put(t, filepath.Join(dir, ".git", "causal", "lock"), "1")
	put(t, filepath.Join(dir, "below", "x"), "x")
	return dir
}

func put(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return out
}

func binary(t *testing.T) string {
	t.Helper()
	name, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func TestLookIsWhatGitTells(t *testing.T) {
	dir := repository(t)
	t.Chdir(filepath.Join(dir, "below"))
	begun.Store(commanded([]string{"causal", "check", "--json"}))
	told := Take(binary(t), dir)
	if told == nil {
		t.Fatal("no look was begun")
	}
	text, err := told()
	if err != nil {
		t.Fatal(err)
	}
	if want := git(t, dir, Status()...); !bytes.Equal(text, want) || !strings.Contains(string(text), "? new.go") {
		t.Errorf("told %q, want %q", text, want)
	}
	if Take(binary(t), dir) != nil {
		t.Error("the look was handed out twice")
	}
}

func TestOnlyWhatNeedsALookBeginsOne(t *testing.T) {
	t.Chdir(repository(t))
	for line, want := range map[string]bool{
		"causal": false, "causal update": true, "causal check": true, "causal update --json": true,
		"causal update --rev HEAD": false, "causal update elsewhere": false, "causal why auth": false, "causal check --json .": false,
	} {
		if got := commanded(strings.Fields(line)) != nil; got != want {
			t.Errorf("%s: begun %t, want %t", line, got, want)
		}
	}
	t.Setenv("GIT_DIR", ".git")
	if commanded([]string{"causal", "check"}) != nil {
		t.Error("a look was begun at what GIT_DIR does not mean")
	}
}

func TestWhereNoLookIsBegun(t *testing.T) {
	path := os.Getenv("PATH")
	for name, spoil := range map[string]func(dir string) (string, string){
		"no repository": func(string) (string, string) { return t.TempDir(), path },
		"no git":        func(dir string) (string, string) { return dir, t.TempDir() },
		"git may come from the current directory": func(dir string) (string, string) { return dir, ".:" + path },
		"first run": func(dir string) (string, string) {
			_ = os.Remove(filepath.Join(dir, ".git", "causal", "lock"))
			return dir, path
		},
		"a submodule": func(dir string) (string, string) {
			put(t, filepath.Join(dir, "below", ".git"), "gitdir: ../.git/modules/below\n")
			return filepath.Join(dir, "below"), path
		},
		"another run": func(dir string) (string, string) {
			l := flock.New(filepath.Join(dir, ".git", "causal", "lock"))
			if err := l.Lock(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = l.Close() })
			return dir, path
		},
	} {
		if begin(spoil(repository(t))) != nil {
			t.Errorf("%s: a look was begun", name)
		}
	}
}

func TestLookIsDropped(t *testing.T) {
	for name, take := range map[string]func(dir string) (string, string){
		"another git":        func(dir string) (string, string) { return "/elsewhere/git", dir },
		"another repository": func(string) (string, string) { return binary(t), repository(t) },
		"another run since": func(dir string) (string, string) {
			put(t, filepath.Join(dir, ".git", "causal", "lock"), "2")
			return binary(t), dir
		},
		"the repository is gone": func(dir string) (string, string) {
			_ = os.RemoveAll(filepath.Join(dir, ".git"))
			return binary(t), dir
		},
	} {
		dir := repository(t)
		look := begin(dir, os.Getenv("PATH"))
		if look == nil {
			t.Fatalf("%s: no look was begun", name)
		}
		begun.Store(look)
		if Take(take(dir)) != nil {
			t.Errorf("%s: the look was handed out", name)
		}
	}
}

func TestFailureIsTold(t *testing.T) {
	dir := repository(t)
	put(t, filepath.Join(dir, ".git", "index"), "not an index")
	begun.Store(begin(dir, os.Getenv("PATH")))
	told := Take(binary(t), dir)
	if told == nil {
		t.Fatal("no look was begun")
	}
	if _, err := told(); err == nil {
		t.Error("what git told is taken though it failed")
	}
}

func TestEnvironmentSaysEverythingOnce(t *testing.T) {
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	t.Setenv("GIT_GLOB_PATHSPECS", "1")
	t.Setenv("GIT_OPTIONAL_LOCKS", "1")
	times := map[string]int{}
	for _, v := range Environment(WithoutLocks) {
		name, _ := cut(v, '=')
		times[name]++
		if name == "LC_ALL" && v != "LC_ALL=C" {
			t.Errorf("git is told %s", v)
		}
	}
	for _, v := range append(Unattended(), WithoutLocks) {
		if name, _ := cut(v, '='); times[name] != 1 {
			t.Errorf("%s is said %d times", name, times[name])
		}
	}
	if times["GIT_GLOB_PATHSPECS"] != 0 {
		t.Error("paths are patterns")
	}
}
