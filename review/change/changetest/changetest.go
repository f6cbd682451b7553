// Package changetest provides changes between two in-memory versions of a repository for tests.
package changetest

import (
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/review/change"
)

type reader struct {
	t    testing.TB
	head *survey.Survey
	room *change.Room
}

// Read implements survey.Reader. It computes a fact's digest before the value, as the engine does.
func (r reader) Read(f fact.Fact) (any, error) {
	if !slices.Contains(r.room.Families(), f.Family) {
		return r.head.Value(r.t.Context(), f)
	}
	if _, err := r.room.Digest(r.t.Context(), f); err != nil {
		return nil, err
	}
	return r.room.Value(r.t.Context(), f)
}

// Between returns the facts of the change from one version to another.
func Between(t testing.TB, base, head surveytest.Files) survey.Reader {
	t.Helper()
	from, to := surveytest.Tree{Files: base}, surveytest.Tree{Files: head}
	before, err := from.State(t.Context(), nil)
	check(t, err)
	after, err := to.State(t.Context(), nil)
	check(t, err)
	changes, _, err := to.Changes(t.Context(), before, after)
	check(t, err)
	was, is := look(t, base), look(t, head)
	room, err := change.NewRoom(t.Context(), change.Config{
		Base: was, Now: is, Changes: changes, BaseTree: from, Head: to, MaxBytes: 2 << 20, Ignored: func(string) bool { return false },
	})
	check(t, err)
	return reader{t, is, room}
}

func look(t testing.TB, files surveytest.Files) *survey.Survey {
	t.Helper()
	s, done, err := surveytest.Look(t.Context(), t.TempDir(), files, languages.All())
	check(t, err)
	t.Cleanup(func() { check(t, done()) })
	return s
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
