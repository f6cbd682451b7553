package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Head returns the checked-out commit; the zero Commit on an unborn branch.
func (r *Repo) Head(ctx context.Context) (Commit, error) { return r.backend.head(ctx) }

// Branch returns the short name of the checked-out branch, also if unborn; empty if HEAD is detached.
func (r *Repo) Branch(ctx context.Context) (string, error) { return r.backend.branch(ctx) }

// Resolve returns the commit of a revision in git's syntax, or ErrUnknownRevision.
func (r *Repo) Resolve(ctx context.Context, rev string) (Commit, error) {
	if err := checkRevisions(rev); err != nil {
		return Commit{}, err
	}
	return r.backend.resolve(ctx, rev)
}

// Status returns the differences between the work tree and HEAD, without ignored files and contents of submodules. A
// renamed file is one deleted and one new file.
func (r *Repo) Status(ctx context.Context) (Status, error) {
	return r.StatusExpecting(ctx, func() []string { return nil })
}

// Begin starts the next Status in the background. Changes after Begin may be missed. A Repo on which Begin is used is
// for one goroutine.
func (r *Repo) Begin(ctx context.Context) { r.backend.begin(ctx) }

// StatusExpecting is Status for a caller that can predict changed paths: while git runs, it calls expected and examines
// these files.
func (r *Repo) StatusExpecting(ctx context.Context, expected func() []string) (Status, error) {
	return r.backend.status(ctx, expected)
}

// Hidden returns the tracked files that the index marks assume-unchanged or skip-worktree, such as the files outside a
// sparse checkout. Status never reports them as changed.
func (r *Repo) Hidden(ctx context.Context) (map[string]bool, error) { return r.backend.hidden(ctx) }

// Tree lists all files of a commit or tree, sorted by path.
func (r *Repo) Tree(ctx context.Context, treeish string) ([]Entry, error) {
	if err := checkRevisions(treeish); err != nil {
		return nil, err
	}
	return r.backend.tree(ctx, treeish)
}

// DiffTrees lists the changes between two commits or trees, sorted by path; a rename is a deletion and an addition.
// ErrUnknownObject means that one of them is not available and a full listing is needed.
func (r *Repo) DiffTrees(ctx context.Context, from, to string) ([]Change, error) {
	if err := checkRevisions(from, to); err != nil {
		return nil, err
	}
	return r.backend.diff(ctx, from, to)
}

// ReadBlobs reads blobs in the order of ids and passes each to yield, which may keep the content. Only a few blobs are
// in memory at once; blobs larger than limit bytes have a size but no content. ErrUnknownObject names a missing object.
// An error of yield stops it and is returned as is.
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

// ReadBlob reads one blob, or returns ErrTooLarge if it exceeds limit bytes.
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

// LastCommit returns the newest ancestor of rev that changed any of the paths (files or directories), as `git log` finds
// it, with its simplification of merges. It returns false if there is none, or if the search ends at the boundary of a
// shallow clone, where it is unknown whether that commit changed them.
func (r *Repo) LastCommit(ctx context.Context, rev string, paths ...string) (Commit, bool, error) {
	if err := checkRevisions(rev); err != nil {
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
	cut, err := shallow(r.loc.commonDir)
	if err != nil || cut[c.ID] {
		return Commit{}, false, err
	}
	return c, true, nil
}

// shallow returns the commits at which a shallow clone ends. dir is the common directory of the repository.
func shallow(dir string) (map[string]bool, error) {
	cut, err := os.ReadFile(filepath.Join(dir, "shallow"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look where the history is cut off: %w", err)
	}
	ids := map[string]bool{}
	for id := range strings.FieldsSeq(string(cut)) {
		ids[id] = true
	}
	return ids, nil
}

// EverBelow returns all files below a directory that rev or an ancestor has. Each maps to the newest commit that removed
// it relative to any parent, or to "". Files that since, an ancestor of rev, or its ancestors have may be missing; an
// empty since includes all. whole is false in a shallow clone.
func (r *Repo) EverBelow(ctx context.Context, rev, dir, since string) (files map[string]string, whole bool, err error) {
	if err := errors.Join(checkRevisions(rev, cmp.Or(since, rev)), checkPath(dir)); err != nil {
		return nil, false, err
	}
	if files, err = r.backend.everBelow(ctx, rev, dir, since); err != nil {
		return nil, false, err
	}
	cut, err := shallow(r.loc.commonDir)
	return files, len(cut) == 0, err
}

// Contains reports whether commit is ref or one of its ancestors; false if either is unknown.
func (r *Repo) Contains(ctx context.Context, ref, commit string) (bool, error) {
	if checkRevisions(ref, commit) != nil {
		return false, nil
	}
	return r.backend.contains(ctx, ref, commit)
}

// MergeBase returns the merge base of two revisions; empty if there is none, or none within a shallow clone.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	if err := checkRevisions(a, b); err != nil {
		return "", err
	}
	return r.backend.mergeBase(ctx, a, b)
}

// RemoteURL returns the URL of a remote, with git's insteadOf rules applied and without credentials; empty if there is
// no such remote.
func (r *Repo) RemoteURL(ctx context.Context, name string) (string, error) {
	if checkRevisions(name) != nil {
		return "", nil
	}
	url, err := r.backend.remoteURL(ctx, name)
	return withoutCredentials(url), err
}

// DefaultRemoteBranch returns a remote's default branch, such as "origin/main"; empty if unknown locally.
func (r *Repo) DefaultRemoteBranch(ctx context.Context, remote string) (string, error) {
	if checkRevisions(remote) != nil {
		return "", nil
	}
	return r.backend.remoteHead(ctx, remote)
}

// AuthorName returns the author name for commits made here, or ErrNoIdentity if none is configured.
func (r *Repo) AuthorName(ctx context.Context) (string, error) { return r.backend.authorName(ctx) }

// HashFile returns the blob id and size of a work tree file. The content of a symbolic link is its target. path is
// slash-separated and relative to Root.
func (r *Repo) HashFile(ctx context.Context, path string) (id string, size int64, err error) {
	if err := checkPath(path); err != nil {
		return "", 0, err
	}
	return r.tree.hashFile(ctx, path)
}

// HashBytes returns the blob id of content in this repository.
func (r *Repo) HashBytes(content []byte) string { return r.tree.format.hashBytes(content) }

// checkRevisions refuses names that git could take for options or that git's line protocols cannot carry.
func checkRevisions(revs ...string) error {
	for _, rev := range revs {
		if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, "\x00\n\r") {
			return fmt.Errorf("%q: %w", rev, ErrUnknownRevision)
		}
	}
	return nil
}

// checkPath refuses paths outside the work tree or inside .git.
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
