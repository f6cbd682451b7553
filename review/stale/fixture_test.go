package stale

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/review/change"
)

// files are those of one state of a repository, by path.
type files map[string]string

func (f files) All() map[string]string { return f }

// edit is one of a file: text that is replaced wherever it stands, or with no text the whole file, which goes when it becomes empty.
type edit struct{ path, old, new string }

func (f files) with(t testing.TB, edits ...edit) files {
	t.Helper()
	out := maps.Clone(f)
	for _, e := range edits {
		text := e.new
		if e.old != "" {
			if !strings.Contains(out[e.path], e.old) {
				t.Fatalf("%q is not in %s: %s", e.old, e.path, out[e.path])
			}
			text = strings.ReplaceAll(out[e.path], e.old, e.new)
		}
		if out[e.path] = text; text == "" {
			delete(out, e.path)
		}
	}
	return out
}

// world reads the facts of a change from one state to another.
type world struct {
	t    testing.TB
	head *survey.Survey
	room *change.Room
}

func (w world) Read(f fact.Fact) (any, error) {
	if slices.Contains(w.room.Families(), f.Family) {
		if _, err := w.room.Digest(w.t.Context(), f); err != nil {
			return nil, err
		}
		return w.room.Value(w.t.Context(), f)
	}
	return w.head.Value(w.t.Context(), f)
}

func observe(t testing.TB, f files) *survey.Survey {
	t.Helper()
	s, done, err := surveytest.Look(t.Context(), t.TempDir(), f, languages.All())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = done() })
	return s
}

func nothing(string) bool { return false }

// between is the change from one state to another.
func between(t testing.TB, base, head files) world {
	t.Helper()
	from, to := surveytest.Tree{Files: base}, surveytest.Tree{Files: head}
	was, _ := from.State(t.Context(), nil)
	is, _ := to.State(t.Context(), nil)
	changes, _, _ := to.Changes(t.Context(), was, is)
	room, err := change.NewRoom(t.Context(), change.Config{
		Base: observe(t, base), Changes: changes, BaseTree: from, Head: to, MaxBytes: 2 << 20, Ignored: nothing,
	})
	if err != nil {
		t.Fatal(err)
	}
	return world{t, observe(t, head), room}
}
