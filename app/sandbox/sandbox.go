// Package sandbox analyzes one commit of a repository in a child process, so the server itself never parses untrusted
// files.
//
// The parent has the credentials and the network: it fetches and publishes. The child is the same program with limits
// on processor time, memory, open files and wall time, an environment without secrets, and no sockets if the platform
// can disable them. They talk over the child's standard input and output: the parent sends a Task, the child asks for
// missing objects and model answers, reports progress, and sends a Result. The parent validates all of it.
//
// A child may crash, hang, or exceed its limits. The parent then returns a *StoppedError.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/review/principle"
)

// Task is a job of a child: update causal's own files to a commit, in the scratch directory of the lane.
type Task struct {
	Dir    string `json:"dir"` // the cache of the repository, as in workspace.Mirrored
	URL    string `json:"url"` // of the repository; the child does not connect to it
	Commit string `json:"commit"`
	Rules  string `json:"rules"`  // the commit whose configuration applies
	Branch string `json:"branch"` // the branch of the commit, or its base
	// Group is the merge queue branch whose head the commit is; empty for none. Nothing of it is published.
	Group string `json:"group,omitempty"`
	// Carry is a commit with unmerged records and declined candidates to publish with this task; may be empty.
	Carry  string                      `json:"carry,omitempty"`
	End    map[string]principle.Status `json:"end,omitempty"`    // principles to demote or decline, by slug
	Say    []workspace.Saying          `json:"say,omitempty"`    // statements and questions about decisions
	Direct *Direct                     `json:"direct,omitempty"` // a push to review and record; may be nil
	Push   *Push                       `json:"push,omitempty"`   // its consequences are added to the log; may be nil
	Pull   *Pull                       `json:"pull,omitempty"`
	// Questions about the repository, by users. The task does nothing else then.
	Questions []string `json:"questions,omitempty"`
	// Asking is set for a task that only lists the principles that wait for approval.
	Asking *Asking `json:"asking,omitempty"`
	// Signer signs checkpoints of the log; may be nil. Its key stays with the parent.
	Signer *ledger.Signer `json:"-"`
	// Model is asked for the child; may be nil. Its key and its connection stay with the parent.
	Model *model.Run `json:"-"`
}

// Push has the new commits of a branch by people.
type Push struct {
	Head     string   `json:"head"` // the newest commit
	Subjects []string `json:"subjects"`
	More     int      `json:"more,omitempty"` // further commits
}

// Asking is the last pull request for approvals.
type Asking struct {
	Head string `json:"head,omitempty"` // may be empty
	Open bool   `json:"open,omitempty"`
}

// Pull is the pull request whose head is the commit of a Task. Rules is the head of its base.
type Pull struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	Fork   bool   `json:"fork,omitempty"`
	// SetAside stores the analysis as a session: the pull request was closed without a merge.
	SetAside bool       `json:"set_aside,omitempty"`
	Review   *Reviewing `json:"review,omitempty"` // nil if it is not reviewed
	// Lands: the commit of the task is the head of the base, and its result is published there.
	Lands bool `json:"lands,omitempty"`
	// Close records the change as closed. It requires Lands.
	Close *Closing `json:"close,omitempty"`
	// From is the base of the review for a merged pull request; empty for the merge base.
	From string `json:"from,omitempty"`
	// Traits are the properties for ignore rules; nil to never ignore it.
	Traits *config.Traits `json:"traits,omitempty"`
}

// OnlyAsks reports whether a task only answers questions about decisions.
func (t Task) OnlyAsks() bool {
	return len(t.Say) > 0 && len(t.End) == 0 && !slices.ContainsFunc(t.Say, func(s workspace.Saying) bool { return s.Asks == "" })
}

// updates reports whether a task updates the docs, in which case it has a report.
func (t Task) updates() bool { return t.Asking == nil && len(t.Questions) == 0 && !t.OnlyAsks() }

// publishes reports whether the docs of a task are published. Other tasks only show how pages would change.
func (t Task) publishes() bool { return t.Group == "" && (t.Pull == nil || t.Pull.Lands) }

// Result is the result of a child. All have Bot and Docs. An ignored pull request has only Covered besides, an Asking
// task Candidates, an OnlyAsks task Heard, and a task with Questions Answers.
type Result struct {
	Report  *report.Update `json:"report"`
	Bot     config.Bot     `json:"bot"`               // from the configuration that applies
	Docs    string         `json:"docs"`              // the directory of pages
	Covered bool           `json:"covered,omitempty"` // whether Bot.Ignore.Covers the changes of a pull request
	Cause   string         `json:"cause"`
	// Write and Remove list the files to publish, sorted, in the scratch directory.
	Write  []string `json:"write"`
	Remove []string `json:"remove"`
	Unfit  []string `json:"unfit,omitempty"`  // skipped files in directories with too long names
	Frames string   `json:"frames,omitempty"` // call tree of the written session, if it fits
	// For pull requests: the number of changed files other than causal's, the page changes, and the queries of
	// suspended frames that it can resume.
	Files    int               `json:"files,omitempty"`
	Pages    []summary.Page    `json:"pages,omitempty"`
	Aside    map[string]string `json:"aside,omitempty"`
	Review   *Review           `json:"review,omitempty"`   // nil if it was not reviewed
	Promoted []string          `json:"promoted,omitempty"` // slugs of new principles of a closed change
	Ended    []string          `json:"ended,omitempty"`    // principles that the task ended
	Heard    []report.Heard    `json:"heard,omitempty"`    // one for each Saying; empty if comments are off
	Answers  []report.Answer   `json:"answers,omitempty"`  // one for each Question; empty if comments are off
	// Candidates are the principles that wait for approval; nil if the repository asks for no approval.
	Candidates *report.Candidates `json:"candidates,omitempty"`
	// AsksAnew reports whether the pull request for approvals may need an update.
	AsksAnew bool `json:"asks_anew,omitempty"`
	// Session and Record are the id and the file of a suspended analysis; may be empty.
	Session string `json:"session,omitempty"`
	Record  []byte `json:"record,omitempty"`
}

// Ignored returns the rule that ignores the pull request of a task, "" for none, and the matching value.
func (r *Result) Ignored(t Task) (by config.Rule, what string) {
	if t.Pull == nil || t.Pull.Traits == nil {
		return "", ""
	}
	return r.Bot.Ignore.Applies(*t.Pull.Traits, r.Covered)
}

// RefusedError is a problem that the user must fix first.
type RefusedError struct{ Problem string }

func (e *RefusedError) Error() string { return e.Problem }

// StoppedError reports a child that exceeded a limit or crashed. A retry would fail again.
type StoppedError struct {
	Reason string // such as "after 60 s"
	At     string // such as "in web/b.js"; may be empty
}

func (e *StoppedError) Error() string {
	if e.At == "" {
		return "analysis stopped " + e.Reason
	}
	return "analysis stopped " + e.Reason + " " + e.At
}

// ErrKilled reports a child that was killed from outside or by an overloaded system. A retry may succeed.
var ErrKilled = errors.New("the analysis was killed")

// Limits are the resource limits of a child.
type Limits struct {
	// Time is the time limit without waiting for the parent. Processor time is limited to a multiple of it.
	Time time.Duration `json:"time"`
	// Memory limits the bytes of the child, and of each git process that it starts.
	Memory int64 `json:"memory"`
}

// The default limits are several times the needs of the largest repositories in the benchmarks: 10 s and 400 MB.
const (
	usualTime   = 60 * time.Second
	usualMemory = 1 << 30
)

// DefaultLimits returns the default limits.
func DefaultLimits() Limits { return Limits{Time: usualTime, Memory: usualMemory} }

// Further limits of a child.
const (
	openFiles   = 512     // a run has about fifty
	largestFile = 2 << 30 // bytes of a written file: the index of 50,000 modules has a tenth of it
	processors  = 4
)

// Runner runs Tasks. It is safe for concurrent use.
type Runner struct {
	// Command starts the child, a program whose main function begins with IsChild.
	Command []string
	Limits  Limits
	// Say receives the standard error of a child, such as a stack, for the operator.
	Say func(ctx context.Context, text string)
}

// Self returns a Runner whose children are this program.
func Self(limits Limits, say func(ctx context.Context, text string)) (*Runner, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	return &Runner{Command: []string{program}, Limits: limits, Say: say}, nil
}

const marker = "CAUSAL_SANDBOX"

// IsChild reports whether this process is a child. The main function of a program with a Runner must check it first,
// and call Main.
func IsChild() bool { return os.Getenv(marker) != "" }

// Origin fetches the objects that a child's mirror lacks.
type Origin = gitstore.Leader
