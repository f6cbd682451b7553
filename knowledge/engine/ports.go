// Package engine is the cognitive loop: it finds out what changed, which conclusions rested on it, runs the plugins
// that produced those again, and cascades only as far as conclusions really differ. It sees git, models and the
// outside world through the small interfaces of this file.
package engine

import (
	"context"
	"slices"
	"time"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/session"
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

// Plugin owns what the model sees, what is kept of its answer and where it goes. It owns no causality: it gets
// copies, and what it returns is checked.
type Plugin interface {
	// TransformInput decides what the model sees of raw: the context slice of the current frame.
	TransformInput(raw any, ctx CoreContext) (map[string]any, error)
	// ParseOutput turns the model's answer, or the plugin's own draft, into structured knowledge.
	ParseOutput(raw string, f frame.Frame) (Parsed, error)
	// Store puts it where it belongs. A side effect only: everything was decided before. It is called concurrently.
	Store(p Parsed, f frame.Frame) error
	// Draft answers without a model, in the form that a model would use, so that ParseOutput has one way in. Nothing but the
	// slice decides what it says. It is called concurrently.
	Draft(slice map[string]any) (string, error)
}

// Model answers the questions that frames ask.
type Model interface {
	Answer(ctx context.Context, q Question) (string, error)
}

// Question is one open frame as a Model gets it: its Query, and in its ContextSlice all that the plugin has it see.
type Question struct {
	Frame frame.Frame
	// Draft is the plugin's own answer, in the form that a model uses, for whoever has none.
	Draft func() (string, error)
}

// None is the Model of a run without one: the plugin drafts.
type None struct{}

// Answer implements Model.
func (None) Answer(_ context.Context, q Question) (string, error) { return q.Draft() }

// NoModel is how generators name None.
const NoModel = "none"

// Parsed is what a plugin concluded for one frame.
type Parsed struct {
	Conclusion string
	Evidence   []fact.Observation
	Confidence float64
	// InvalidationCondition says what would make it wrong. The engine refuses a conclusion without one: it would be
	// a cache and no knowledge.
	InvalidationCondition condition.Condition
	// Digest identifies the content; an equal one means that nothing new was concluded.
	Digest string
	// Node is the knowledge node that Store will write, where the plugin makes nodes.
	Node *node.Node
}

// CoreContext is what the core has resolved before a plugin runs. All of it is copied: changing it changes nothing
// that the core goes by. CurrentFrame has its question and its place in the tree; the context slice is the plugin's to
// choose, and the id follows from it.
type CoreContext struct {
	CurrentFrame      frame.Frame
	Index             frame.View
	Artifacts         session.Artifacts
	ChangedFiles      []string
	InvalidatedFrames []string
	SuspendedFrames   []string
}
