package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/webhooks/queue"
)

// approvals is the lane of the pull request for approvals. It has one writer and ignores the events that triggered a
// job.
const approvals = "refs/heads/" + summary.Approvals

// declined marks the comment with the outcome of a closed pull request for approvals.
const declined = "causal:declined"

func (b *Bot) askAnew(ctx context.Context, j queue.Job) error {
	s := j.Subject
	s.Ref, s.Pull, s.Fork, s.Side = approvals, 0, 0, false
	return b.config.Ask(ctx, "principles", s)
}

func asks(p github.Pull, repo github.Repository) bool {
	return p.Head == summary.Approvals && p.Base == repo.DefaultBranch && !p.Fork
}

// candidates returns the principles of the default branch that wait for approval. Candidates is nil if the repository
// asks for no approval.
func (b *Bot) candidates(ctx context.Context, c Client, repo github.Repository, t sandbox.Task) (*sandbox.Result, github.Branch, error) {
	base, err := c.Branch(ctx, repo.DefaultBranch)
	if err != nil {
		return nil, base, err
	}
	t.Commit, t.Rules = base.Head, base.Head
	if t.Carry, err = b.proposed(ctx, c); err != nil {
		return nil, base, err
	}
	w, err := b.open(ctx, c, repo, t)
	if err != nil {
		return nil, base, err
	}
	return w.Result, base, w.Close()
}

// keepAsking opens, updates or withdraws the pull request for approvals.
func (b *Bot) keepAsking(ctx context.Context, c Client, j queue.Job, repo github.Repository) (queue.Outcome, error) {
	last, found, err := c.Latest(ctx, "all", repo.DefaultBranch, summary.Approvals)
	if err != nil {
		return queue.Outcome{}, err
	}
	asked := &sandbox.Asking{Open: found && last.State == "open"}
	if found && !last.Merged {
		asked.Head = last.HeadSHA
	}
	r, base, err := b.candidates(ctx, c, repo, sandbox.Task{Branch: summary.Approvals, Asking: asked})
	var refused *sandbox.RefusedError
	switch {
	case errors.As(err, &refused): // the branch run reports it
		return queue.Outcome{Conclusion: Refused, Title: refused.Error(), Head: base.Head}, nil
	case err != nil:
		return queue.Outcome{}, err
	case r.Candidates == nil:
		return skip("this repository does not ask for approval of principles")
	}
	out := queue.Outcome{Conclusion: Fresh, Title: "no principle waits for approval", Head: base.Head}
	waiting := r.Candidates
	if !asked.Open && len(waiting.Decided) > 0 { // the event was lost, or is late
		s := j.Subject
		s.Ref, s.Pull = "", last.Number
		if err := b.config.Ask(ctx, "principles", s); err != nil {
			return queue.Outcome{}, err
		}
	}
	switch {
	case len(waiting.List) == 0 && len(waiting.Decided) > 0:
		out.Conclusion, out.Title = Stale, fmt.Sprintf("#%d was closed: its principles are declined next", last.Number)
	case len(waiting.List) == 0:
		if err = c.Withdraw(ctx, base.Name, summary.Approvals); errors.Is(err, github.ErrForeign) {
			err = nil
		}
	case asked.Open && waiting.Same:
		out.Title = askedIn(waiting, last)
	default:
		out.Conclusion, out.Title, err = b.askAbout(ctx, c, repo, base, waiting)
	}
	return out, err
}

func askedIn(waiting *report.Candidates, p github.Pull) string {
	return fmt.Sprintf("%s proposed in #%d", summary.Count(len(waiting.List), "principle"), p.Number)
}

func (b *Bot) askAbout(ctx context.Context, c Client, repo github.Repository, base github.Branch, waiting *report.Candidates) (conclusion, title string, err error) {
	commit := github.Commit{ExpectedHead: base.Head, Headline: summary.Asking, Body: summary.AskingCommit(waiting), Write: map[string][]byte{}}
	for _, one := range waiting.List {
		commit.Write[principle.Path(one.Slug)] = one.File
	}
	pull, err := c.Propose(ctx, github.Proposal{
		Base: base.Name, Branch: summary.Approvals, Title: summary.Asking, Body: summary.Approval(repo.URL, waiting), Commit: commit,
	})
	switch {
	case errors.Is(err, github.ErrForeign):
		return Refused, "there are other commits on " + summary.Approvals + ": the waiting principles follow when it is merged or deleted", nil
	case errors.Is(err, github.ErrProtected):
		return Refused, "GitHub does not let " + summary.Approvals + " be written: " + err.Error(), nil
	}
	return Proposed, askedIn(waiting, pull), err
}

// decline declines the principles of a pull request that was closed without a merge.
func (b *Bot) decline(ctx context.Context, c Client, j queue.Job, repo github.Repository, p github.Pull) (queue.Outcome, error) {
	if p.Merged {
		return skip("merged: its principles are in force")
	}
	lane := &sandbox.Pull{Number: p.Number, Lands: true}
	r, _, err := b.candidates(ctx, c, repo, sandbox.Task{Branch: p.Base, Pull: lane, Asking: &sandbox.Asking{Head: p.HeadSHA}})
	if err != nil {
		return b.refuseForOr(ctx, c, j, p.HeadSHA, p.Base, err)
	}
	if r.Candidates == nil || len(r.Candidates.Decided) == 0 {
		return skip("none of its principles is waiting")
	}
	ends := map[string]principle.Status{}
	for _, slug := range r.Candidates.Decided {
		ends[slug] = principle.Declined
	}
	made, err := b.land(ctx, c, j, repo, sandbox.Task{End: ends, Pull: &sandbox.Pull{Number: p.Number}})
	if err != nil {
		return queue.Outcome{}, err
	}
	if r.Bot.Comments {
		if _, err := c.Comment(ctx, p.Number, declined, summary.Turned(made.ended, made.Pull.URL)); err != nil {
			return queue.Outcome{}, err
		}
	}
	return queue.Outcome{Conclusion: made.Conclusion, Title: summary.Count(len(made.ended), "principle") + " declined", Head: p.HeadSHA}, nil
}

// listen carries out commands in the pull request for approvals. It has no review, so its one comment has the answer
// and the state.
func (b *Bot) listen(ctx context.Context, c Client, j queue.Job, a *analysis) error {
	sticky, _, said, err := c.Conversation(ctx, a.pull.Number, summary.Marker)
	if err != nil {
		return err
	}
	prior := b.read(a.repo.ID, a.pull.Number, sticky.Body)
	o, err := b.ordersIn(ctx, c, a.pull.Number, prior, said)
	if err != nil || len(o.questions) == 0 {
		return err
	}
	if err := b.carryOut(ctx, c, j, a.repo, a.pull.Number, &o); err != nil {
		return err
	}
	if err := b.answerQuestions(ctx, c, a.repo, a.pull, a.base, &o); err != nil {
		return err
	}
	var answers []string
	for _, q := range o.questions {
		answers = append(answers, answer(nil, q))
	}
	_, err = c.Comment(ctx, a.pull.Number, summary.Marker, strings.Join(answers, "\n\n")+"\n"+b.sign(a.repo.ID, a.pull.Number, state{Read: o.newest}))
	return err
}
