// Package action runs causal in a GitHub Actions job, as an alternative to the server. It checks the checked-out
// commit, updates and publishes its nodes and pages or reports stale ones on a pull request, and reviews pull requests.
//
// Input is read from the environment; output goes to annotations, step outputs and the job summary. The checkout is only
// read: a run has its own work tree, and executes nothing from the commit unless the workflow enables its tests.
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

// ErrUsage reports that the workflow has to be changed.
var ErrUsage = errors.New("change the workflow")

// World is the environment of a run.
type World struct {
	Out    io.Writer // the runner interprets some lines as commands
	Getenv func(string) string
	Now    func() time.Time
	// Program is the path of this executable, for running tests in a sandbox; empty: no sandbox.
	Program string
}

// Mode selects the response to stale docs.
type Mode string

// Modes.
const (
	Check   Mode = "check"   // report and fail
	Commit  Mode = "commit"  // update in one commit on the branch
	Propose Mode = "pr"      // update in one pull request to the branch
	Comment Mode = "comment" // report on the pull request
)

// Conclusions of a run.
const (
	Fresh    = publish.Fresh
	Stale    = publish.Stale    // something is stale, and the mode only reports
	Updated  = publish.Updated  // updated by a commit
	Proposed = publish.Proposed // updated by a pull request
	Told     = "told"           // commented on the pull request
	Blocked  = "blocked"        // something stale needs a human
	Moved    = "moved"          // the branch has moved; the newer run publishes
	Skipped  = "skipped"        // nothing to do here
)

// Result is the content of a run's report.
type Result struct {
	Mode       Mode     `json:"mode"`
	Conclusion string   `json:"conclusion"`
	Title      string   `json:"title"`
	Head       string   `json:"head"`
	Stale      []string `json:"stale"`
	Changed    []string `json:"changed"`
	Commit     string   `json:"commit,omitempty"`
	Pull       string   `json:"pull,omitempty"`
	Notes      []string `json:"notes"` // actions that were skipped, with reasons

	Check  *report.Check  `json:"check,omitempty"`
	Report *report.Update `json:"report,omitempty"`
	Review *report.Review `json:"review,omitempty"`

	parts       []string
	annotations []github.Annotation
	failed      bool
}

var modes = map[Mode]func(context.Context, *job) (Result, error){
	Check: check, Commit: bringUpToDate, Propose: bringUpToDate, Comment: comment,
}

// Run runs the job and reports to the runner. It returns false if its findings fail the step.
func Run(ctx context.Context, world World) (bool, error) {
	j, err := readJob(world)
	if err != nil {
		return false, err
	}
	r, err := run(ctx, j)
	if err != nil {
		return false, err
	}
	if j.reviews { // report the publication even if the review fails
		if len(r.parts) == 0 {
			r.parts = []string{heading(r)}
		}
		err = j.review(ctx, &r)
	}
	return !j.failOn.fails(r), errors.Join(err, j.tell(r))
}

func run(ctx context.Context, j *job) (r Result, err error) {
	if j.mode != Check && j.pull != nil && j.pull.own() { // a branch name alone must not pass a check
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
		r.failed = false // the docs are updated after the group is merged
		r.Notes = append(r.Notes, fmt.Sprintf("Nothing is published or commented on: this is a commit of a merge queue. Mode %s does its work after the merge.", j.asked))
	}
	return r, err
}
