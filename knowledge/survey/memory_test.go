package survey

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
)

// memoryTree is a Tree held in memory.
type memoryTree struct {
	files  map[string]string
	links  map[string]string // symbolic links
	commit Commit
	shared bool // the history before is not known any more

	mu         sync.Mutex
	commits    map[string]map[string]Entry
	blobs      map[string]string
	unreadable map[string]bool // files
	read       []string
}

func newMemoryTree(files map[string]string) *memoryTree {
	return &memoryTree{
		files: files, links: map[string]string{}, commits: map[string]map[string]Entry{"": {}}, blobs: map[string]string{}, unreadable: map[string]bool{},
	}
}

// now lists the current entries.
func (t *memoryTree) now() map[string]Entry {
	out := map[string]Entry{}
	for _, kind := range []struct {
		files map[string]string
		mode  Mode
	}{{t.files, Regular}, {t.links, Symlink}} {
		for p, text := range kind.files {
			id := string(source.DigestOf(text))
			t.mu.Lock()
			t.blobs[id] = text
			t.mu.Unlock()
			out[p] = Entry{Path: p, ID: id, Mode: kind.mode}
		}
	}
	return out
}

// record commits the current entries.
func (t *memoryTree) record(id string) {
	t.commit = Commit{ID: id, When: time.Unix(int64(len(t.commits)), 0), Subject: "commit " + id}
	t.commits[id] = t.now()
}

func (t *memoryTree) State(_ context.Context, earlier func() State) (State, error) {
	earlier()
	s, base, now := State{Commit: t.commit.ID}, t.commits[t.commit.ID], t.now()
	for p, e := range now {
		if base[p] != e {
			s.Dirty = append(s.Dirty, Dirty{Path: p, ID: e.ID, Mode: e.Mode, Base: base[p].ID})
		}
	}
	for p, e := range base {
		if _, there := now[p]; !there {
			s.Dirty = append(s.Dirty, Dirty{Path: p, Base: e.ID})
		}
	}
	slices.SortFunc(s.Dirty, func(a, b Dirty) int { return strings.Compare(a.Path, b.Path) })
	return s, nil
}

func (t *memoryTree) Head(context.Context) (Commit, error) { return t.commit, nil }

func (t *memoryTree) Entries(_ context.Context, s State) ([]Entry, error) {
	files := maps.Clone(t.commits[s.Commit])
	for _, d := range s.Dirty {
		delete(files, d.Path)
		if d.ID != "" {
			files[d.Path] = Entry{Path: d.Path, ID: d.ID, Mode: d.Mode}
		}
	}
	return slices.SortedFunc(maps.Values(files), func(a, b Entry) int { return strings.Compare(a.Path, b.Path) }), nil
}

func (t *memoryTree) Changes(ctx context.Context, from, to State) ([]Change, bool, error) {
	if t.shared {
		return nil, false, nil
	}
	was := map[string]Entry{}
	before, _ := t.Entries(ctx, from)
	for _, e := range before {
		was[e.Path] = e
	}
	var out []Change
	now, _ := t.Entries(ctx, to)
	for _, e := range now {
		if was[e.Path] != e {
			out = append(out, Change{Path: e.Path, Was: was[e.Path].ID, ID: e.ID, Mode: e.Mode})
		}
		delete(was, e.Path)
	}
	for p, e := range was {
		out = append(out, Change{Path: p, Was: e.ID})
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return out, true, nil
}

func (t *memoryTree) Wrote(ctx context.Context, s State, _ map[string][]byte) (State, error) {
	return t.State(ctx, func() State { return s })
}

func (t *memoryTree) Read(_ context.Context, list []Entry, limit int64, fn func(Entry, []byte, error) error) error {
	for _, e := range list {
		t.mu.Lock()
		t.read = append(t.read, e.Path)
		text, ok := t.blobs[e.ID]
		ok = ok && !t.unreadable[e.Path]
		t.mu.Unlock()
		var err error
		switch {
		case !ok:
			err = errors.New("cannot be read")
		case int64(len(text)) > limit:
			text, err = text[:limit], ErrTooLarge
		}
		if err := fn(e, []byte(text), err); err != nil {
			return err
		}
	}
	return nil
}

func (t *memoryTree) LastChange(_ context.Context, file string) (string, error) {
	return "changed " + file, nil
}

func (t *memoryTree) Published(_ context.Context, commit string) (bool, error) {
	return strings.HasPrefix(commit, "public"), nil
}

// bench runs successive surveys of one tree with a common cache.
type bench struct {
	tree  *memoryTree
	index string
}

// newBench has a tree in which b rests on a.
func newBench(t *testing.T) *bench {
	t.Helper()
	return &bench{index: t.TempDir(), tree: newMemoryTree(map[string]string{
		"go.mod": "module x\n", "a/a.go": "package a\n\nfunc A() int { return 1 }\n",
		"b/b.go": "package b\n\nimport \"x/a\"\n\nfunc B() int { return a.A() }\n", "c/c.go": "package c\n\nfunc C() {}\n",
	})}
}

// survey looks at the tree. Its index is closed with the test.
func (b *bench) survey(t *testing.T) *Survey {
	t.Helper()
	s := surveyOf(b.tree, openIndex(t, b.index))
	if err := s.Observe(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// run does something with a survey, and remembers it as between two processes.
func (b *bench) run(t *testing.T, done bool, do func(t *testing.T, s *Survey)) {
	t.Helper()
	ok := t.Run("run", func(t *testing.T) {
		s := b.survey(t)
		do(t, s)
		if err := errors.Join(s.Save(done), s.Batch.Commit()); err != nil {
			t.Fatal(err)
		}
	})
	if !ok {
		t.FailNow()
	}
}

// settle looks at the tree and leaves nothing undone.
func (b *bench) settle(t *testing.T) {
	t.Helper()
	b.run(t, true, func(*testing.T, *Survey) {})
}

// fresh looks at the tree with nothing remembered.
func (b *bench) fresh(t *testing.T) *Survey {
	t.Helper()
	return (&bench{index: t.TempDir(), tree: b.tree}).survey(t)
}

func openIndex(t *testing.T, dir string) *index.Index {
	t.Helper()
	x, err := index.Open(dir, "key")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// surveyOf makes a survey. What lies in own/ is causal's own, and what lies in skip/ is left out.
func surveyOf(tree Tree, x *index.Index) *Survey {
	return New(Config{
		Tree: tree, Index: x, Batch: x.NewBatch(), Languages: languages.All(), MaxBytes: 4 << 10,
		Owned:    func(p string) bool { return strings.HasPrefix(p, "own/") },
		Excluded: func(p string) bool { return strings.HasPrefix(p, "skip/") },
		Settings: map[string]string{"title": "Shop"},
	})
}

// changedOf formats the changes that a survey found.
func changedOf(t *testing.T, s *Survey) []string {
	t.Helper()
	facts, all := s.Changed()
	if all {
		t.Error("everything counts as changed")
	}
	var out []string
	for _, f := range facts {
		out = append(out, f.String())
	}
	return out
}

// digest asks for one fact.
func digest(t *testing.T, s *Survey, f fact.Fact) string {
	t.Helper()
	d, err := s.Digest(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// recorder is a Reader that records the facts that it reads.
type recorder struct {
	t      *testing.T
	survey *Survey
	read   []fact.Observation
}

func (r *recorder) Read(f fact.Fact) (any, error) {
	r.read = append(r.read, f.As(digest(r.t, r.survey, f)))
	return r.survey.Value(r.t.Context(), f)
}
