package worktree

import (
	"context"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Revision has the sources of a revision, with causal's own files of the work tree. It implements survey.Tree.
type Revision struct {
	*Tree
	commit gitstore.Commit
	owns   func(path string) bool
}

// At returns a revision.
func At(t *Tree, commit gitstore.Commit, owns func(path string) bool) *Revision {
	return &Revision{Tree: t, commit: commit, owns: owns}
}

// State implements survey.Tree.
func (r *Revision) State(ctx context.Context, earlier func() survey.State) (survey.State, error) {
	now, err := r.Tree.State(ctx, earlier)
	if err != nil {
		return survey.State{}, err
	}
	s := survey.State{Commit: r.commit.ID}
	if now.Commit == "" {
		return s, nil
	}
	diff, _, err := changes(ctx, r.repo, s, now)
	if err != nil {
		return survey.State{}, err
	}
	for _, c := range diff {
		if r.owns(c.Path) {
			s.Dirty = append(s.Dirty, survey.Dirty{Path: c.Path, ID: c.ID, Mode: c.Mode, Base: c.Was})
		}
	}
	return s, nil
}

// Head implements survey.Tree.
func (r *Revision) Head(context.Context) (survey.Commit, error) { return commitOf(r.commit), nil }

// LastChange implements survey.Tree.
func (r *Revision) LastChange(ctx context.Context, file string) (string, error) {
	return lastChange(ctx, r.repo, r.commit.ID, file)
}

// Read implements survey.Tree. It reads from the object store.
func (r *Revision) Read(ctx context.Context, list []survey.Entry, limit int64, fn func(survey.Entry, []byte, error) error) error {
	return readCommitted(ctx, r.repo, list, limit, fn)
}

func readCommitted(ctx context.Context, repo *gitstore.Repo, list []survey.Entry, limit int64, fn func(survey.Entry, []byte, error) error) error {
	ids := make([]string, len(list))
	for i, e := range list {
		ids[i] = e.ID
	}
	next := 0
	return repo.ReadBlobs(ctx, ids, limit, func(b gitstore.Blob) error {
		e := list[next]
		next++
		if b.Size > limit {
			return fn(e, nil, survey.ErrTooLarge)
		}
		return fn(e, b.Content, nil)
	})
}
