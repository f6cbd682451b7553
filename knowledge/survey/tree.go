package survey

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Commit is a commit of the repository; the zero Commit means that there is none yet.
type Commit struct {
	ID      string
	When    time.Time
	Subject string
}

// Mode is the kind of an Entry.
type Mode string

// Entry modes. Devices are Other.
const (
	Regular   Mode = "regular"
	Symlink   Mode = "symlink"
	Submodule Mode = "submodule"
	Other     Mode = "other"
)

// Entry is one file of a repository state.
type Entry struct {
	Path string
	ID   string // git blob id
	Mode Mode
}

// State identifies the content of the repository. Equal States hold equal files.
type State struct {
	Commit string `json:"commit,omitempty"`
	// Dirty lists the files that differ from Commit, sorted by path.
	Dirty []Dirty `json:"dirty,omitempty"`
}

// Equal reports whether two States hold the same files.
func (s State) Equal(other State) bool {
	return s.Commit == other.Commit && slices.EqualFunc(s.Dirty, other.Dirty, func(a, b Dirty) bool {
		return a.Path == b.Path && a.ID == b.ID && a.Mode == b.Mode
	})
}

// Dirty is one file that differs from the commit. An empty ID means that it is removed.
type Dirty struct {
	Path string `json:"p"`
	ID   string `json:"i,omitempty"`
	Mode Mode   `json:"m,omitempty"`
	// Base is the blob id in the commit, or empty.
	Base string `json:"b,omitempty"`
	// Stamp records the file's metadata when the adapter computed the ID, which saves reading it again.
	Stamp string `json:"s,omitempty"`
}

// Change is a path whose content differs between two states. An empty ID means that it is removed.
type Change struct {
	Path string
	ID   string
	Mode Mode
	// Was is the previous blob id, or empty for a new path.
	Was string
}

// ErrTooLarge is returned by a Tree for a file over the limit.
var ErrTooLarge = errors.New("too large")

// Tree is one state of a repository's files: the work tree, or a revision.
type Tree interface {
	// State returns the present state. It does not read files known from the earlier State, which may be zero.
	// earlier is slow and is called at most once.
	State(ctx context.Context, earlier func() State) (State, error)
	// Head returns the commit that the State is based on.
	Head(ctx context.Context) (Commit, error)
	// Entries lists all files of a State, sorted by path.
	Entries(ctx context.Context, s State) ([]Entry, error)
	// Changes lists the differences between two States, sorted by path. It returns false if the earlier one is no
	// longer available.
	Changes(ctx context.Context, from, to State) ([]Change, bool, error)
	// Wrote updates a State for files that were just written or removed; before holds their previous content, nil for
	// new files.
	Wrote(ctx context.Context, s State, before map[string][]byte) (State, error)
	// Read passes the content of each entry to fn, in order. A file over limit bytes comes with ErrTooLarge and its
	// first bytes, an unreadable one with its error.
	Read(ctx context.Context, entries []Entry, limit int64, fn func(e Entry, content []byte, err error) error) error
	// LastChange returns the last commit, up to the State's, that changed a file, or "" if that is not known locally.
	LastChange(ctx context.Context, file string) (string, error)
	// Published reports whether a commit is known to be on the branch for permanent links.
	Published(ctx context.Context, commit string) (bool, error)
}
