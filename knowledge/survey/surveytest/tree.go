// Package surveytest has a survey look at repositories that tests make up.
package surveytest

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Files are those of a made-up repository.
type Files interface {
	// All returns what each file holds, by path.
	All() map[string]string
}

// Tree is a survey.Tree over files in memory, none of which is committed.
type Tree struct{ Files Files }

var _ survey.Tree = Tree{}

// State implements survey.Tree.
func (t Tree) State(context.Context, func() survey.State) (survey.State, error) {
	s := survey.State{}
	all := t.Files.All()
	for _, p := range slices.Sorted(maps.Keys(all)) {
		s.Dirty = append(s.Dirty, survey.Dirty{Path: p, ID: fact.Digest(all[p]), Mode: survey.Regular})
	}
	return s, nil
}

// Head implements survey.Tree.
func (t Tree) Head(context.Context) (survey.Commit, error) { return survey.Commit{}, nil }

// Entries implements survey.Tree.
func (t Tree) Entries(_ context.Context, s survey.State) ([]survey.Entry, error) {
	var out []survey.Entry
	for _, d := range s.Dirty {
		out = append(out, survey.Entry{Path: d.Path, ID: d.ID, Mode: d.Mode})
	}
	return out, nil
}

// Changes implements survey.Tree.
func (t Tree) Changes(_ context.Context, from, to survey.State) ([]survey.Change, bool, error) {
	was := map[string]string{}
	for _, d := range from.Dirty {
		was[d.Path] = d.ID
	}
	var out []survey.Change
	for _, d := range to.Dirty {
		if was[d.Path] != d.ID {
			out = append(out, survey.Change{Path: d.Path, Was: was[d.Path], ID: d.ID, Mode: survey.Regular})
		}
		delete(was, d.Path)
	}
	for p, id := range was {
		out = append(out, survey.Change{Path: p, Was: id})
	}
	slices.SortFunc(out, func(a, b survey.Change) int { return strings.Compare(a.Path, b.Path) })
	return out, true, nil
}

// Wrote implements survey.Tree.
func (t Tree) Wrote(_ context.Context, s survey.State, before map[string][]byte) (survey.State, error) {
	s.Dirty = slices.DeleteFunc(slices.Clone(s.Dirty), func(d survey.Dirty) bool { _, wrote := before[d.Path]; return wrote })
	all := t.Files.All()
	for p := range before {
		if text, ok := all[p]; ok {
			s.Dirty = append(s.Dirty, survey.Dirty{Path: p, ID: fact.Digest(text), Mode: survey.Regular})
		}
	}
	slices.SortFunc(s.Dirty, func(a, b survey.Dirty) int { return strings.Compare(a.Path, b.Path) })
	return s, nil
}

// Read implements survey.Tree.
func (t Tree) Read(_ context.Context, list []survey.Entry, _ int64, fn func(survey.Entry, []byte, error) error) error {
	all := t.Files.All()
	for _, e := range list {
		if err := fn(e, []byte(all[e.Path]), nil); err != nil {
			return err
		}
	}
	return nil
}

// LastChange implements survey.Tree.
func (t Tree) LastChange(context.Context, string) (string, error) { return "c0ffee", nil }

// Published implements survey.Tree.
func (t Tree) Published(context.Context, string) (bool, error) { return false, nil }
