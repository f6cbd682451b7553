package web

import (
	"context"
	"errors"
	"time"
)

// Errors of a Source.
var (
	ErrNotFound = errors.New("not found")
	ErrNotDead  = errors.New("the job neither is dead nor waits")
)

// Errors of People.
var (
	ErrLoggedOut = errors.New("GitHub refuses the token")
	ErrSilent    = errors.New("GitHub does not list the repositories of a user")
	errNotBegun  = errors.New("the login was not begun here")
)

// Source provides the data of the status page. Lists are paged by the last entry, so new entries do not shift pages.
type Source interface {
	Counts(ctx context.Context) (Counts, error)
	// Repositories lists up to limit repositories by name, after the given one.
	Repositories(ctx context.Context, after string, limit int) ([]Repository, error)
	// Runs lists up to limit runs with lower ids than before, newest first; 0 starts at the newest.
	Runs(ctx context.Context, f RunFilter, before int64, limit int) ([]Run, error)
	// Run returns the details of a run, or ErrNotFound.
	Run(ctx context.Context, id int64) (*RunDetail, error)
	// Jobs lists up to limit jobs of a state, or of all, with lower ids than before, newest first; 0 starts at the
	// newest.
	Jobs(ctx context.Context, state JobState, before int64, limit int) ([]Job, error)
	// Restart queues a dead job again, and retries a waiting one now. It returns ErrNotDead for other jobs, and
	// ErrNotFound if there is none.
	Restart(ctx context.Context, run int64) error
}

// RunFilter selects runs. An empty field matches all.
type RunFilter struct {
	Repository string // "owner/name"
	Conclusion Conclusion
}

// Counts are the figures that are shown without a login. They have no names.
type Counts struct {
	Repositories int
	Runs         int // stored runs
	Queued       int // ready to run
	Running      int
	Waiting      int // retried later
	Dead         int
	Oldest       time.Time // when the oldest job that is not dead was queued; zero if there is none
}

// Repository is a repository with the App installed.
type Repository struct {
	Name     string // "owner/name"
	URL      string
	Private  bool
	Archived bool
	// Last has the last run of recently active branches and pull requests, the newest first.
	Last []Run
}

// Subject is what a job updates: a branch, or a pull request.
type Subject struct {
	Repository string // "owner/name"
	Branch     string // empty for a pull request
	Pull       int    // 0 for a branch
	URL        string // on GitHub; may be empty
}

// Conclusion is the outcome of a run. Unknown ones are shown as they are.
type Conclusion string

// The conclusions.
const (
	Updated   Conclusion = "updated"   // committed changes
	Proposed  Conclusion = "proposed"  // proposed changes in a pull request
	Fresh     Conclusion = "fresh"     // everything was up to date
	Stale     Conclusion = "stale"     // found changes that the mode does not publish
	Told      Conclusion = "told"      // reported to a pull request
	SetAside  Conclusion = "set aside" // the pull request was closed without a merge
	Completed Conclusion = "completed" // the pull request was merged
	Skipped   Conclusion = "skipped"   // not analyzed, for a reason
	Refused   Conclusion = "refused"   // a retry would not help
	Failed    Conclusion = "failed"    // is retried
	Waiting   Conclusion = "waiting"   // asked for a later retry
	Dead      Conclusion = "dead"      // failed for the last time
	Back      Conclusion = "back"      // requeued by a server that stopped
	Lost      Conclusion = "lost"      // the server died
	Running   Conclusion = "running"   // not finished
)

// Conclusions lists the conclusions in the order of the filter.
var Conclusions = []Conclusion{
	Updated, Proposed, Fresh, Stale, Told, SetAside, Completed, Skipped, Refused, Failed, Waiting, Dead, Back, Lost, Running,
}

// Run is one attempt to update a subject.
type Run struct {
	ID int64
	Subject

	Conclusion Conclusion
	Title      string // a summary in one line
	Attempt    int
	Started    time.Time
	Ended      time.Time // zero while it runs
	Causes     []Cause   // oldest first
}

// Cause is a trigger of a run.
type Cause struct {
	Event    string // "push", "pull_request.closed", "sweep", "restart"
	Delivery string // GitHub's delivery id; may be empty
	Detail   string // such as "main moved to 4c1f0aa"; may be empty
}

// RunDetail is a run with its frames and its causal chain.
type RunDetail struct {
	Run

	Head    Commit // the analyzed commit
	Session string // session id; may be empty
	Error   string // empty unless it failed
	Frames  []Frame
	Chain   []Step
	// ChainLeft counts the steps that were not stored.
	ChainLeft int
}

// Commit is a commit for display.
type Commit struct {
	SHA, Subject, URL string
}

// Frame is one call of a session with its child calls.
type Frame struct {
	ID           string
	Query        string
	Status       string // active, suspended, completed
	Validity     string // valid, invalidated
	Reason       string // of the invalidation
	Conclusion   string
	Confidence   float64
	Evidence     []string
	Condition    string // the condition that invalidates the conclusion
	BranchedFrom string // the suspended frame that this one continues
	Children     []Frame
}

// Step is one effect in a causal chain, with its consequences.
type Step struct {
	Kind    StepKind
	Name    string // a commit, a module or a page
	Because string // the condition that became true, or the relationship in words
	File    string // the file that caused it
	Detail  string // the result, such as "same content: dependent units were not run"
	URL     string
	Then    []Step
}

// StepKind is the kind of a step. Unknown ones are shown as they are.
type StepKind string

// The kinds of steps.
const (
	Pushed      StepKind = "push"
	Invalidated StepKind = "invalidated"
	Rerun       StepKind = "re-run"
	Page        StepKind = "page"
	Published   StepKind = "commit"
)

// JobState is the state of a job.
type JobState string

// The states of a job.
const (
	JobQueued  JobState = "queued"
	JobRunning JobState = "running"
	JobWaiting JobState = "waiting"
	JobDead    JobState = "dead"
)

// JobStates lists the states in the order of the filter.
var JobStates = []JobState{JobQueued, JobRunning, JobWaiting, JobDead}

// Job is one entry of the queue.
type Job struct {
	ID int64
	Subject

	State    JobState
	Attempt  int // so far
	Attempts int // the maximum
	Asked    time.Time
	Next     time.Time // of the next attempt; zero for a running or dead job
	Error    string    // of the last attempt
	Run      int64     // the last run; 0 for none
	Restarts bool      // the user may restart it
}
