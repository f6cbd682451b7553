package worktree_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

var layout = store.Layout{Docs: "docs/causal"}

// hub is a repository that is served over HTTP, and a mirror of it.
type hub struct {
	*fixture
	mirror   *gitstore.Mirror
	requests atomic.Int64
	scratch  string
}

// execPath asks git once where its programs are.
var execPath = sync.OnceValues(func() ([]byte, error) { return exec.Command("git", "--exec-path").Output() })

func serve(t *testing.T) *hub {
	t.Helper()
	out, err := execPath()
	if err != nil {
		t.Fatal(err)
	}
	backend := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, err := exec.LookPath(backend); err != nil {
		t.Skip("git-http-backend is not installed")
	}
	h := &hub{fixture: setup(t, later), scratch: filepath.Join(t.TempDir(), "scratch")}
	config := filepath.Join(h.root, ".git", "config")
	text, err := os.ReadFile(config)
	if err == nil {
		err = os.WriteFile(config, append(text, "[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n"...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	handler := &cgi.Handler{
		Path: backend, Root: "/x.git", InheritEnv: []string{"PATH"},
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Join(h.root, ".git"), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1"},
	}
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:t0"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.requests.Add(1)
		if r.Header.Get("Authorization") != want {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	auth := func(context.Context) (string, error) { return "t0", nil }
	if h.mirror, err = gitstore.OpenMirror(t.Context(), filepath.Join(t.TempDir(), "mirror"), server.URL+"/x.git", auth); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.mirror.Close() })
	return h
}

// next commits everything and returns the id.
func (h *hub) next() string {
	h.Helper()
	h.commit()
	return h.git("rev-parse", "HEAD")
}

// open shows a commit with the hub's one scratch directory.
func (h *hub) open(commit string) (*worktree.Bare, *worktree.Scratch) {
	h.Helper()
	bare, scratch, err := h.try(commit)
	if err != nil {
		h.Fatal(err)
	}
	return bare, scratch
}

func (h *hub) try(commit string) (*worktree.Bare, *worktree.Scratch, error) {
	h.Helper()
	scratch, err := worktree.OpenScratch(h.scratch, layout)
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { _ = scratch.Close() })
	bare, err := worktree.NewBare(h.Context(), h.mirror.Repo(), h.mirror.Fetch, commit, scratch, "")
	return bare, scratch, err
}

func stateOf(t *testing.T, tree survey.Tree) survey.State {
	t.Helper()
	s, err := tree.State(t.Context(), func() survey.State { return survey.State{} })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBareAgreesWithTheWorkTree of a checkout of the same commits.
func TestBareAgreesWithTheWorkTree(t *testing.T) {
	t.Parallel()
	h := serve(t)
	h.write(".causal/config.yml", "version: 1\n")
	h.write("docs/causal/index.md", "# pages\n")
	first := h.next()
	before := h.state(survey.State{})
	firstBare, _ := h.open(first)
	h.write("a.go", "package a // edited\n")
	h.write("new/c.go", "package c\n")
	h.git("rm", "-q", "dir/b.go")
	second := h.next()
	now := h.state(survey.State{})
	bare, _ := h.open(second)
	if s := stateOf(t, bare); !s.Equal(now) {
		t.Errorf("state %+v, want %+v", s, now)
	}
	head, err := bare.Head(t.Context())
	if want, _ := h.tree.Head(t.Context()); err != nil || head != want {
		t.Errorf("head %+v, %v; want %+v", head, err, want)
	}
	got, _, err := bare.Changes(t.Context(), stateOf(t, firstBare), stateOf(t, bare))
	want, _, _ := h.tree.Changes(t.Context(), before, now)
	if err != nil || len(got) != 3 || !slices.Equal(got, want) {
		t.Errorf("changes %+v, %v; want %+v", got, err, want)
	}
	entries, err := bare.Entries(t.Context(), stateOf(t, bare))
	wantEntries, _ := h.tree.Entries(t.Context(), now)
	if err != nil || !slices.Equal(entries, wantEntries) {
		t.Errorf("entries %+v, %v; want %+v", entries, err, wantEntries)
	}
	regular := slices.DeleteFunc(entries, func(e survey.Entry) bool { return e.Mode != survey.Regular })
	if got, want := texts(t, bare, regular), texts(t, h.tree, regular); !maps.Equal(got, want) || len(got) != 4 {
		t.Errorf("read %q, want %q", got, want)
	}
}

func texts(t *testing.T, tree survey.Tree, list []survey.Entry) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := tree.Read(t.Context(), list, 18, func(e survey.Entry, content []byte, err error) error {
		out[e.Path] = fmt.Sprintf("%s %v", content, err)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestBareReadsInOneBatch(t *testing.T) {
	t.Parallel()
	h := serve(t)
	for i := range 100 {
		h.write(fmt.Sprintf("p/%d.go", i), fmt.Sprintf("package p // %d\n", i))
	}
	bare, _ := h.open(h.next())
	entries, err := bare.Entries(t.Context(), stateOf(t, bare))
	if err != nil {
		t.Fatal(err)
	}
	before := h.requests.Load()
	if got := texts(t, bare, entries); len(got) != 103 {
		t.Errorf("%d files were read", len(got))
	}
	if n := h.requests.Load() - before; n > 2 {
		t.Errorf("%d requests for the files of one Read", n)
	}
}

// TestBareChangesAfterAForcePush: the dropped commit is asked for; when the remote has forgotten it, nothing is known.
func TestBareChangesAfterAForcePush(t *testing.T) {
	t.Parallel()
	h := serve(t)
	h.write("a.go", "package a // dropped\n")
	dropped := h.next()
	h.git("reset", "-q", "--hard", "HEAD~1")
	h.write("a.go", "package a // instead\n")
	head := h.next()
	bare, _ := h.open(head)
	from, to := survey.State{Commit: dropped}, stateOf(t, bare)
	if changes, known, err := bare.Changes(t.Context(), from, to); err != nil || !known || len(changes) != 1 {
		t.Errorf("while the remote has it: %+v, %v, %v", changes, known, err)
	}
	for _, unknown := range []string{strings.Repeat("1", 40), "nonsense"} {
		from.Commit = unknown
		if changes, known, err := bare.Changes(t.Context(), from, to); err != nil || known || changes != nil {
			t.Errorf("from %s: %+v, %v, %v; want not known", unknown, changes, known, err)
		}
	}
	if _, known, err := bare.Changes(t.Context(), survey.State{}, to); err != nil || known {
		t.Errorf("from no commit: %v, %v", known, err)
	}
	if _, _, err := h.try(strings.Repeat("1", 40)); !errors.Is(err, gitstore.ErrUnknownObject) {
		t.Errorf("an unknown commit: %v; want ErrUnknownObject", err)
	}
}

// TestBareWrote: what was written shows in the state, and once it is committed it is no change.
func TestBareWrote(t *testing.T) {
	t.Parallel()
	h := serve(t)
	h.write(".causal/nodes/a.yml", "module: a\n")
	h.write("docs/causal/old.md", "# old\n")
	bare, scratch := h.open(h.next())
	start, clean := stateOf(t, bare), h.state(survey.State{})
	dir, err := store.OpenDir(scratch.Dir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	for name, text := range map[string]string{".causal/nodes/a.yml": "module: a\npath: a\n", "docs/causal/new.md": "# new\n"} {
		if _, err := dir.Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		h.write(name, text)
	}
	if err := dir.Remove("docs/causal/old.md", "docs/causal"); err != nil {
		t.Fatal(err)
	}
	h.git("rm", "-q", "docs/causal/old.md")
	told, err := bare.Wrote(t.Context(), start, dir.Changed())
	if err != nil {
		t.Fatal(err)
	}
	want := h.state(survey.State{})
	if !told.Equal(want) || len(told.Dirty) != 3 {
		t.Errorf("told %+v, the work tree is %+v", told, want)
	}
	undone, _, err := bare.Changes(t.Context(), told, start)
	if wantUndone, _, _ := h.tree.Changes(t.Context(), want, clean); err != nil || !slices.Equal(undone, wantUndone) {
		t.Errorf("taking it back changes %+v, %v; want %+v", undone, err, wantUndone)
	}
	if s := stateOf(t, bare); !s.Equal(told) {
		t.Errorf("state %+v, told %+v", s, told)
	}
	published, _ := h.open(h.next())
	if changes, known, err := published.Changes(t.Context(), told, stateOf(t, published)); err != nil || !known || len(changes) != 0 {
		t.Errorf("the commit of what was written changes %+v, %v, %v", changes, known, err)
	}
	if _, err := dir.Write(".causal/nodes/a.yml", []byte("module: a\n")); err != nil {
		t.Fatal(err)
	}
	back, err := bare.Wrote(t.Context(), told, map[string][]byte{".causal/nodes/a.yml": nil})
	if err != nil || len(back.Dirty) != 2 {
		t.Errorf("after one was taken back: %+v, %v", back, err)
	}
}

func TestBarePublished(t *testing.T) {
	t.Parallel()
	h := serve(t)
	base := h.git("rev-parse", "HEAD")
	main := h.next()
	h.git("checkout", "-q", "-b", "side", base)
	h.write("a.go", "package a // side\n")
	side := h.next()
	_, scratch := h.open(main)
	for permanent, want := range map[string][3]bool{main: {true, true, false}, side: {true, false, true}, "": {}} {
		bare, err := worktree.NewBare(t.Context(), h.mirror.Repo(), h.mirror.Fetch, main, scratch, permanent)
		if err != nil {
			t.Fatal(err)
		}
		for i, commit := range []string{base, main, side} {
			if got, err := bare.Published(t.Context(), commit); err != nil || got != want[i] {
				t.Errorf("Published(%s) on %q = %v, %v; want %v", commit, permanent, got, err, want[i])
			}
		}
	}
}

// files lists a directory: name to content, or to where a link leads.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		if err != nil || rel == "." {
			return err
		}
		if d.IsDir() {
			out[filepath.ToSlash(rel)+"/"] = ""
			return nil
		}
		if d.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(name)
			out[filepath.ToSlash(rel)] = "-> " + target
			return err
		}
		text, err := os.ReadFile(name)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestScratch: it holds causal's own files and nothing else, whatever was there, and writes only what differs.
func TestScratch(t *testing.T) {
	t.Parallel()
	h := serve(t)
	h.write(".causal/config.yml", "version: 1\n")
	h.write(".causal/nodes/a.yml", "module: a\n")
	h.write(".causal/nodes/dir/b.yml", "module: dir/b\n")
	h.write("docs/causal/index.md", "# pages\n")
	h.write("docs/guide.md", "# not ours\n")
	first := h.next()
	h.git("rm", "-q", "-r", ".causal/nodes/dir")
	h.write(".causal/nodes/dir", "a file now\n")
	h.write("docs/causal/index.md", "# more pages\n")
	second := h.next()
	wantFirst := map[string]string{
		".causal/": "", ".causal/config.yml": "version: 1\n", ".causal/nodes/": "", ".causal/nodes/a.yml": "module: a\n",
		".causal/nodes/dir/": "", ".causal/nodes/dir/b.yml": "module: dir/b\n", "docs/": "", "docs/causal/": "",
		"docs/causal/index.md": "# pages\n",
	}
	wantSecond := maps.Clone(wantFirst)
	delete(wantSecond, ".causal/nodes/dir/")
	delete(wantSecond, ".causal/nodes/dir/b.yml")
	wantSecond[".causal/nodes/dir"], wantSecond["docs/causal/index.md"] = "a file now\n", "# more pages\n"
	kept := filepath.Join(h.scratch, ".causal", "config.yml")
	old := time.Unix(1, 0)
	for i, step := range []struct {
		commit  string
		want    map[string]string
		disturb func() error
	}{
		{first, wantFirst, func() error { return nil }},
		{second, wantSecond, func() error { return os.Chtimes(kept, old, old) }},
		{first, wantFirst, func() error { return nil }},
		{first, wantFirst, func() error {
			return errors.Join(os.WriteFile(filepath.Join(h.scratch, ".causal", "nodes", "a.yml"), []byte("half"), 0o644),
				os.MkdirAll(filepath.Join(h.scratch, ".causal", "tmp", "x"), 0o755),
				os.WriteFile(filepath.Join(h.scratch, "stray"), nil, 0o644),
				os.Symlink("/etc", filepath.Join(h.scratch, "docs", "causal", "etc")))
		}},
		{first, wantFirst, func() error {
			return errors.Join(os.RemoveAll(filepath.Join(h.scratch, "docs")), os.Symlink(t.TempDir(), filepath.Join(h.scratch, "docs")))
		}},
		{second, wantSecond, func() error {
			return errors.Join(os.Remove(filepath.Join(h.scratch, ".causal", "nodes", "a.yml")),
				os.Mkdir(filepath.Join(h.scratch, ".causal", "nodes", "a.yml"), 0o755))
		}},
	} {
		if err := step.disturb(); err != nil {
			t.Fatal(err)
		}
		_, scratch := h.open(step.commit)
		if got := files(t, scratch.Dir()); !maps.Equal(got, step.want) {
			t.Errorf("step %d: %q\nwant %q", i, got, step.want)
		}
	}
	if info, err := os.Stat(kept); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("a file that never differed was written: %v", err)
	}
}

// TestScratchLinks: a link of the repository stays a link and leads nobody outside; one in the place of a
// directory is refused.
func TestScratchLinks(t *testing.T) {
	t.Parallel()
	h := serve(t)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("theirs"), 0o644); err != nil {
		t.Fatal(err)
	}
	h.write("docs/causal/index.md", "# pages\n")
	h.link(outside, "docs/causal/a.md")
	h.link(filepath.Dir(outside), "docs/causal/pictures")
	_, scratch := h.open(h.next())
	for name, want := range map[string]string{"a.md": outside, "pictures": filepath.Dir(outside)} {
		if target, err := os.Readlink(filepath.Join(scratch.Dir(), "docs", "causal", name)); err != nil || target != want {
			t.Errorf("%s leads to %q, %v, want %q", name, target, err, want)
		}
	}
	dir, err := store.OpenDir(scratch.Dir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if _, err := dir.Read("docs/causal/a.md"); !errors.Is(err, store.ErrOccupied) {
		t.Errorf("read through a link: %v", err)
	}
	for _, name := range []string{"docs/causal/a.md", "docs/causal/pictures/outside"} {
		if _, err := dir.Write(name, []byte("ours")); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "theirs" {
		t.Errorf("the file outside holds %q, %v", text, err)
	}
	a := filepath.Join(h.scratch, "docs", "causal", "a.md")
	if err := errors.Join(os.Remove(a), os.WriteFile(a, []byte(outside), 0o644)); err != nil {
		t.Fatal(err)
	}
	h.open(h.git("rev-parse", "HEAD"))
	if target, err := os.Readlink(a); err != nil || target != outside {
		t.Errorf("a file that holds where a link leads was taken for it: %v", err)
	}
	for _, c := range []struct{ name, target string }{{"docs/causal", "../pages"}, {"docs", "pages"}, {".causal/principles", "../pages"}, {".causal/reviews", "../pages"}, {".causal", "/tmp"}} {
		h.git("rm", "-q", "-r", "--ignore-unmatch", c.name)
		if err := os.RemoveAll(filepath.Join(h.root, c.name)); err != nil {
			t.Fatal(err)
		}
		h.link(c.target, c.name)
		_, _, err := h.try(h.next())
		if !errors.Is(err, store.ErrOccupied) || !strings.Contains(err.Error(), c.name+" has to be a directory and is a symbolic link") {
			t.Errorf("%s is a link: %v", c.name, err)
		}
		if err := os.Remove(filepath.Join(h.root, c.name)); err != nil {
			t.Fatal(err)
		}
	}
}

func (h *hub) link(target, name string) {
	h.Helper()
	file := filepath.Join(h.root, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.Symlink(target, file)); err != nil {
		h.Fatal(err)
	}
}
