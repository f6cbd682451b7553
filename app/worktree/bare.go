package worktree

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Bare is one commit of a server's mirror or of a CI job's checkout, with causal's own files in a scratch directory. It implements
// survey.Tree.
type Bare struct {
	*Revision

	fetch     func(ctx context.Context, commits ...string) error
	scratch   *Scratch
	committed map[string]string // causal's own files to their ids
	dirty     []survey.Dirty
}

// NewBare updates scratch to a commit, which fetch gets first; fetch is nil where nothing can be missing. Permanent links must be
// reachable from the commit permanent, if set. After a failed run, create a new one.
func NewBare(ctx context.Context, repo *gitstore.Repo, fetch func(ctx context.Context, commits ...string) error, commit string, scratch *Scratch, permanent string) (*Bare, error) {
	if fetch != nil {
		if err := fetch(ctx, commit); err != nil {
			return nil, err
		}
	}
	found, err := repo.Resolve(ctx, commit)
	if err != nil {
		return nil, err
	}
	list, err := repo.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	own, err := scratch.sync(ctx, repo, list)
	if err != nil {
		return nil, fmt.Errorf("prepare the files of commit %s: %w", commit, err)
	}
	b := &Bare{
		Revision: At(&Tree{repo: repo, permanent: permanent}, found, found, scratch.layout.Owns), fetch: fetch, scratch: scratch,
		committed: make(map[string]string, len(own)),
	}
	for _, e := range own {
		b.committed[e.Path] = e.ID
	}
	return b, nil
}

// State implements survey.Tree.
func (b *Bare) State(context.Context, func() survey.State) (survey.State, error) {
	return survey.State{Commit: b.commit.ID, Dirty: slices.Clone(b.dirty)}, nil
}

// LastChange implements survey.Tree. A mirror has no history, so the head counts as the last change.
func (b *Bare) LastChange(ctx context.Context, file string) (string, error) {
	if b.fetch != nil {
		return b.commit.ID, nil
	}
	return b.Revision.LastChange(ctx, file)
}

// Changes implements survey.Tree. It fetches missing commits: the remote keeps them for a while after a force push.
func (b *Bare) Changes(ctx context.Context, from, to survey.State) ([]survey.Change, bool, error) {
	for _, s := range []survey.State{from, to} {
		if s.Commit == "" || from.Commit == to.Commit || b.fetch == nil {
			continue
		}
		err := b.fetch(ctx, s.Commit)
		if errors.Is(err, gitstore.ErrUnknownObject) {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, err
		}
	}
	return b.Revision.Changes(ctx, from, to)
}

// Wrote implements survey.Tree. The files are in the scratch directory.
func (b *Bare) Wrote(_ context.Context, s survey.State, before map[string][]byte) (survey.State, error) {
	byPath := map[string]survey.Dirty{}
	for _, d := range s.Dirty {
		byPath[d.Path] = d
	}
	for p := range before {
		mode, id, err := b.scratch.identify(p)
		if err != nil {
			return s, fmt.Errorf("look at %s: %w", p, err)
		}
		byPath[p] = survey.Dirty{Path: p, ID: id, Mode: mode, Base: b.committed[p]}
		if id == b.committed[p] {
			delete(byPath, p)
		}
	}
	s.Dirty = slices.SortedFunc(maps.Values(byPath), func(x, y survey.Dirty) int { return strings.Compare(x.Path, y.Path) })
	b.dirty = slices.Clone(s.Dirty)
	return s, nil
}
