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
	// Families lists the families that only this Room answers.
	Families() []fact.Family
	// Digest returns the present digest of a fact, or "" if its subject does not exist.
	Digest(ctx context.Context, f fact.Fact) (string, error)
	// Value returns the value of a fact.
	Value(ctx context.Context, f fact.Fact) (any, error)
	// Changed lists the facts that may have changed since the last run; all is true if any may have. A fact without a
	// name covers all facts of its family with the same Of.
	Changed() (facts []fact.Fact, all bool)
	// Explain describes changes in words, with the file that caused them. It may replace one change by several more
	// specific ones. held is the evidence of the conclusion; others looks up evidence of other conclusions by family
	// and name prefix.
	Explain(held []fact.Observation, changes []fact.Change, others func(family fact.Family, prefix string) []fact.Observation) []condition.Cause
}

// World is the Room of the repository and provides its state.
type World interface {
	Room
	// Unchanged reports whether nothing changed since the last run. It is cheap.
	Unchanged(ctx context.Context) (bool, error)
	// Observe loads the present state. It is called before any fact is read.
	Observe(ctx context.Context) error
	// Own lists the changed files that causal generated, if the changes are known.
	Own() []string
	// Trigger lists the changes since the last run that completed its work, as file facts, or nothing if they are
	// unknown. state identifies all possible triggers: runs with equal state have the same subject.
	Trigger() (changes []fact.Change, state string)
	// Base is the commit of the last remembered run, Commit the present one; both may be empty.
	Base() string
	Commit() string
	// Origin returns the time of the commit, and whether links to it are permanent.
	Origin(ctx context.Context) (when time.Time, permanent bool, err error)
	// Clean reports whether a file is committed and unmodified.
	Clean(file string) bool
	// LastChange returns the last commit that changed a file, or "" if the file has uncommitted changes.
	LastChange(ctx context.Context, file string) (string, error)
	// Wrote updates the state for files that the run wrote or removed; before holds their previous content, nil for
	// new files.
	Wrote(ctx context.Context, before map[string][]byte) error
	// Save adds the data for the next run to the batch; done means that the run completed its work.
	Save(done bool) error
	// Release announces that the values of these facts are not expected to be read again.
	Release(facts []fact.Observation)
}

// Origin locates the described state.
type Origin struct {
	Commit string
	When   time.Time // time of the commit
	// Permanent reports whether links to the commit will keep working.
	Permanent bool
	// Clean reports whether a file is committed and unmodified.
	Clean func(file string) bool
}

// Files is the store of the files that causal generates.
type Files interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) (changed bool, err error)
	Remove(name, upTo string) error
	// List returns the files of a directory, by path, sorted; none if the directory does not exist.
	List(dir string) ([]string, error)
	// Below returns all files below a directory, sorted by path.
	Below(dir string) ([]string, error)
	// Changed returns the written and removed files with their previous content, nil for new files.
	Changed() map[string][]byte
	// Created reports whether a written file did not exist before.
	Created(name string) bool
	// Hold keeps all further writes in memory until drop, which discards them and returns the differences from the
	// stored files.
	Hold() (drop func() []store.Difference)
}

// Model answers the questions of frames.
type Model interface {
	Answer(ctx context.Context, q Question) (string, error)
}

// Question is one open frame: Query, and ContextSlice with the plugin's input for the Model.
type Question struct {
	Frame frame.Frame
	// Request is the request of the unit's kind (Kind.Ask); nil if the Model builds the request.
	Request *prompt.Request
	// Draft returns the plugin's own answer in a model's format.
	Draft func() (string, error)
}

// None is the Model of a run without one: plugins draft.
type None struct{}

// Answer implements Model.
func (None) Answer(_ context.Context, q Question) (string, error) { return q.Draft() }

// NoModel is the name of None in generators.
const NoModel = "none"
