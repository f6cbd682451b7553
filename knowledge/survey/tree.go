package survey

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Commit is a commit of the repository; the zero Commit stands for "none yet".
type Commit struct {
	ID      string
	When    time.Time
	Subject string
}

// Mode says what an Entry is.
type Mode string

// The modes that matter here. Anything else (submodules, devices) is no file to causal.
const (
	Regular Mode = "regular"
	Symlink Mode = "symlink"
	Other   Mode = "other"
)

// Entry is one file of a state of the repository.
type Entry struct {
	Path string
	ID   string // git's blob id of its content
	Mode Mode
}

// State identifies what is in the repository now. Two equal States hold equal files.
type State struct {
	Commit string `json:"commit,omitempty"`
	// Dirty are the files that differ from Commit, sorted by path, with what is there instead.
	Dirty []Dirty `json:"dirty,omitempty"`
}

// Equal reports whether two States hold the same files.
func (s State) Equal(other State) bool {
	return s.Commit == other.Commit && slices.EqualFunc(s.Dirty, other.Dirty, func(a, b Dirty) bool {
		return a.Path == b.Path && a.ID == b.ID && a.Mode == b.Mode
	})
}

// Dirty is one file that differs from the commit. An empty ID means that nothing is there.
type Dirty struct {
	Path string `json:"p"`
	ID   string `json:"i,omitempty"`
	Mode Mode   `json:"m,omitempty"`
	// Base is what the commit has there, empty when it has nothing.
	Base string `json:"b,omitempty"`
	// Stamp is the adapter's own note of how the file looked when it computed the ID, so as not to read it again.
	Stamp string `json:"s,omitempty"`
}

// Change is a path whose content differs between two states. An empty ID means that it is gone.
type Change struct {
	Path string
	ID   string
	Mode Mode
	// Was is the id before; empty when the path was not there.
	Was string
}

// ErrTooLarge is what a Tree says of a file over the limit.
var ErrTooLarge = errors.New("too large")

// Tree is one state of a repository's files: the work tree, or a revision.
type Tree interface {
	// State tells what is there, reading no file that is known from an earlier State, which may be the zero one.
	// earlier is called at most once, and takes its time.
	State(ctx context.Context, earlier func() State) (State, error)
	// Head is the commit that the State is based on.
	Head(ctx context.Context) (Commit, error)
	// Entries lists all files of a State, sorted by path.
	Entries(ctx context.Context, s State) ([]Entry, error)
	// Changes lists what differs between two States, sorted by path; false when the earlier one cannot be known any
	// more.
	Changes(ctx context.Context, from, to State) ([]Change, bool, error)
	// Wrote brings a State up to date with files of the work tree that were just written or removed; before is what
	// they held, nil for files that are new.
	Wrote(ctx context.Context, s State, before map[string][]byte) (State, error)
	// Read passes on the content of each entry, in order. A file over limit bytes comes with ErrTooLarge and its
	// first bytes; one that cannot be read with its error.
	Read(ctx context.Context, entries []Entry, limit int64, fn func(e Entry, content []byte, err error) error) error
	// LastChange names the commit, up to the one that State names, that changed a file last; empty where that is not known
	// without asking anybody else.
	LastChange(ctx context.Context, file string) (string, error)
	// Published reports whether a commit is known to be on the branch that permanent links may lead to.
	Published(ctx context.Context, commit string) (bool, error)
}
