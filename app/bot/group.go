package bot

import (
	"context"
	"errors"
	"strings"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks/queue"
)

// group writes the check run for a merge queue, with the nodes that its pull requests make stale together. Stale docs
// do not fail the check, because they are updated after the merge.
func (b *Bot) group(ctx context.Context, c Client, j queue.Job, repo github.Repository) (_ queue.Outcome, err error) {
	name := strings.TrimPrefix(j.Ref, "refs/heads/")
	head, err := c.Branch(ctx, name)
	if errors.Is(err, github.ErrGone) {
		return skip("the merge group is over")
	}
	if err != nil {
		return queue.Outcome{}, err
	}
	base := github.QueuedFor(name)
	rules, err := c.Branch(ctx, base)
	if err != nil {
		return queue.Outcome{}, err
	}
	w, err := b.open(ctx, c, repo, sandbox.Task{Commit: head.Head, Rules: rules.Head, Branch: base, Group: name})
	if err != nil {
		return b.refuseForOr(ctx, c, j, head.Head, base, err)
	}
	defer func() { err = errors.Join(err, w.Close(), w.at.RemoveLane()) }()
	ctx = inSession(ctx, w.Report.Session)
	s := summary.Pull{Base: base, Layout: w.layout(), Report: w.Report, Pages: w.Pages}
	run := b.check(j, head.Head, "neutral", s.Title(), s.Verdict())
	if s.Fresh() {
		run.Conclusion = "success"
	}
	run.Text = summary.Unfit(w.Unfit)
	if _, err := c.Check(ctx, run); err != nil {
		return queue.Outcome{}, err
	}
	return outcome(Told, s.Title(), head.Head, w.Report.Session, detailOf(w))
}
