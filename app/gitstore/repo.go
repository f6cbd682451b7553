package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Head returns the commit that is checked out; the zero Commit on an unborn branch.
func (r *Repo) Head(ctx context.Context) (Commit, error) { return r.backend.head(ctx) }

// Branch returns the short name of the branch that is checked out, also before its first commit; empty when HEAD is detached.
func (r *Repo) Branch(ctx context.Context) (string, error) { return r.backend.branch(ctx) }

// Resolve returns the commit that a revision names, in git's own syntax; ErrUnknownRevision when it names none.
func (r *Repo) Resolve(ctx context.Context, rev string) (Commit, error) {
	if err := checkRevision(rev); err != nil {
		return Commit{}, err
	}
	return r.backend.resolve(ctx, rev)
}

// Status tells how the work tree differs from HEAD. Ignored files and what happens inside submodules never show;
// a renamed file is one that is deleted and one that is new.
func (r *Repo) Status(ctx context.Context) (Status, error) {
	return r.StatusExpecting(ctx, func() []string { return nil })
}

// Begin starts the next Status, so that the caller can prepare for it meanwhile. What changes between the two may not
// show. A Repo on which Begin is used is for one goroutine.
func (r *Repo) Begin(ctx context.Context) { r.backend.begin(ctx) }

// StatusExpecting is Status for a caller who knows paths that are probably in it: while git works, expected is called
// and the files are looked at.
func (r *Repo) StatusExpecting(ctx context.Context, expected func() []string) (Status, error) {
	return r.backend.status(ctx, expected)
}

// Hidden returns the tracked files that git does not compare with the work tree: they are marked assume-unchanged or skip-worktree in the
// index, as the files outside of a sparse checkout are. Status reports no difference of them.
func (r *Repo) Hidden(ctx context.Context) (map[string]bool, error) { return r.backend.hidden(ctx) }

// Tree lists all files of a commit or tree, sorted by path.
func (r *Repo) Tree(ctx context.Context, treeish string) ([]Entry, error) {
	if err := checkRevision(treeish); err != nil {
		return nil, err
	}
	return r.backend.tree(ctx, treeish)
}

// DiffTrees lists what changed between two commits or trees, sorted by path, renames as a deletion and an addition.
// ErrUnknownObject tells that one of them is not available, so that a full listing is needed.
func (r *Repo) DiffTrees(ctx context.Context, from, to string) ([]Change, error) {
	for _, rev := range []string{from, to} {
		if err := checkRevision(rev); err != nil {
			return nil, err
		}
	}
	return r.backend.diff(ctx, from, to)
}

// ReadBlobs reads blobs in the order of ids and hands each to yield, which may keep the content. At most a few blobs
// are in memory at once, and none of more than limit bytes: of those there is no more than the size. A missing object is
// ErrUnknownObject and names it; an error of yield ends the reading and is returned as it is.
func (r *Repo) ReadBlobs(ctx context.Context, ids []string, limit int64, yield func(Blob) error) error {
	for _, id := range ids {
		if !r.tree.format.isID(id) {
			return fmt.Errorf("read blob %q: not an object id: %w", id, ErrUnknownObject)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return r.backend.blobs(ctx, ids, limit, func(b Blob) error {
		r.counts.blobs.Add(1)
		return yield(b)
	})
}

// ReadBlob reads one blob; ErrTooLarge where it has more than limit bytes.
func (r *Repo) ReadBlob(ctx context.Context, id string, limit int64) ([]byte, error) {
	var content []byte
	err := r.ReadBlobs(ctx, []string{id}, limit, func(b Blob) error {
		if b.Size > limit {
			return fmt.Errorf("%d bytes, at most %d are read: %w", b.Size, limit, ErrTooLarge)
		}
		content = b.Content
		return nil
	})
	return content, err
}

// LastCommit returns the newest commit up to rev in which any of the paths (files or directories) changed, as `git
// log` finds it: where a merge took a path over from one parent, the search goes on there. False when there is none, and
// when the search ends where a shallow clone is cut off: whether that commit changed the paths cannot be told.
func (r *Repo) LastCommit(ctx context.Context, rev string, paths ...string) (Commit, bool, error) {
	if err := checkRevision(rev); err != nil {
		return Commit{}, false, err
	}
	if len(paths) == 0 {
		return Commit{}, false, nil
	}
	for _, path := range paths {
		if err := checkPath(path); err != nil {
			return Commit{}, false, err
		}
	}
	c, ok, err := r.backend.lastCommit(ctx, rev, paths)
	if err != nil || !ok {
		return Commit{}, false, err
	}
	cut, err := os.ReadFile(filepath.Join(r.loc.commonDir, "shallow"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Commit{}, false, fmt.Errorf("look where the history is cut off: %w", err)
	}
	if slices.Contains(strings.Fields(string(cut)), c.ID) {
		return Commit{}, false, nil
	}
	return c, true, nil
}

// EverBelow returns all files below a directory that rev or any commit before it has, by path, each with the newest commit that does
// not have it and of which a parent has; empty where there is none. Merges are held against each of their parents. What since, a
// commit before rev, has and had need not be among them; it is empty for all. whole is false in a shallow clone, where what was
// before is unknown.
func (r *Repo) EverBelow(ctx context.Context, rev, dir, since string) (files map[string]string, whole bool, err error) {
	if err := errors.Join(checkRevision(rev), checkPath(dir)); err != nil {
		return nil, false, err
	}
	if since != "" {
		if err := checkRevision(since); err != nil {
			return nil, false, err
		}
	}
	if files, err = r.backend.everBelow(ctx, rev, dir, since); err != nil {
		return nil, false, err
	}
	cut, err := os.ReadFile(filepath.Join(r.loc.commonDir, "shallow"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, fmt.Errorf("look where the history is cut off: %w", err)
	}
	return files, len(strings.Fields(string(cut))) == 0, nil
}

// Contains reports whether commit is ref or one of its ancestors; false when either is unknown.
func (r *Repo) Contains(ctx context.Context, ref, commit string) (bool, error) {
	if checkRevision(ref) != nil || checkRevision(commit) != nil {
		return false, nil
	}
	return r.backend.contains(ctx, ref, commit)
}

// MergeBase returns the newest common ancestor of two revisions; empty when there is none, or none in a shallow clone.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	for _, rev := range []string{a, b} {
		if err := checkRevision(rev); err != nil {
			return "", err
		}
	}
	return r.backend.mergeBase(ctx, a, b)
}

// RemoteURL returns where a remote is, with git's insteadOf rules applied and without credentials; empty when there
// is no such remote.
func (r *Repo) RemoteURL(ctx context.Context, name string) (string, error) {
	if checkRevision(name) != nil {
		return "", nil
	}
	url, err := r.backend.remoteURL(ctx, name)
	return withoutCredentials(url), err
}

// DefaultRemoteBranch returns the branch that a remote checks out by default, as "origin/main"; empty when that is
// not known here.
func (r *Repo) DefaultRemoteBranch(ctx context.Context, remote string) (string, error) {
	if checkRevision(remote) != nil {
		return "", nil
	}
	return r.backend.remoteHead(ctx, remote)
}

// AuthorName returns the name that git gives the author of a commit made here; ErrNoIdentity when none is configured.
func (r *Repo) AuthorName(ctx context.Context) (string, error) { return r.backend.authorName(ctx) }

// HashFile returns the blob id of a file of the work tree and its size. A symbolic link's content is its target.
// Path is slash-separated and relative to Root.
func (r *Repo) HashFile(ctx context.Context, path string) (id string, size int64, err error) {
	if err := checkPath(path); err != nil {
		return "", 0, err
	}
	return r.tree.hashFile(ctx, path)
}

// HashBytes returns the blob id that content has in this repository.
func (r *Repo) HashBytes(content []byte) string { return r.tree.format.hashBytes(content) }

// checkRevision refuses what git could take for an option, and what the protocols between us and git cannot carry.
func checkRevision(rev string) error {
	if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, "\x00\n\r") {
		return fmt.Errorf("%q: %w", rev, ErrUnknownRevision)
	}
	return nil
}

// checkPath refuses paths that do not lead to a place inside the work tree.
func checkPath(path string) error {
	clean := path != "" && !strings.HasPrefix(path, "/") && !strings.Contains(path, "\x00")
	for part := range strings.SplitSeq(path, "/") {
		clean = clean && part != "" && part != "." && part != ".." && !strings.EqualFold(part, ".git")
	}
	if !clean {
		return fmt.Errorf("%q is not a path inside the repository", path)
	}
	return nil
}
