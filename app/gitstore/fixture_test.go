package gitstore_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

// TestMain isolates the tests from the user's configuration.
func TestMain(m *testing.M) { os.Exit(isolated(m)) }

func isolated(m *testing.M) int {
	if _, err := exec.LookPath("git"); err != nil {
		fmt.Fprintln(os.Stderr, "skipped: these tests build their repositories with git, which is not installed")
		return 0
	}
	home, err := os.MkdirTemp("", "gitstore-home-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(home)
	for _, name := range []string{
		"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE",
		"GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE", "EMAIL",
	} {
		os.Unsetenv(name)
	}
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"), "GIT_CONFIG_GLOBAL": os.DevNull,
		"GIT_CONFIG_NOSYSTEM": "1",
	} {
		os.Setenv(name, value)
	}
	// Each check starts a dozen processes; more checks: -rapid.checks=1000.
	if err := flag.Set("rapid.checks", "5"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for name, t := range map[string]*template{"empty": empty, "base": commitOfBase, "history": commitsOfHistory} {
		if err := t.make(filepath.Join(home, name)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}

// template is a repository that fixtures copy instead of building it.
type template struct {
	build   func(f *fixture)
	dir     string
	commits int
}

// empty is a repository with an identity and no commit.
var empty = &template{build: func(*fixture) {}}

// failing is a tester that turns a failure into a panic.
type failing struct{}

func (failing) Helper() {}

func (failing) Fatalf(format string, args ...any) { panic(fmt.Errorf(format, args...)) }

func (t *template) make(dir string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("build a template: %v", p)
		}
	}()
	f := &fixture{t: failing{}, dir: dir}
	f.init()
	t.build(f)
	t.dir, t.commits = dir, f.commits
	return nil
}

// adapters have to give the same answers in every test that ranges over them.
var adapters = []gitstore.Adapter{gitstore.CLI, gitstore.GoGit}

// tester is what fixtures need of *testing.T, *testing.B and *rapid.T.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// fixture is a repository built with git.
type fixture struct {
	t       tester
	dir     string
	commits int
	fresh   bool // nothing has happened to it since it was copied from the template without commits
}

// newFixture makes a repository with an identity and no commit.
func newFixture(t testing.TB, options ...string) *fixture {
	t.Helper()
	return initIn(t, t.TempDir(), options...)
}

// initIn makes the repository in a directory that is empty or does not exist.
func initIn(t tester, dir string, options ...string) *fixture {
	t.Helper()
	f := &fixture{t: t, dir: dir}
	if len(options) == 0 {
		f.must(os.CopyFS(dir, os.DirFS(empty.dir)))
		f.fresh = true
		return f
	}
	f.init(options...)
	return f
}

func (f *fixture) init(options ...string) {
	f.t.Helper()
	f.must(os.MkdirAll(f.dir, 0o755))
	f.git(append([]string{"init", "--quiet", "--initial-branch=main", "--template="}, options...)...)
	if !slices.Contains(options, "--bare") {
		f.identify()
	}
}

// become makes a fresh fixture a copy of a template; false if the fixture is not fresh.
func (f *fixture) become(t *template) bool {
	f.t.Helper()
	if !f.fresh {
		return false
	}
	config, err := os.ReadFile(f.path(".git/config")) // it may be configured already
	f.must(err)
	f.remove(".git")
	f.must(os.CopyFS(f.dir, os.DirFS(t.dir)))
	f.write(".git/config", string(config))
	f.commits = t.commits
	return true
}

// configure adds settings to the repository, as "[section]\n\tkey = value\n". A fresh fixture stays fresh.
func (f *fixture) configure(settings string) {
	f.t.Helper()
	config, err := os.ReadFile(f.path(".git/config"))
	f.must(err)
	f.must(os.WriteFile(f.path(".git/config"), []byte(string(config)+settings), 0o644))
}

func (f *fixture) identify() {
	f.configure("[user]\n\tname = Ada\n\temail = ada@example.com\n")
}

// git runs git in the repository and returns the output without the last line end.
func (f *fixture) git(args ...string) string {
	f.t.Helper()
	out, err := f.try(args...)
	if err != nil {
		f.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(out, "\n")
}

// try runs git with dates that grow by a minute with every commit.
func (f *fixture) try(args ...string) (string, error) {
	f.fresh = false
	cmd := exec.Command("git", args...)
	cmd.Dir = f.dir
	date := fmt.Sprintf("%d +0100", epoch+60*f.commits)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date,
		"GIT_CONFIG_COUNT=4", "GIT_CONFIG_KEY_3=core.fsync", "GIT_CONFIG_VALUE_3=none", "GIT_CONFIG_KEY_0=protocol.file.allow", "GIT_CONFIG_VALUE_0=always",
		"GIT_CONFIG_KEY_1=advice.addEmbeddedRepo", "GIT_CONFIG_VALUE_1=false",
		"GIT_CONFIG_KEY_2=gc.auto", "GIT_CONFIG_VALUE_2=0")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return string(out) + stderr.String(), err
	}
	return string(out), nil
}

// epoch is 2026-01-01T00:00:00Z, the date of the first commit less one minute.
const epoch = 1767225600

// commit commits everything and returns the id.
func (f *fixture) commit(message string) string {
	f.t.Helper()
	f.git("add", "--all")
	return f.commitStaged(message)
}

func (f *fixture) commitStaged(message string) string {
	f.t.Helper()
	f.commits++
	f.git("commit", "--quiet", "--allow-empty", "--message", message)
	return f.git("rev-parse", "HEAD")
}

func (f *fixture) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatalf("%v", err)
	}
}

func (f *fixture) write(name, content string) {
	f.t.Helper()
	f.fresh = false
	f.must(os.MkdirAll(filepath.Dir(f.path(name)), 0o755))
	f.must(os.WriteFile(f.path(name), []byte(content), 0o644))
}

func (f *fixture) link(name, target string) {
	f.t.Helper()
	f.must(os.MkdirAll(filepath.Dir(f.path(name)), 0o755))
	f.must(os.Symlink(target, f.path(name)))
}

func (f *fixture) chmod(name string, mode os.FileMode) { f.must(os.Chmod(f.path(name), mode)) }

func (f *fixture) remove(name string) { f.must(os.RemoveAll(f.path(name))) }

// open opens the repository in a directory.
func open(t testing.TB, adapter gitstore.Adapter, dir string) *gitstore.Repo {
	t.Helper()
	repo, err := gitstore.OpenWith(t.Context(), dir, adapter)
	if err != nil {
		t.Fatalf("open with %s: %v", adapter, err)
	}
	return repo
}

// each runs a test for both adapters over one fixture, which the test must not change.
func each(t *testing.T, dir string, test func(t *testing.T, repo *gitstore.Repo)) {
	t.Helper()
	for _, adapter := range adapters {
		t.Run(adapter.String(), func(t *testing.T) { test(t, open(t, adapter, dir)) })
	}
}

// brief formats changes as "kind mode path".
func brief(changes []gitstore.Change) []string {
	lines := make([]string, 0, len(changes))
	for _, c := range changes {
		lines = append(lines, strings.Join(strings.Fields(string(c.Kind)+" "+string(c.Mode)), " ")+" "+c.Path)
	}
	return lines
}

func equalLines(t tester, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// listing writes entries as "id mode path".
func listing(entries []gitstore.Entry) []string {
	lines := make([]string, 0, len(entries))
	for _, e := range entries {
		lines = append(lines, e.ID+" "+string(e.Mode)+" "+e.Path)
	}
	return lines
}

// staged lists the entries that git would commit of the work tree, with ids. It stages everything in a separate index.
func (f *fixture) staged() []string {
	f.t.Helper()
	index := f.path(".git/index")
	scratch := index + ".scratch"
	if data, err := os.ReadFile(index); err == nil {
		info, err := os.Stat(index)
		f.must(err)
		f.must(os.WriteFile(scratch, data, 0o644))
		f.must(os.Chtimes(scratch, info.ModTime(), info.ModTime())) // git trusts index entries by this time
	}
	defer os.Remove(scratch)
	env := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = f.dir, append(os.Environ(), "GIT_INDEX_FILE="+scratch)
		out, err := cmd.Output()
		f.must(err)
		return string(out)
	}
	env("add", "--all")
	return stagedLines(env("ls-files", "--stage", "-z"))
}

var modeNames = map[string]gitstore.Mode{
	"100644": gitstore.Regular, "100755": gitstore.Executable, "120000": gitstore.Symlink, "160000": gitstore.Submodule,
}

// stagedLines reads "mode id stage\tpath\0" into "id mode path".
func stagedLines(out string) []string {
	var lines []string
	for item := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		meta, path, ok := strings.Cut(item, "\t")
		if fields := strings.Fields(meta); ok {
			lines = append(lines, fields[1]+" "+string(modeNames[fields[0]])+" "+path)
		}
	}
	return lines
}

// head returns the commit that is checked out, empty before the first one, and the ids of its files.
func (f *fixture) head() (commit string, ids map[string]string) {
	out, err := f.try("rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return "", nil
	}
	ids = map[string]string{}
	for item := range strings.SplitSeq(f.git("ls-tree", "-r", "-z", "HEAD"), "\x00") {
		if meta, path, ok := strings.Cut(item, "\t"); ok {
			ids[path] = strings.Fields(meta)[2]
		}
	}
	return strings.TrimSpace(out), ids
}
