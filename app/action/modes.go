package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/assembly"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/engine"
)

// check tells what is stale in the commit.
func check(ctx context.Context, j *job) (r Result, err error) {
	w, err := j.open(ctx)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	found, err := w.engine.Check(ctx)
	if err != nil {
		return Result{}, err
	}
	r = Result{Mode: j.mode, Conclusion: Fresh, Head: w.head.ID, Check: found, Stale: staleNames(found)}
	r.Title = fmt.Sprintf("all %s are fresh", summary.Count(found.Fresh, "node"))
	if len(r.Stale) > 0 {
		r.Conclusion, r.failed = Stale, true
		r.Title = fmt.Sprintf("%d stale, %d fresh", len(r.Stale), found.Fresh)
	}
	r.parts = checkParts(r)
	for _, s := range found.Stale {
		r.annotations = append(r.annotations, staleNote(w, s))
	}
	return r, nil
}

// publish brings the nodes and pages up to date, and makes a commit or a pull request of it.
func publish(ctx context.Context, j *job) (r Result, err error) {
	client, err := j.client(ctx)
	if err != nil {
		return Result{}, err
	}
	w, err := j.open(ctx)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	branch, err := j.branch(w.head.ID)
	if err != nil {
		return Result{}, err
	}
	report, err := w.engine.Update(ctx)
	if err != nil {
		return Result{}, err
	}
	write, remove, err := assembly.Written(w.files)
	if err != nil {
		return Result{}, err
	}
	changed := slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(write)), remove...)))
	r = Result{Mode: j.mode, Head: w.head.ID, Report: report, Stale: summary.Nodes(report), Conclusion: Fresh, Title: "everything is fresh"}
	if r.failed = len(report.Blocked) > 0; r.failed {
		r.Conclusion, r.Title, r.annotations = Blocked, summary.BlockedTitle(report), blockedNotes(report)
	}
	out := output{client: client, branch: branch, report: report, commit: github.Commit{
		Branch: branch, ExpectedHead: w.head.ID, Headline: assembly.Headline, Body: summary.Message(report, w.head.ID), Write: write, Delete: remove,
	}}
	err = out.publish(ctx, &r, changed)
	if errors.Is(err, github.ErrHeadMoved) {
		r.Conclusion, r.Title, err = Moved, "the branch has moved on", nil
		r.Notes = append(r.Notes, fmt.Sprintf("Nothing is published: %s has moved on since this job began. The job of the newer push brings the docs up to date.", branch))
	}
	r.parts = publishParts(r)
	return r, err
}

// output is what is to be published.
type output struct {
	client *github.Client
	branch string
	report *engine.Report
	commit github.Commit
}

// publish does so, in the way that the mode says.
func (o output) publish(ctx context.Context, r *Result, changed []string) (err error) {
	if r.Mode == Propose {
		return o.propose(ctx, r, changed)
	}
	if len(changed) == 0 {
		return nil
	}
	r.Commit, err = o.client.Publish(ctx, o.commit)
	if errors.Is(err, github.ErrProtected) {
		return fmt.Errorf("%w; use `mode: pr`, which keeps one pull request with the docs", err)
	}
	if err != nil {
		return err
	}
	r.Conclusion, r.Title, r.Changed = Updated, summary.Title(o.report, len(changed), "updated"), changed
	return nil
}

// propose keeps the one pull request, or closes it when there is nothing to propose. A job that comes late must not put
// back what a newer one has proposed.
func (o output) propose(ctx context.Context, r *Result, changed []string) error {
	now, err := o.client.Branch(ctx, o.branch)
	if err != nil {
		return err
	}
	if now.Head != o.commit.ExpectedHead {
		return github.ErrHeadMoved
	}
	if len(changed) == 0 {
		if err := o.client.Withdraw(ctx, o.branch, summary.Rolling); !errors.Is(err, github.ErrForeign) {
			return err
		}
		return nil
	}
	pull, err := o.client.Propose(ctx, github.Proposal{
		Base: o.branch, Branch: summary.Rolling, Title: assembly.Headline, Body: summary.Proposal(o.branch, ""), Commit: o.commit,
	})
	switch {
	case errors.Is(err, github.ErrForbidden):
		return fmt.Errorf("%w; a workflow's token may open pull requests only where \"Allow GitHub Actions to create and approve pull requests\" is on, in the settings of the repository under Actions", err)
	case errors.Is(err, github.ErrForeign):
		return fmt.Errorf("%w; merge or close its pull request and delete the branch: the next push proposes the docs anew", err)
	case err != nil:
		return err
	}
	r.Conclusion, r.Changed, r.Commit, r.Pull = Proposed, changed, pull.HeadSHA, pull.URL
	r.Title = fmt.Sprintf("%s in #%d", summary.Title(o.report, len(changed), "proposed"), pull.Number)
	return nil
}

// comment tells the pull request what it makes stale.
func comment(ctx context.Context, j *job) (r Result, err error) {
	client, err := j.client(ctx)
	if err != nil {
		return Result{}, err
	}
	w, err := j.open(ctx)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	report, err := w.engine.Update(ctx)
	if err != nil {
		return Result{}, err
	}
	s := summary.Pull{
		Web: j.page(), Base: j.pull.Base.Ref, Layout: w.layout, Report: report, Pages: summary.Pages(w.layout, w.files),
		Files: sourceFiles(ctx, client, j.pull.Number, w.layout.Owns),
	}
	r = Result{Mode: j.mode, Conclusion: Told, Title: s.Title(), Head: w.head.ID, Report: report, Stale: summary.Nodes(report)}
	r.parts, r.annotations = s.Parts(), s.Annotations()
	if why := j.readOnly(); why != "" {
		r.Notes = append(r.Notes, fmt.Sprintf("There is no comment on the pull request: %s, and so the token may only read.", why))
		return r, nil
	}
	_, err = client.Comment(ctx, j.pull.Number, summary.Marker, s.Markdown())
	return r, err
}

// sourceFiles counts what the pull request changes, but for what causal writes; negative when GitHub does not say: it is
// only for information.
func sourceFiles(ctx context.Context, client *github.Client, number int, owns func(string) bool) int {
	files, more, err := client.PullFiles(ctx, number)
	if err != nil || more {
		return -1
	}
	n := 0
	for _, f := range files {
		if !owns(f.Path) {
			n++
		}
	}
	return n
}

// staleNames are the nodes, and the pages without one, that do not hold.
func staleNames(found *engine.CheckReport) []string {
	set := map[string]bool{}
	for _, s := range found.Stale {
		set[strings.TrimSpace(cmp.Or(s.Node, s.Page))] = true
	}
	return slices.Sorted(maps.Keys(set))
}
