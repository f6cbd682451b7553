// Package action is what a job of GitHub Actions does with causal: it checks the commit that is checked out, brings its
// nodes and pages up to date and publishes them, or tells a pull request what it makes stale. Pull requests are reviewed
// as well.
//
// It is the server's counterpart for people who would rather run a workflow, and says the same things in the same words.
// What the runner and the workflow say comes in through the environment; what the job has to say goes out as
// annotations, outputs and a summary. The checkout is only read: the run has a work tree of its own, and nothing that a
// commit contains is executed, unless the workflow asks for its tests to be run.
package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/report"
)

// ErrUsage: the workflow asks for something that cannot be, and has to be changed.
var ErrUsage = errors.New("change the workflow")

// World is the world of one run.
type World struct {
	Out    io.Writer // read by the runner, which takes some lines for commands
	Getenv func(string) string
	Now    func() time.Time
	// Program is this very program, to run tests confined; empty to run them as they are.
	Program string
}

// Mode is what to do with what is stale.
type Mode string

// The modes.
const (
	Check   Mode = "check"   // tell, and fail
	Commit  Mode = "commit"  // bring it up to date, in one commit on the branch
	Propose Mode = "pr"      // the same, in one pull request that follows the branch
	Comment Mode = "comment" // tell a pull request what it makes stale
)

// What a run concludes.
const (
	Fresh    = publish.Fresh    // nothing is stale
	Stale    = publish.Stale    // something is, and the mode is to tell
	Updated  = publish.Updated  // it was brought up to date by a commit
	Proposed = publish.Proposed // by a pull request
	Told     = "told"           // a pull request was told what it makes stale
	Blocked  = "blocked"        // what is stale only a person can mend
	Moved    = "moved"          // the branch has moved on, and its newer run has the say
	Skipped  = "skipped"        // there is nothing to do here
)

// Result is what is kept of a run in its report.
type Result struct {
	Mode       Mode     `json:"mode"`
	Conclusion string   `json:"conclusion"`
	Title      string   `json:"title"`
	Head       string   `json:"head"` // the commit that was looked at
	Stale      []string `json:"stale"`
	Changed    []string `json:"changed"` // files of the commit that was made
	Commit     string   `json:"commit,omitempty"`
	Pull       string   `json:"pull,omitempty"` // address of the pull request that was proposed
	Notes      []string `json:"notes"`          // what was not done, and why

	Check  *report.Check  `json:"check,omitempty"`
	Report *report.Update `json:"report,omitempty"`
	Review *report.Review `json:"review,omitempty"` // of a pull request

	parts       []string // of the summary, in Markdown
	annotations []github.Annotation
	failed      bool
}

// modes are the ways to run.
var modes = map[Mode]func(context.Context, *job) (Result, error){
	Check: check, Commit: bringUpToDate, Propose: bringUpToDate, Comment: comment,
}

// Run does what the workflow asks for and tells the runner of it. It returns false when the step has to fail for what
// it found.
func Run(ctx context.Context, world World) (bool, error) {
	j, err := readJob(world)
	if err != nil {
		return false, err
	}
	r, err := run(ctx, j)
	if err != nil {
		return false, err
	}
	if j.reviews { // what was published is told also where the review fails
		if len(r.parts) == 0 {
			r.parts = []string{heading(r)}
		}
		err = j.review(ctx, &r)
	}
	return !j.failOn.fails(r), errors.Join(err, j.tell(r))
}

func run(ctx context.Context, j *job) (r Result, err error) {
	if j.mode != Check && j.pull != nil && j.pull.own() { // a name of a branch must not be enough to pass a check
		return Result{Mode: j.mode, Conclusion: Skipped, Title: "this pull request is causal's own", Head: j.pull.Head.SHA}, nil
	}
	if why := j.readOnly(); why != "" && j.publishes() {
		note := fmt.Sprintf("Nothing is published: %s. This job only reports stale docs.", why)
		r, err = check(ctx, j)
		r.Notes = append(r.Notes, note)
		return r, err
	}
	r, err = modes[j.mode](ctx, j)
	if j.asked != "" {
		r.failed = false // the docs follow when the group is merged
		r.Notes = append(r.Notes, fmt.Sprintf("Nothing is published or commented on: this is a commit of a merge queue. Mode %s does its work after the merge.", j.asked))
	}
	return r, err
}
