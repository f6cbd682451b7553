// Package sandbox reads, derives and renders one commit of a repository in a process of its own: what strangers wrote is never read
// by the server itself.
//
// The server, the parent, has the credentials and the network: it fetches, and it publishes. The child is the same program with limits
// on processor time, memory, open files and wall time, an environment without secrets, and no sockets where the platform can take them
// away. The two talk over the child's standard input and output: the parent gives one Task, the child asks for objects that the mirror
// lacks and for answers of a model, reports its progress, and answers with one Result. The parent believes none of it: sizes, paths and counts are checked again.
//
// A child may crash, hang, or use up what it has: that is a *StoppedError, and the parent goes on.
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

// Task is what a child is to do: bring causal's own files up to a commit, in the scratch directory of the lane.
type Task struct {
	Dir    string `json:"dir"` // what is kept of the repository, as in workspace.Mirrored
	URL    string `json:"url"` // of the repository; it is not spoken to
	Commit string `json:"commit"`
	Rules  string `json:"rules"`  // the commit whose configuration counts
	Branch string `json:"branch"` // that the commit is the head of, or that it is for
	// Group is the branch of the merge queue that the commit is the head of; empty for none. Nothing of it is published.
	Group string `json:"group,omitempty"`
	// Carry is a commit whose records of closed changes are not merged yet, nor the candidates that it declines; empty when there is
	// none. They are published with what the task makes.
	Carry string `json:"carry,omitempty"`
	// End are principles that people demoted or declined, by slug.
	End map[string]principle.Status `json:"end,omitempty"`
	// Say is what people say about decisions: it is recorded, and what they ask is answered.
	Say []workspace.Saying `json:"say,omitempty"`
	// Direct is what was pushed to the branch without a pull request; nil when nothing was. It is reviewed, and recorded.
	Direct *Direct `json:"direct,omitempty"`
	// Push is what came to the branch since the last run; nil when nothing did. What it causes is written into the log.
	Push *Push `json:"push,omitempty"`
	Pull *Pull `json:"pull,omitempty"`
	// Questions about the repository, by users. The task does nothing else then.
	Questions []string `json:"questions,omitempty"`
	// Asking has nothing brought up to date: it is only found out which principles wait for approval.
	Asking *Asking `json:"asking,omitempty"`
	// Signer signs checkpoints of the log; nil where none are to be. Its key stays with the parent.
	Signer *ledger.Signer `json:"-"`
	// Model is asked for the child; nil for none. Its key and its connection stay with the parent.
	Model *model.Run `json:"-"`
}

// Push is what people brought to a branch.
type Push struct {
	Head     string   `json:"head"` // its newest commit
	Subjects []string `json:"subjects"`
	More     int      `json:"more,omitempty"` // commits besides
}

// Asking is the pull request that asks people which principles they want, as it was seen last.
type Asking struct {
	Head string `json:"head,omitempty"` // empty when there was none
	Open bool   `json:"open,omitempty"`
}

// Pull is the pull request whose head the commit of a Task is. Rules is the head of its base.
type Pull struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	// Fork: a stranger's, for which nobody else waits.
	Fork bool `json:"fork,omitempty"`
	// SetAside has the analysis written down as a session: the pull request was closed without a merge.
	SetAside bool `json:"set_aside,omitempty"`
	// Review is what is known of its findings; nil when it is not to be reviewed.
	Review *Reviewing `json:"review,omitempty"`
	// Lands: the commit of the task is not its head but that of its base, and what is made of it is published there.
	Lands bool `json:"lands,omitempty"`
	// Close has the change recorded as one that is closed; it lands.
	Close *Closing `json:"close,omitempty"`
	// From is where the review begins, for one that is merged: its base holds it already. Empty for where it left its base.
	From string `json:"from,omitempty"`
	// Traits are what it may be ignored for; nil when it is analysed whatever the configuration says.
	Traits *config.Traits `json:"traits,omitempty"`
}

// OnlyAsks reports whether a task is to answer questions, and nothing is to be brought up to date.
func (t Task) OnlyAsks() bool {
	return len(t.Say) > 0 && len(t.End) == 0 && !slices.ContainsFunc(t.Say, func(s workspace.Saying) bool { return s.Asks == "" })
}

// updates reports whether a task updates the docs, in which case it has a report.
func (t Task) updates() bool { return t.Asking == nil && len(t.Questions) == 0 && !t.OnlyAsks() }

// publishes reports whether the docs of a task are published. Other tasks only show how pages would change.
func (t Task) publishes() bool { return t.Group == "" && (t.Pull == nil || t.Pull.Lands) }

// Result is what a child has done. Of a pull request that is to be ignored there are Bot, Docs and Covered only; of a task that is Asking,
// Bot, Docs and Candidates; of one that OnlyAsks, Bot, Docs and Heard; of one with Questions, Bot, Docs and Answers.
type Result struct {
	Report  *report.Update `json:"report"`
	Bot     config.Bot     `json:"bot"`               // in the configuration that counts
	Docs    string         `json:"docs"`              // the directory of pages
	Covered bool           `json:"covered,omitempty"` // whether Bot.Ignore.Covers what a pull request changes
	Cause   string         `json:"cause"`
	// Write and Remove are the files to publish, sorted: they are in the scratch directory, or were.
	Write  []string `json:"write"`
	Remove []string `json:"remove"`
	// Unfit are the files that are left out, because no file can be called after their directory.
	Unfit []string `json:"unfit,omitempty"`
	// Frames is the call tree of the session that was written, where it is not too large to be kept with the run.
	Frames string `json:"frames,omitempty"`
	// What follows is about pull requests: how many files of others it changes, how pages will read, and what the frames that were
	// set aside had asked.
	Files int               `json:"files,omitempty"`
	Pages []summary.Page    `json:"pages,omitempty"`
	Aside map[string]string `json:"aside,omitempty"`
	// Review is what is wrong with it; nil when it was not reviewed.
	Review *Review `json:"review,omitempty"`
	// Promoted are the principles that a closed change has made, by their slugs.
	Promoted []string `json:"promoted,omitempty"`
	// Ended are those of the task's principles that are there, and at an end now.
	Ended []string `json:"ended,omitempty"`
	// Heard is what became of what people said, one for each; none where comments are off, so that nobody could be told.
	Heard []report.Heard `json:"heard,omitempty"`
	// Answers has one answer for each of the Questions; empty if comments are off.
	Answers []report.Answer `json:"answers,omitempty"`
	// Candidates are the principles that wait for approval; nil where nobody is asked about them.
	Candidates *report.Candidates `json:"candidates,omitempty"`
	// AsksAnew: the pull request that asks about principles may have to be another than it is.
	AsksAnew bool `json:"asks_anew,omitempty"`
	// Session and Record are the id and the file of the analysis that is to be set aside; empty when there is nothing to keep.
	Session string `json:"session,omitempty"`
	Record  []byte `json:"record,omitempty"`
}

// Ignored returns the rule that the pull request of a task is ignored by, empty when it is analysed, and what of it matched.
func (r *Result) Ignored(t Task) (by config.Rule, what string) {
	if t.Pull == nil || t.Pull.Traits == nil {
		return "", ""
	}
	return r.Bot.Ignore.Applies(*t.Pull.Traits, r.Covered)
}

// RefusedError says what somebody has to mend before anything can be done, for the repository's people to read.
type RefusedError struct{ Problem string }

func (e *RefusedError) Error() string { return e.Problem }

// StoppedError says that a child did not end its work, and would not if it began again: it used up a limit, or crashed.
type StoppedError struct {
	Reason string // such as "after 60 s"
	At     string // what it was at, such as "in web/b.js"; empty when that is not known
}

func (e *StoppedError) Error() string {
	if e.At == "" {
		return "analysis stopped " + e.Reason
	}
	return "analysis stopped " + e.Reason + " " + e.At
}

// ErrKilled: a child was ended by somebody else, or by a system that has no memory left for anybody. That says nothing about its task.
var ErrKilled = errors.New("the analysis was killed")

// Limits are what a child may use.
type Limits struct {
	// Time is how long it may work, not counting what it waits for the parent. It has that much processor time on each of a few
	// processors.
	Time time.Duration `json:"time"`
	// Memory in bytes, of the child and of each git that it starts.
	Memory int64 `json:"memory"`
}

// The usual limits are several times what the largest repositories of the benchmarks take: 10 s and 400 MB.
const (
	usualTime   = 60 * time.Second
	usualMemory = 1 << 30
)

// DefaultLimits are the usual ones.
func DefaultLimits() Limits { return Limits{Time: usualTime, Memory: usualMemory} }

// What a child may have besides.
const (
	openFiles   = 512     // a run has some fifty
	largestFile = 2 << 30 // bytes of a file that it writes: the index of 50,000 modules has a tenth of it
	processors  = 4
)

// Runner runs Tasks. It is safe for concurrent use.
type Runner struct {
	// Command starts the program that is to be the child: one whose main function begins with IsChild.
	Command []string
	Limits  Limits
	// Say gets what a child writes to its standard error in the end, such as a stack: it is for who runs the server.
	Say func(ctx context.Context, text string)
}

// Self is a Runner whose children are this very program.
func Self(limits Limits, say func(ctx context.Context, text string)) (*Runner, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	return &Runner{Command: []string{program}, Limits: limits, Say: say}, nil
}

// marker is the variable that tells a program that it is a child.
const marker = "CAUSAL_SANDBOX"

// IsChild reports whether this process is a child. Whatever main function a Runner may start asks first, and calls Main then.
func IsChild() bool { return os.Getenv(marker) != "" }

// Origin fetches for a child what its mirror lacks.
type Origin = gitstore.Leader
