package worktree

import (
	"context"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Revision has the sources of a revision, with causal's own files of the work tree. It implements survey.Tree.
type Revision struct {
	*Tree
	commit gitstore.Commit // has the sources
	head   gitstore.Commit // the sources are edits of it
	owns   func(path string) bool
}

// At returns the content of a commit as edits of head: the same commit, or that of the work tree if the commit holds git's index,
// because no other clone has such a commit.
func At(t *Tree, commit, head gitstore.Commit, owns func(path string) bool) *Revision {
	return &Revision{Tree: t, commit: commit, head: head, owns: owns}
}

// State implements survey.Tree.
func (r *Revision) State(ctx context.Context, earlier func() survey.State) (survey.State, error) {
	now, err := r.Tree.State(ctx, earlier)
	if err != nil {
		return survey.State{}, err
	}
	s := survey.State{Commit: r.commit.ID}
	if now.Commit == "" {
		return r.edits(ctx, s)
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
	return r.edits(ctx, s)
}

// edits expresses a state as edits of the head, if there is one.
func (r *Revision) edits(ctx context.Context, s survey.State) (survey.State, error) {
	if s.Commit == r.head.ID || r.head.ID == "" {
		return s, nil
	}
	out := survey.State{Commit: r.head.ID}
	diff, _, err := changes(ctx, r.repo, out, s)
	for _, c := range diff {
		out.Dirty = append(out.Dirty, survey.Dirty{Path: c.Path, ID: c.ID, Mode: c.Mode, Base: c.Was})
	}
	return out, err
}

// Head implements survey.Tree.
func (r *Revision) Head(context.Context) (survey.Commit, error) { return commitOf(r.head), nil }

// LastChange implements survey.Tree.
func (r *Revision) LastChange(ctx context.Context, file string) (string, error) {
	return lastChange(ctx, r.repo, r.head.ID, file)
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
