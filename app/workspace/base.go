package workspace

import (
	"context"
	"errors"
	"fmt"

	"github.com/causaldocs/causal/app/gitstore"
)

// BaseOf returns the commit that a change is compared with: its merge base with the named revision or the default
// branch.
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
		return trunk, nil // unrelated histories: everything is the change
	}
	return gitstore.Commit{}, &PlaceError{errors.New(
		"where the change left the default branch is not in this clone: fetch more of the history (fetch-depth: 0), or name the commit with --base")}
}

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
	set, known := w.Config.Branch, "main"
	if set != known {
		known = set + ", " + known
	}
	names := []string{"refs/remotes/origin/" + set, "refs/heads/" + set, "refs/heads/main", "refs/heads/master"}
	if remote != "" {
		names = append([]string{"refs/remotes/" + remote}, names...)
	}
	for _, name := range names {
		if c, err := w.Repo.Resolve(ctx, name); err == nil {
			return c, nil
		}
	}
	return gitstore.Commit{}, &PlaceError{errors.New("there is no origin/HEAD, " + known + " or master to compare with: name a revision with --base, or the default branch with branch in .causal/config.yml")}
}
