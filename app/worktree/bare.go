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

// Bare is one commit of a server's mirror, with causal's own files in a scratch directory. It implements survey.Tree.
type Bare struct {
	mirror    *gitstore.Mirror
	at        *Revision
	scratch   *Scratch
	permanent string
	committed map[string]string // causal's own files to their ids
	dirty     []survey.Dirty
}

// NewBare fetches a commit and updates scratch to it. Permanent links must be reachable from the commit permanent, if
// set. After a failed run, create a new one.
func NewBare(ctx context.Context, mirror *gitstore.Mirror, commit string, scratch *Scratch, permanent string) (*Bare, error) {
	if err := mirror.Fetch(ctx, commit); err != nil {
		return nil, err
	}
	repo := mirror.Repo()
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
		mirror: mirror, at: At(&Tree{repo: repo}, found, found, scratch.layout.Owns), scratch: scratch, permanent: permanent,
		committed: make(map[string]string, len(own)),
	}
	for _, e := range own {
		b.committed[e.Path] = e.ID
	}
	return b, nil
}

// State implements survey.Tree.
func (b *Bare) State(context.Context, func() survey.State) (survey.State, error) {
	return survey.State{Commit: b.at.commit.ID, Dirty: slices.Clone(b.dirty)}, nil
}

// Head implements survey.Tree.
func (b *Bare) Head(ctx context.Context) (survey.Commit, error) { return b.at.Head(ctx) }

// LastChange implements survey.Tree. A mirror has no history, so the head counts as the last change.
func (b *Bare) LastChange(context.Context, string) (string, error) { return b.at.commit.ID, nil }

// Entries implements survey.Tree.
func (b *Bare) Entries(ctx context.Context, s survey.State) ([]survey.Entry, error) {
	return b.at.Entries(ctx, s)
}

// Changes implements survey.Tree. It fetches missing commits: the remote keeps them for a while after a force push.
func (b *Bare) Changes(ctx context.Context, from, to survey.State) ([]survey.Change, bool, error) {
	for _, s := range []survey.State{from, to} {
		if s.Commit == "" || from.Commit == to.Commit {
			continue
		}
		err := b.mirror.Fetch(ctx, s.Commit)
		if errors.Is(err, gitstore.ErrUnknownObject) {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, err
		}
	}
	return b.at.Changes(ctx, from, to)
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

// Read implements survey.Tree. It fetches missing objects in one batch.
func (b *Bare) Read(ctx context.Context, list []survey.Entry, limit int64, fn func(survey.Entry, []byte, error) error) error {
	return b.at.Read(ctx, list, limit, fn)
}

// Published implements survey.Tree.
func (b *Bare) Published(ctx context.Context, commit string) (bool, error) {
	return b.mirror.Repo().Contains(ctx, b.permanent, commit)
}
