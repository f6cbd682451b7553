package gitstore

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// CommitPaths commits the work tree state of exactly these files: new, changed and deleted ones. Other staged or changed
// files stay as they are. It commits as `git commit` does: on the current branch, with the user's identity, signing and
// hooks. It returns ErrNothingToCommit if no file differs from HEAD.
func (r *Repo) CommitPaths(ctx context.Context, paths []string, message string, trailers ...Trailer) (Commit, error) {
	for _, path := range paths {
		if err := checkPath(path); err != nil {
			return Commit{}, err
		}
	}
	if err := r.CanCommit(); err != nil {
		return Commit{}, err
	}
	status, err := r.Status(ctx)
	if err != nil {
		return Commit{}, err
	}
	changes, err := r.changesOf(ctx, status, paths)
	if err != nil {
		return Commit{}, err
	}
	if len(changes) == 0 {
		return Commit{}, ErrNothingToCommit
	}
	if err := r.backend.commit(ctx, changes, withTrailers(message, trailers)); err != nil {
		return Commit{}, err
	}
	return r.Head(ctx)
}

// Stage copies the work tree state of exactly these files to the index: new, changed and deleted ones.
func (r *Repo) Stage(ctx context.Context, paths []string) error {
	for _, path := range paths {
		if err := checkPath(path); err != nil {
			return err
		}
	}
	if len(paths) == 0 {
		return nil
	}
	return r.backend.stage(ctx, paths)
}

// CanCommit returns an error while a merge or another operation is in progress.
func (r *Repo) CanCommit() error {
	for _, state := range []struct{ file, name string }{
		{"MERGE_HEAD", "merge"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
		{"rebase-merge", "rebase"},
		{"rebase-apply", "rebase"},
	} {
		if exists(filepath.Join(r.loc.gitDir, state.file)) {
			return fmt.Errorf("commit: a %s is in progress: finish it or abort it first", state.name)
		}
	}
	return nil
}

// changesOf selects the changes of the given files. It refuses an existing file that HEAD does not have and Status does
// not list, because git ignores it.
func (r *Repo) changesOf(ctx context.Context, status Status, paths []string) ([]Change, error) {
	var changes []Change
	var silent []string
	paths = slices.Sorted(slices.Values(paths))
	for _, path := range slices.Compact(paths) {
		i, found := slices.BinarySearchFunc(status.Changes, Change{Path: path}, byPath)
		info := r.tree.lstat(path)
		switch {
		case info != nil && info.IsDir():
			return nil, fmt.Errorf("commit: %s is a directory", path)
		case !found && info != nil:
			silent = append(silent, path)
		case found && status.Changes[i].Kind == Unmerged:
			return nil, fmt.Errorf("commit: %s has a conflict: resolve it first", path)
		case found:
			changes = append(changes, status.Changes[i])
		}
	}
	if len(silent) == 0 {
		return changes, nil
	}
	return changes, r.refuseIgnored(ctx, status.Head, silent)
}

func (r *Repo) refuseIgnored(ctx context.Context, head string, paths []string) error {
	var known []Entry
	if head != "" {
		var err error
		if known, err = r.Tree(ctx, head); err != nil {
			return err
		}
	}
	for _, path := range paths {
		if _, ok := slices.BinarySearchFunc(known, Entry{Path: path}, entryByPath); !ok {
			return fmt.Errorf("commit: %s is ignored by git: remove the rule that ignores it", path)
		}
	}
	return nil
}

// withTrailers appends trailers as the last paragraph, which git requires.
func withTrailers(message string, trailers []Trailer) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(message))
	b.WriteString("\n")
	for i, t := range trailers {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s: %s\n", t.Key, strings.Join(strings.Fields(t.Value), " "))
	}
	return b.String()
}
