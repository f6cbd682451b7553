package matrix

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/store"
)

var layout = store.Layout{Docs: "docs/causal"}

// TestMain keeps the user's git configuration out of the measurement, and git from waiting for the disk.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false",
		"GIT_CONFIG_KEY_1": "core.fsync", "GIT_CONFIG_VALUE_1": "none",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
	} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// repo is a temporary repository. Commit times increase by one day.
type repo struct {
	t   *testing.T
	dir string
	day int
}

// newRepo makes a repository with one commit that holds files.
func newRepo(t *testing.T, dir string, files map[string]string) *repo {
	t.Helper()
	r := &repo{t: t, dir: dir}
	r.git("init", "-q", "-b", "main", "--template=")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		r.write(name, files[name])
	}
	r.commit()
	return r
}

// copy copies the repository to another directory, except the paths in skip.
func (r *repo) copy(t *testing.T, skip ...string) *repo {
	t.Helper()
	out := &repo{t: t, dir: t.TempDir(), day: r.day}
	if err := os.CopyFS(out.dir, os.DirFS(r.dir)); err != nil {
		t.Fatal(err)
	}
	for _, name := range skip {
		if err := os.RemoveAll(out.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func (r *repo) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r *repo) write(name, text string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(r.path(name), []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) read(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(r.path(name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	when := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, r.day).Format(time.RFC3339)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (r *repo) commit() {
	r.t.Helper()
	r.day++
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", fmt.Sprintf("day %d", r.day))
}

// causal runs the program with --json and decodes the output.
func (r *repo) causal(into any, args ...string) int {
	r.t.Helper()
	var out, talk bytes.Buffer
	code := cli.Run(context.Background(), append(args, "--json"), cli.IO{
		Out: &out, Err: &talk, Getenv: os.Getenv, Now: time.Now, Dir: r.dir,
	})
	if code != cli.ExitClean && code != cli.ExitFindings {
		r.t.Fatalf("causal %s: exit code %d: %s", strings.Join(args, " "), code, &talk)
	}
	if err := json.Unmarshal(out.Bytes(), into); err != nil {
		r.t.Fatalf("causal %s printed no JSON: %v\n%s", strings.Join(args, " "), err, &out)
	}
	return code
}

func (r *repo) update() report.Update {
	r.t.Helper()
	var report report.Update
	r.causal(&report, "update")
	return report
}

// check returns the exit code and the stale modules, with the reason and the file.
func (r *repo) check() (int, []string) {
	r.t.Helper()
	var report report.Check
	code := r.causal(&report, "check")
	var stale []string
	for _, s := range report.Stale {
		stale = append(stale, s.Node+" "+s.Because+" "+s.File+" "+s.Detail)
	}
	return code, stale
}

// files reads every file of the work tree.
func (r *repo) files() map[string]string {
	r.t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(r.dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".git":
			return fs.SkipDir
		case !d.IsDir():
			out[name] = r.read(name)
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

// snapshot holds the files of a repository by path. knowledge is owned without provenance, sources are the other files.
type snapshot struct{ owned, knowledge, sources map[string]string }

// provenance matches the lines of nodes and pages that say when and where something was verified.
var provenance = regexp.MustCompile(`(?m)^ *(- )?(last_verified|commit|frame_id|at|lines|hash): .*$|#L\d+(-L\d+)?`)

func (r *repo) take() snapshot {
	r.t.Helper()
	s := snapshot{owned: map[string]string{}, sources: map[string]string{}, knowledge: map[string]string{}}
	for name, text := range r.files() {
		switch {
		case !layout.Owns(name) || name == store.Config:
			s.sources[name] = text
			continue
		case !strings.HasPrefix(name, layout.FramesDir()+"/"): // sessions of specs lie below
			s.knowledge[name] = provenance.ReplaceAllString(text, "")
		}
		s.owned[name] = text
	}
	return s
}

// modules lists the modules with a node, sorted.
func (s snapshot) modules() []string {
	var out []string
	for name := range s.owned {
		if m, ok := layout.ModuleOf(name); ok && layout.IsNode(name) {
			out = append(out, m)
		}
	}
	slices.Sort(out)
	return out
}

// difference lists the paths that are not the same in both.
func difference(a, b map[string]string) []string {
	var out []string
	for name := range a {
		if other, ok := b[name]; !ok || other != a[name] {
			out = append(out, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// edit changes the work tree.
type edit func(r *repo)

func replace(name, old, text string) edit {
	return func(r *repo) {
		r.t.Helper()
		was := r.read(name)
		if strings.Count(was, old) != 1 {
			r.t.Fatalf("%q is in %s %d times", old, name, strings.Count(was, old))
		}
		r.write(name, strings.Replace(was, old, text, 1))
	}
}

func create(name, text string) edit { return func(r *repo) { r.t.Helper(); r.write(name, text) } }

func remove(name string) edit {
	return func(r *repo) {
		r.t.Helper()
		if err := os.RemoveAll(r.path(name)); err != nil {
			r.t.Fatal(err)
		}
	}
}

// rename moves a file or a directory.
func rename(from, to string) edit {
	return func(r *repo) {
		r.t.Helper()
		if err := os.MkdirAll(filepath.Dir(r.path(to)), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.Rename(r.path(from), r.path(to)); err != nil {
			r.t.Fatal(err)
		}
	}
}

func executable(name string) edit {
	return func(r *repo) {
		r.t.Helper()
		if err := os.Chmod(r.path(name), 0o755); err != nil {
			r.t.Fatal(err)
		}
	}
}

// pageOf names a page by its module, the entry page by "index", the list of modules by "list", and the guide for agents by "guide".
func pageOf(file string) string {
	switch file {
	case layout.ModuleList():
		return "list"
	case layout.Guide():
		return "guide"
	}
	if of, part, _, ok := layout.PartOf(file); ok {
		return of + "~" + part
	}
	if m, ok := layout.ModuleOf(file); ok {
		return m
	}
	return strings.TrimSuffix(path.Base(file), ".md")
}
