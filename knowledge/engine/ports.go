package engine

import (
	"context"
	"time"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/store"
)

// Room answers the facts of some families. Its methods are safe for concurrent use.
type Room interface {
	// Families are those that it answers, and nobody else does.
	Families() []fact.Family
	// Digest is what a fact is now; empty where there is no such thing.
	Digest(ctx context.Context, f fact.Fact) (string, error)
	// Value is what there is to read of it.
	Value(ctx context.Context, f fact.Fact) (any, error)
	// Changed lists the facts that may be otherwise than the last run remembered them; all is true when that may be any. A
	// fact without a name stands for all of its family about what it is of.
	Changed() (facts []fact.Fact, all bool)
	// Explain says in words what changed, and through which file. It may tell one change by several others that say more. held
	// is all that the conclusion rests on; others looks up what others saw of facts of a family whose names begin alike.
	Explain(held []fact.Observation, changes []fact.Change, others func(family fact.Family, prefix string) []fact.Observation) []condition.Cause
}

// World is the Room of the repository, and the repository's state that a run is about.
type World interface {
	Room
	// Unchanged reports whether everything is as the last run left it. It costs little.
	Unchanged(ctx context.Context) (bool, error)
	// Observe finds out what is there. Nothing is asked of the room before.
	Observe(ctx context.Context) error
	// Own lists the files of causal's own that somebody changed since the last run, where it is known what changed.
	Own() []string
	// Trigger lists what changed since the last run that left nothing undone, as facts about files; nothing where that is not
	// known. state identifies all that could have: two runs in one state are about the same.
	Trigger() (changes []fact.Change, state string)
	// Base is the commit of the last run that is remembered, Commit the one that is described; empty before the first.
	Base() string
	Commit() string
	// Origin tells when the commit was made, and whether links to it will keep working.
	Origin(ctx context.Context) (when time.Time, permanent bool, err error)
	// Clean reports whether a file is in the commit as it is here.
	Clean(file string) bool
	// LastChange names the commit that changed a file last; empty where it is not committed as it is.
	LastChange(ctx context.Context, file string) (string, error)
	// Wrote takes files into account that the run wrote or removed itself; before is what they held, nil for new ones.
	Wrote(ctx context.Context, before map[string][]byte) error
	// Save puts what the next run needs into the batch of the run; done says that this one left nothing undone.
	Save(done bool) error
	// Release says that nobody is expected to read the values of these facts again.
	Release(facts []fact.Observation)
}

// Origin is where what is described can be found.
type Origin struct {
	Commit string
	When   time.Time // the commit was made
	// Permanent reports whether links to the commit will keep working.
	Permanent bool
	// Clean reports whether a file is in the commit as it is here.
	Clean func(file string) bool
}

// Files is the directory where causal's own files lie.
type Files interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) (changed bool, err error)
	Remove(name, upTo string) error
	// List returns the files of a directory, by path, sorted; none when the directory is not there.
	List(dir string) ([]string, error)
	// Below returns all files below a directory, in the same way.
	Below(dir string) ([]string, error)
	// Changed returns the files that were written or removed, with what they held before; nil for files that are new.
	Changed() map[string][]byte
	// Hold keeps all further writes in memory until drop, which forgets them and returns those that differ from what is stored.
	Hold() (drop func() []store.Difference)
}

// Model answers the questions that frames ask.
type Model interface {
	Answer(ctx context.Context, q Question) (string, error)
}

// Question is one open frame as a Model gets it: its Query, and in its ContextSlice all that the plugin has it see.
type Question struct {
	Frame frame.Frame
	// Request is the question as the unit's kind asks it (Kind.Ask); nil if the kind leaves that to the Model.
	Request *prompt.Request
	// Draft is the plugin's own answer, in the form that a model uses, for whoever has none.
	Draft func() (string, error)
}

// None is the Model of a run without one: the plugin drafts.
type None struct{}

// Answer implements Model.
func (None) Answer(_ context.Context, q Question) (string, error) { return q.Draft() }

// NoModel is how generators name None.
const NoModel = "none"
