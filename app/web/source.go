package web

import (
	"context"
	"errors"

	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/webhooks/queue"
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
	// Counts are the figures that are shown without a login. They have no names. Waiting includes parked jobs.
	Counts(ctx context.Context) (queue.Totals, error)
	// Repositories lists up to limit repositories by name, after the given one.
	Repositories(ctx context.Context, after string, limit int) ([]Repository, error)
	// Runs lists runs by Name, Conclusion, Before and Limit of the filter, newest first.
	Runs(ctx context.Context, f queue.Filter) ([]Run, error)
	// Run returns the details of a run, or ErrNotFound.
	Run(ctx context.Context, id int64) (*RunDetail, error)
	// Jobs lists jobs by State, Before and Limit of the filter, newest first.
	Jobs(ctx context.Context, f queue.Filter) ([]Job, error)
	// Restart queues a dead job again, and retries a waiting one now. It returns ErrNotDead for other jobs, and
	// ErrNotFound if there is none.
	Restart(ctx context.Context, run int64) error
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

// Conclusions lists the outcomes of runs in the order of the filter. Others are shown too.
var Conclusions = []string{
	"updated", "proposed", "fresh", "stale", "told", "set aside", "completed", "skipped", "refused",
	string(queue.Failed), string(queue.Waiting), string(queue.Dead), string(queue.Back), string(queue.Lost), string(queue.Running),
}

// Run is one attempt to update a subject. Its conclusion is its state if it has no other.
type Run struct {
	queue.RunRow
	Subject
}

// RunDetail is a run with its frames and its causal chain.
type RunDetail struct {
	Run

	Head   Commit        // the analyzed commit
	Frames []frame.Frame // in call order
	Chain  []Step
	// ChainLeft counts the steps that were not stored.
	ChainLeft int
}

// Commit is a commit for display.
type Commit struct {
	SHA, Subject, URL string
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

// JobStates lists the states of jobs in the order of the filter.
var JobStates = []string{string(queue.Queued), string(queue.Running), string(queue.Waiting), string(queue.Dead)}

// Job is one entry of the queue.
type Job struct {
	queue.JobRow
	Subject

	Restarts bool // the user may restart it
}
