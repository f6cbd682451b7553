package workspace

import (
	"context"
	"errors"
	"fmt"

	"github.com/causaldocs/causal/app/gitstore"
)

// BaseOf is the commit that a change is compared with: where it left what is named, or the default branch.
func (w *Workspace) BaseOf(ctx context.Context, named string, head gitstore.Commit) (gitstore.Commit, error) {
	trunk, err := w.trunk(ctx, named)
	if err != nil {
		return gitstore.Commit{}, err
	}
	base, err := w.Repo.MergeBase(ctx, trunk.ID, head.ID)
	switch {
	case err != nil:
		return gitstore.Commit{}, err
	case base != "":
		return w.Repo.Resolve(ctx, base)
	case named != "":
		return trunk, nil // two histories that were never joined: all of it is the change
	}
	return gitstore.Commit{}, &PlaceError{errors.New(
		"where the change left the default branch is not in this clone: fetch more of the history (fetch-depth: 0), or name the commit with --base")}
}

// trunk is the commit that is named, or the head of the default branch.
func (w *Workspace) trunk(ctx context.Context, named string) (gitstore.Commit, error) {
	if named != "" {
		c, err := w.Repo.Resolve(ctx, named)
		if err != nil {
			err = &PlaceError{fmt.Errorf("--base: %w", err)}
		}
		return c, err
	}
	remote, err := w.Repo.DefaultRemoteBranch(ctx, "origin")
	if err != nil {
		return gitstore.Commit{}, err
	}
	for _, name := range []string{remote, "refs/heads/main", "refs/heads/master"} {
		if name == "" {
			continue
		}
		if name == remote {
			name = "refs/remotes/" + name
		}
		if c, err := w.Repo.Resolve(ctx, name); err == nil {
			return c, nil
		}
	}
	return gitstore.Commit{}, &PlaceError{errors.New("there is no origin/HEAD, main or master to compare with: name a revision with --base")}
}
