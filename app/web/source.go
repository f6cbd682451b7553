package web

import (
	"context"
	"errors"
	"time"
)

// What a Source answers when it cannot do what was asked.
var (
	ErrNotFound = errors.New("not found")
	ErrNotDead  = errors.New("the job neither is dead nor waits")
)

// What People answers when it cannot say what somebody may see.
var (
	ErrLoggedOut = errors.New("GitHub refuses the token")
	ErrSilent    = errors.New("GitHub does not list the repositories of a user")
	errNotBegun  = errors.New("the login was not begun here")
)

// Source is where the status page gets what it shows. Every list can be read on from where a page of it ended, so that
// what is new meanwhile moves nothing.
type Source interface {
	Counts(ctx context.Context) (Counts, error)
	// Repositories lists up to limit repositories by name, from the one after the named.
	Repositories(ctx context.Context, after string, limit int) ([]Repository, error)
	// Runs lists up to limit runs, newest first, from the one before that id; 0 is the newest.
	Runs(ctx context.Context, f RunFilter, before int64, limit int) ([]Run, error)
	// Run is one run with all that is known about it; ErrNotFound when there is none of that id.
	Run(ctx context.Context, id int64) (*RunDetail, error)
	// Jobs lists up to limit jobs of a state, or of all, newest first, from the one before that id; 0 is the newest.
	Jobs(ctx context.Context, state JobState, before int64, limit int) ([]Job, error)
	// Restart queues the job of a run again that is dead, and has one tried at once that waits; ErrNotDead when it is neither,
	// ErrNotFound when it is not there.
	Restart(ctx context.Context, run int64) error
}

// RunFilter chooses runs; an empty field chooses all.
type RunFilter struct {
	Repository string // "owner/name"
	Conclusion Conclusion
}

// Counts are what may be known without a token: no names.
type Counts struct {
	Repositories int
	Runs         int // that are kept
	Queued       int // can be worked at once
	Running      int
	Waiting      int // to be tried later
	Dead         int
	Oldest       time.Time // when the oldest job that is not dead was asked for; zero when there is none
}

// Repository is a repository that the App is installed on.
type Repository struct {
	Name     string // "owner/name"
	URL      string
	Private  bool
	Archived bool
	// Last holds the last run of the branches and pull requests that something happened to last, the newest first.
	Last []Run
}

// Subject is what a job brings up to date: a branch, or a pull request.
type Subject struct {
	Repository string // "owner/name"
	Branch     string // empty for a pull request
	Pull       int    // 0 for a branch
	URL        string // where people see it; may be empty
}

// Conclusion is how a run ended. One that this package does not know is shown as it is.
type Conclusion string

// The conclusions.
const (
	Updated   Conclusion = "updated"   // committed something
	Proposed  Conclusion = "proposed"  // put it into a pull request
	Fresh     Conclusion = "fresh"     // looked, and found everything true
	Stale     Conclusion = "stale"     // found something, and is not to publish it
	Told      Conclusion = "told"      // told a pull request what it makes stale
	SetAside  Conclusion = "set aside" // its pull request was closed without a merge
	Completed Conclusion = "completed" // its pull request was merged
	Skipped   Conclusion = "skipped"   // did not look, for a reason
	Refused   Conclusion = "refused"   // could not, and trying again would not help
	Failed    Conclusion = "failed"    // and will be tried again
	Waiting   Conclusion = "waiting"   // asked to be tried later
	Dead      Conclusion = "dead"      // failed for the last time
	Back      Conclusion = "back"      // handed back by a server that stopped
	Lost      Conclusion = "lost"      // its server was not heard of any more
	Running   Conclusion = "running"   // has not ended
)

// Conclusions lists them in the order in which people choose from them.
var Conclusions = []Conclusion{
	Updated, Proposed, Fresh, Stale, Told, SetAside, Completed, Skipped, Refused, Failed, Waiting, Dead, Back, Lost, Running,
}

// Run is one attempt to bring a subject up to date.
type Run struct {
	ID int64
	Subject

	Conclusion Conclusion
	Title      string // what it did, or why it did nothing, in one line
	Attempt    int
	Started    time.Time
	Ended      time.Time // zero while it runs
	Causes     []Cause   // why it ran, oldest first
}

// Cause is one thing that asked for a run.
type Cause struct {
	Event    string // "push", "pull_request.closed", "sweep", "restart"
	Delivery string // GitHub's id of the delivery; empty when there was none
	Detail   string // as in "main moved to 4c1f0aa"; may be empty
}

// RunDetail is a run with all that is known about it.
type RunDetail struct {
	Run

	Head    Commit // the commit that was read
	Session string // names the call tree; empty when none was made
	Error   string // empty unless it failed
	Frames  []Frame
	Chain   []Step
	// ChainLeft is how many steps are not kept.
	ChainLeft int
}

// Commit is a commit as people know it.
type Commit struct {
	SHA, Subject, URL string
}

// Frame is one call of a session with the calls below it.
type Frame struct {
	ID           string
	Query        string
	Status       string // active, suspended, completed
	Validity     string // valid, invalidated
	Reason       string // why it is invalidated
	Conclusion   string
	Confidence   float64
	Evidence     []string
	Condition    string // what would make the conclusion wrong
	BranchedFrom string // the frame that was set aside for this one
	Children     []Frame
}

// Step is one effect of a causal chain, with what it led to.
type Step struct {
	Kind    StepKind
	Name    string // what it happened to: a commit, a module, a page
	Because string // the term that became true, or the relationship in words
	File    string // through which file
	Detail  string // what came out of it, as in "same content: dependent units were not run"
	URL     string
	Then    []Step
}

// StepKind says what happened in a step. One that this package does not know is shown as it is.
type StepKind string

// The kinds of steps.
const (
	Pushed      StepKind = "push"
	Invalidated StepKind = "invalidated"
	Rerun       StepKind = "re-run"
	Page        StepKind = "page"
	Published   StepKind = "commit"
)

// JobState says where a job stands.
type JobState string

// The states of a job.
const (
	JobQueued  JobState = "queued"
	JobRunning JobState = "running"
	JobWaiting JobState = "waiting"
	JobDead    JobState = "dead"
)

// JobStates lists them in the order in which people choose from them.
var JobStates = []JobState{JobQueued, JobRunning, JobWaiting, JobDead}

// Job is one entry of the queue.
type Job struct {
	ID int64
	Subject

	State    JobState
	Attempt  int // attempts so far
	Attempts int // how many there may be
	Asked    time.Time
	Next     time.Time // when it is tried; zero for one that runs or is dead
	Error    string    // of the last attempt
	Run      int64     // the last run; 0 when there was none
	Restarts bool      // who looks may have it queued again
}
