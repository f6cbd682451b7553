package gitstore_test

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
)

// snapshot is the state of a work tree as a full listing, put together as those do who show it to the engine.
type snapshot struct {
	status     gitstore.Status  // with New filled in
	entries    []gitstore.Entry // sorted by path
	unreadable []string         // changed paths whose content could not be had; they are no entries
}

// workTree lists all files of the work tree: HEAD's tree with the changed files hashed from disk.
func workTree(ctx context.Context, repo *gitstore.Repo) (snapshot, error) {
	status, err := repo.Status(ctx)
	if err != nil {
		return snapshot{}, err
	}
	entries := map[string]gitstore.Entry{}
	if status.Head != "" {
		tree, err := repo.Tree(ctx, status.Head)
		if err != nil {
			return snapshot{}, err
		}
		for _, e := range tree {
			entries[e.Path] = e
		}
	}
	out := snapshot{status: status}
	for i := range status.Changes {
		c := &status.Changes[i]
		delete(entries, c.Path)
		if c.Mode == "" || c.Mode == gitstore.Submodule {
			continue // missing, or ignored by a status
		}
		if c.New, _, err = repo.HashFile(ctx, c.Path); err != nil {
			out.unreadable = append(out.unreadable, c.Path)
			continue
		}
		entries[c.Path] = gitstore.Entry{Path: c.Path, ID: c.New, Mode: c.Mode}
	}
	out.entries = slices.SortedFunc(maps.Values(entries), func(a, b gitstore.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}
