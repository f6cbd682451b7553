package action

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/life"
)

func (j *job) review(ctx context.Context, r *Result) (err error) {
	files, notes, err := j.findLogs()
	if err != nil {
		return err
	}
	r.Notes = append(r.Notes, notes...)
	w, err := j.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	base, found, err := j.changeBase(ctx, w)
	if err != nil {
		return err
	}
	if !found {
		r.Notes = append(r.Notes, "The pull request is not reviewed: where it left "+j.pull.Base.Ref+
			" is not in this checkout. Give actions/checkout `fetch-depth: 0`, or set the input review to false.")
		return nil
	}
	c, err := j.change(ctx, w, base, files)
	if err != nil {
		return err
	}
	if c.Tests, err = w.TestsOf(ctx, base.ID); err != nil {
		return err
	}
	if j.mode == Comment && j.verify && r.Report != nil { // only the run's report has what its tests recorded
		c.Tests = r.Report.Tests
	}
	if c.Model, err = j.model(w, func(text string) { r.Notes = append(r.Notes, text) }); err != nil {
		return err
	}
	seen, err := w.Review(ctx, c)
	if err != nil {
		return fmt.Errorf("review the pull request: %w", err)
	}
	r.Notes = append(r.Notes, seen.Absent...)
	for _, f := range seen.Coverage.Failed {
		r.Notes = append(r.Notes, f.String())
	}
	r.Review = w.ReportOf(c, seen, nil)
	r.Review.Model = c.Model.Report()
	said := &summary.Review{Report: r.Review, Unsure: seen.Unsure}
	if j.failOn.limit != "" { // show unsure findings too if they can fail the step
		said.Unsure = nil
	}
	r.annotations = append(r.annotations, said.Annotations()...)
	r.parts = append(r.parts, reviewParts(said, j.page())...)
	return nil
}

// model opens the model configured in the environment. It keeps no cache, since a job leaves no files behind.
func (j *job) model(w *workspace.Workspace, note func(string)) (*model.Run, error) {
	settings, err := model.FromEnv(j.world.Getenv)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	return model.Open(settings, model.Options{
		Use: w.Config.Model.Use, Tokens: w.Config.Model.TokensPerRun, Note: note,
	}), nil
}

// change builds the review's input. Records of earlier changes come only from the base, like the rules.
func (j *job) change(ctx context.Context, w *workspace.Workspace, base gitstore.Commit, files []log) (workspace.Change, error) {
	root := w.Root()
	logs, err := j.readLogs(root, files)
	if err != nil {
		return workspace.Change{}, err
	}
	memory, unread, err := w.MemoryAt(ctx, base.ID)
	if err != nil {
		return workspace.Change{}, fmt.Errorf("read the records of earlier changes: %w", err)
	}
	given := map[string]bool{}
	for _, f := range files {
		if in, err := filepath.Rel(root, f.file); err == nil {
			given[filepath.ToSlash(in)] = true
		}
	}
	return workspace.Change{
		Base: base, Head: w.Commit.ID, Given: review.NewGiven(logs.Faults, memory), Outside: logs.Outside, Nowhere: logs.Nowhere, Unread: unread, Ran: logs.Ran, Failed: logs.Failed, State: &life.State{},
		Without: func(name string) bool { return given[name] }, Vet: j.world.Getenv,
	}, nil
}

// changeBase returns the commit at which the pull request left its base. For GitHub's merge commit, it starts from the
// parent other than the head, since the base may have moved after the event. It returns false if the checkout is too
// shallow.
func (j *job) changeBase(ctx context.Context, w *workspace.Workspace) (base gitstore.Commit, found bool, err error) {
	trunk := j.base
	if second, err := w.Repo.Resolve(ctx, w.Commit.ID+"^2"); err == nil && second.ID == j.pull.Head.SHA {
		trunk = w.Commit.ID + "^1"
	}
	start, err := w.Repo.Resolve(ctx, trunk)
	if errors.Is(err, gitstore.ErrUnknownRevision) || errors.Is(err, gitstore.ErrUnknownObject) {
		return base, false, nil
	}
	if err != nil {
		return base, false, err
	}
	left, err := w.Repo.MergeBase(ctx, start.ID, w.Commit.ID)
	if err != nil || left == "" {
		return base, false, err
	}
	base, err = w.Repo.Resolve(ctx, left)
	return base, err == nil, err
}

func reviewParts(r *summary.Review, web string) []string {
	parts := []string{"### causal · " + reviewTitle(r.Report)}
	if row := r.Row(); row != "" {
		parts = append(parts, row)
	}
	for _, part := range []string{r.Overview(web), r.Remembered()} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if list := r.Findings(web); len(list) > 0 {
		parts = append(parts, summary.List(list))
	}
	return parts
}

func reviewTitle(r *report.Review) string {
	return summary.Outcome(r)
}
