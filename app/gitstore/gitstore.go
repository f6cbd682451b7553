// Package gitstore is how causal reads a local git repository and its working tree, and commits to it: which files
// changed, what a tree holds, what a blob says, which commit last touched a path.
//
// A Mirror is the same for a repository that is elsewhere: a bare cache of exactly the commits that were asked for.
//
// There are two adapters behind one Repo. CLI runs the git binary (2.25 or newer). GoGit serves machines without git: it
// reads commits, trees, blobs and the files below a directory in history, and refuses the rest with ErrUnsupported, above
// all the comparison of the work tree with the commit. One conformance suite tests what both have.
//
// Content is named by git's own blob ids. A changed file of the work tree is hashed as its bytes are on disk: clean
// filters (autocrlf, LFS) are not applied, so that such a file may get another id once it is committed.
package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"
)

// What callers may need to tell apart. Every error that wraps one of these says what to do about it.
var (
	// ErrNotRepository: no git repository holds the directory.
	ErrNotRepository = errors.New("not in a git repository: change to one, or run `git init`")
	// ErrBare: there is a repository, but no work tree here.
	ErrBare = errors.New("this git repository has no work tree here: run causal in a checkout of it")
	// ErrDubiousOwnership: git refuses repositories of other users unless safe.directory names them.
	ErrDubiousOwnership = errors.New("the repository belongs to another user")
	// ErrUnknownRevision: the name leads to no commit.
	ErrUnknownRevision = errors.New("unknown revision")
	// ErrUnknownObject: the object is not in this repository (shallow clone, collected, rebased away).
	ErrUnknownObject = errors.New("unknown object")
	// ErrTooLarge: the object has more bytes than are read of one.
	ErrTooLarge = errors.New("too large to be read")
	// ErrNoIdentity: git does not know who commits.
	ErrNoIdentity = errors.New("git does not know who you are: set user.name and user.email with `git config`")
	// ErrNothingToCommit: none of the paths differs from HEAD.
	ErrNothingToCommit = errors.New("nothing to commit")
	// ErrUnsupported: only the git binary can do this, and there is none.
	ErrUnsupported = errors.New("not possible without the git binary: install git")
)

// Mode says what a path is. The zero Mode means that nothing is there.
type Mode string

// The modes that git tells apart.
const (
	Regular    Mode = "regular"
	Executable Mode = "executable"
	Symlink    Mode = "symlink"
	Submodule  Mode = "submodule"
)

// Kind says how a path differs.
type Kind string

// The kinds of a Change.
const (
	Modified  Kind = "modified"  // content, mode or type differs
	Added     Kind = "added"     // not in the old tree; in a Status: known to the index
	Deleted   Kind = "deleted"   // not there any more
	Untracked Kind = "untracked" // on disk, in neither tree nor index, not ignored
	Unmerged  Kind = "unmerged"  // a conflict that is not resolved; Mode reports whether a file is there
)

// Commit is what causal needs to know of a commit. The zero Commit stands for an unborn branch.
type Commit struct {
	ID      string
	Tree    string
	When    time.Time // committer date, UTC
	Author  string    // name
	Subject string
}

// Message is a commit as its author wrote it.
type Message struct {
	ID     string
	Author string    // name
	When   time.Time // author date, UTC
	Text   string    // the beginning of it, where it is very long
}

// Entry is one file of a tree. Path is slash-separated, relative to the root, in the bytes that git has.
type Entry struct {
	Path string
	ID   string
	Mode Mode
}

// Change is one path that differs between two trees, or between HEAD and the work tree.
type Change struct {
	Path string
	Kind Kind
	// Mode is the mode on the new side; zero when nothing is there.
	Mode Mode
	// Old is the id on the old side; empty when the path was not there.
	Old string
	// New is the id on the new side; empty when nothing is there and in a Status, which reads no content.
	New string
}

// Status is how the work tree differs from HEAD's tree; the index does not count.
type Status struct {
	Head    string   // commit id, empty when unborn
	Branch  string   // short name, empty when HEAD is detached
	Changes []Change // sorted by path
	// Found is what was seen at changed paths that had to be looked at, so that nobody need look again.
	Found map[string]fs.FileInfo
}

// Trailer is one "Key: value" line at the end of a commit message.
type Trailer struct {
	Key   string
	Value string
}

// Blob is one that was read. Content is nil when Size, in bytes, is more than the reader wanted.
type Blob struct {
	ID      string
	Size    int64
	Content []byte
}

// Counters tell what a Repo has done so far.
type Counters struct {
	Spawns int64 // git processes started
	Files  int64 // files of the work tree that were read
	Bytes  int64 // bytes read from them
	Blobs  int64 // blobs read from the object store
}

// backend is what an adapter provides. Lists are sorted by path; ids are full and lower case.
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

// modeOf reads the mode of a tree entry or of a status line, as git writes it.
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
