// Package gitstore reads a local git repository and its work tree, and commits to it. Mirror is a bare cache of selected
// commits of a remote repository.
//
// Repo has two adapters, which share one conformance suite. CLI runs the git program (2.25 or newer). GoGit works without
// it, and only reads what the log needs: HEAD, and the history of a directory. Other operations return ErrUnsupported.
//
// Contents are identified by git blob ids. Changed work tree files are hashed as they are on disk, without clean filters
// (autocrlf, LFS), so their ids may differ once committed.
package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"
)

// Errors that callers distinguish. Errors that wrap them name a remedy.
var (
	// ErrNotRepository means that dir is in no git repository.
	ErrNotRepository = errors.New("not in a git repository: change to one, or run `git init`")
	// ErrBare means that the repository has no work tree.
	ErrBare = errors.New("this git repository has no work tree here: run causal in a checkout of it")
	// ErrDubiousOwnership means that git refuses a repository of another user that safe.directory does not list.
	ErrDubiousOwnership = errors.New("the repository belongs to another user")
	// ErrUnknownRevision means that a name resolves to no commit.
	ErrUnknownRevision = errors.New("unknown revision")
	// ErrUnknownObject means that the repository lacks the object (shallow clone, garbage collection, rebase).
	ErrUnknownObject = errors.New("unknown object")
	// ErrTooLarge means that an object exceeds a size limit.
	ErrTooLarge = errors.New("too large to be read")
	// ErrNoIdentity means that git has no author identity.
	ErrNoIdentity = errors.New("git does not know who you are: set user.name and user.email with `git config`")
	// ErrNothingToCommit means that no path differs from HEAD.
	ErrNothingToCommit = errors.New("nothing to commit")
	// ErrUnsupported means that the operation needs the git program.
	ErrUnsupported = errors.New("git is required")
)

// Mode is the type of a tree entry. The zero Mode means that the path does not exist.
type Mode string

const (
	Regular    Mode = "regular"
	Executable Mode = "executable"
	Symlink    Mode = "symlink"
	Submodule  Mode = "submodule"
)

// Kind is the kind of a difference.
type Kind string

const (
	Modified  Kind = "modified" // content, mode or type differs
	Added     Kind = "added"    // absent from the old tree; in a Status: in the index
	Deleted   Kind = "deleted"
	Untracked Kind = "untracked" // on disk, not in HEAD or the index, not ignored
	Unmerged  Kind = "unmerged"  // unresolved conflict; Mode is empty if no file exists
)

// Commit is a commit. The zero Commit stands for an unborn branch.
type Commit struct {
	ID      string
	Tree    string
	When    time.Time // committer date, UTC
	Author  string
	Subject string
}

// Message is a commit with its full message.
type Message struct {
	ID     string
	Author string
	When   time.Time // author date, UTC
	Text   string    // at most 64 KB
}

// Entry is one file of a tree. Path is slash-separated, relative to the root, and unnormalized.
type Entry struct {
	Path string
	ID   string
	Mode Mode
}

// Change is one path that differs between two trees, or between HEAD and the work tree.
type Change struct {
	Path string
	Kind Kind
	// Mode is the new mode; zero if the path no longer exists.
	Mode Mode
	// Old is the old id; empty if the path did not exist.
	Old string
	// New is the new id; empty if the path no longer exists. A Status leaves it empty.
	New string
}

// Status is the difference between the work tree and HEAD, regardless of the index.
type Status struct {
	Head    string   // commit id, empty when unborn
	Branch  string   // short name, empty when HEAD is detached
	Changes []Change // sorted by path
	// Unstaged lists the paths on which the work tree and the index differ, sorted, untracked files included.
	Unstaged []string
	// Found has the FileInfo of the changed paths that Status examined.
	Found map[string]fs.FileInfo
}

// Trailer is a "Key: value" line at the end of a commit message.
type Trailer struct {
	Key   string
	Value string
}

// Blob is a blob from the object store. Content is nil if Size, in bytes, exceeds the reader's limit.
type Blob struct {
	ID      string
	Size    int64
	Content []byte
}

// Counters are the operation counts of a Repo.
type Counters struct {
	Spawns int64
	Files  int64
	Bytes  int64
	Blobs  int64
}

// backend is an adapter. Lists are sorted by path; ids are full and lower case.
type backend interface {
	resolve(ctx context.Context, rev string) (Commit, error)
	head(ctx context.Context) (Commit, error)
	branch(ctx context.Context) (string, error)
	begin(ctx context.Context)
	status(ctx context.Context, expected func() []string) (Status, error)
	hidden(ctx context.Context) (map[string]bool, error)
	tree(ctx context.Context, treeish string) ([]Entry, error)
	diff(ctx context.Context, from, to string) ([]Change, error)
	blobs(ctx context.Context, ids []string, limit int64, yield func(Blob) error) error
	lastCommit(ctx context.Context, rev string, paths []string) (Commit, bool, error)
	messages(ctx context.Context, rev, since string, yield func(Message) error) error
	everBelow(ctx context.Context, rev, dir, since string) (map[string]string, error)
	contains(ctx context.Context, ref, commit string) (bool, error)
	mergeBase(ctx context.Context, a, b string) (string, error)
	tags(ctx context.Context) ([]string, error)
	tagNamed(ctx context.Context, rev, name string) (Tag, error)
	newestTag(ctx context.Context, rev string) (Tag, error)
	remoteURL(ctx context.Context, name string) (string, error)
	remoteHead(ctx context.Context, name string) (string, error)
	authorName(ctx context.Context) (string, error)
	commit(ctx context.Context, changes []Change, message string) error
	stage(ctx context.Context, paths []string) error
}

func byPath(a, b Change) int { return strings.Compare(a.Path, b.Path) }

func entryByPath(a, b Entry) int { return strings.Compare(a.Path, b.Path) }

func modeOf(octal string) (Mode, bool) {
	switch octal {
	case "100644", "100664":
		return Regular, true
	case "100755":
		return Executable, true
	case "120000":
		return Symlink, true
	case "160000":
		return Submodule, true
	case "000000":
		return "", true
	}
	return "", false
}
