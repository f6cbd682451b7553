package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks/queue"
)

func (b *Bot) pull(ctx context.Context, c Client, j queue.Job) (queue.Outcome, error) {
	repo, err := c.Repository(ctx)
	if err != nil {
		return queue.Outcome{}, err
	}
	if repo.Archived {
		return skip("the repository is archived")
	}
	p, err := b.newest(ctx, c, j)
	if err != nil {
		return queue.Outcome{}, err
	}
	if p.State != "open" {
		defer b.drop(ctx, repo.ID, p.Number)
	}
	if asks(p, repo) && p.State != "open" {
		return b.decline(ctx, c, j, repo, p)
	}
	if own(p) && p.State != "open" {
		return skip("this pull request is causal's own")
	}
	prior, said, err := b.priorOf(ctx, c, repo.ID, p)
	if err != nil {
		return queue.Outcome{}, err
	}
	if p.State != "open" && (prior.Head == "" && !p.Merged || prior.Status == over(p)) {
		return ended(p, prior)
	}
	var d discussion
	if d.orders, err = b.ordersIn(ctx, c, p.Number, prior, said); err != nil {
		return queue.Outcome{}, err
	}
	if err := b.carryOut(ctx, c, j, repo, p.Number, &d.orders); err != nil {
		return b.refuseForOr(ctx, c, j, p.HeadSHA, p.Base, err)
	}
	rules, err := c.Branch(ctx, p.Base)
	if err != nil {
		return queue.Outcome{}, err
	}
	if err := b.answerQuestions(ctx, c, repo, p, rules.Head, &d.orders); err != nil {
		return b.refuseForOr(ctx, c, j, p.HeadSHA, p.Base, err)
	}
	asked, err := b.reviewing(ctx, c, repo.ID, p, prior, &d)
	if err != nil {
		return queue.Outcome{}, err
	}
	task := sandbox.Task{
		Commit: p.HeadSHA, Rules: rules.Head, Branch: p.Base,
		Pull: &sandbox.Pull{
			Number: p.Number, Title: p.Title, Fork: p.Fork, SetAside: p.State != "open" && !p.Merged, Traits: traits(p), Review: asked,
		},
	}
	if p.Merged {
		task.Pull.From = p.BaseSHA
	}
	w, err := b.open(ctx, c, repo, task)
	if err != nil {
		return b.refuseForOr(ctx, c, j, p.HeadSHA, p.Base, err)
	}
	if by, what := w.Ignored(task); by != "" {
		out, err := b.leaveOut(ctx, c, j, p, by, what)
		return out, errors.Join(err, w.Close())
	}
	a := &analysis{repo: repo, pull: p, base: rules.Head, prior: prior, discussion: d, workshop: w}
	var out queue.Outcome
	if p.State == "open" {
		out, err = b.tell(ctx, c, j, a)
	} else {
		out, err = b.closed(ctx, c, j, a)
	}
	err = errors.Join(err, w.Close())
	if err == nil && asks(p, repo) && !a.Bot.DryRun {
		err = b.listen(ctx, c, j, a)
	}
	if err == nil && d.orders.left && a.comments() {
		err = b.config.Ask(ctx, "commands", j.Subject)
	}
	return out, err
}

const (
	// looks limits the look-ups in one run until the pull request shows the head of the event.
	looks = 3
	// lagging limits the attempts for that. Then GitHub's answer counts: a force push may have replaced the head, and
	// its event may be lost.
	lagging = 3
)

// ErrLags reports that GitHub's API is behind its event. The job is retried.
var ErrLags = errors.New("GitHub does not show the newest commit yet")

// newest returns the pull request, once it shows the head of the newest event.
func (b *Bot) newest(ctx context.Context, c Client, j queue.Job) (github.Pull, error) {
	told := j.Told()
	for look := 1; ; look++ {
		p, err := c.Pull(ctx, j.Pull)
		switch {
		case err != nil, told.Head == "", p.HeadSHA == told.Head, p.State != "open", j.Attempt > lagging:
			return p, err
		case !told.At.IsZero() && p.Updated.After(told.At): // the event is older than the pull request's last update
			return p, nil
		case look == looks:
			return github.Pull{}, fmt.Errorf("%w: pull request %d has head %s, and the event told of %s", ErrLags, j.Pull, p.HeadSHA, told.Head)
		}
		if err := b.config.Sleep(ctx, time.Duration(look)*time.Second); err != nil {
			return github.Pull{}, err
		}
	}
}

// own reports whether the bot opened a pull request. It is analyzed like any other, because a required check must exist
// and a branch name must not bypass it, but gets no comment.
func own(p github.Pull) bool { return summary.Own(p.Head) && !p.Fork }

type analysis struct {
	*workshop

	repo  github.Repository
	pull  github.Pull
	base  string // the head of the base branch
	prior state

	discussion discussion
}

// pushed has the messages for pushes that do not just add commits.
var pushed = map[string]string{
	resumed:     "the analysis from before the close is resumed",
	backtracked: "the commits of the earlier analysis are gone, and so are its conclusions",
}

func (b *Bot) tell(ctx context.Context, c Client, j queue.Job, a *analysis) (queue.Outcome, error) {
	ctx = inSession(ctx, a.Report.Session)
	branch, err := b.branched(ctx, a)
	if err != nil {
		return queue.Outcome{}, err
	}
	if err := b.takeUp(ctx, c, a); err != nil {
		return queue.Outcome{}, err
	}
	s := summary.Pull{
		Web: a.repo.URL, Base: a.pull.Base, Layout: a.layout(), Report: a.Report, Pages: a.Pages,
		Files: a.Files, Aside: a.Aside, Push: pushed[branch], RunsURL: b.config.RunsURL(j.Subject),
	}
	now := state{
		Head: a.pull.HeadSHA, Session: a.Report.Session, Status: active, Push: branch, Read: a.discussion.orders.newest, Beside: a.discussion.orders.beside, Review: a.prior.Review, Named: a.prior.Named, From: a.prior.From,
	}
	if s.Review, err = b.review(ctx, c, j, a, &now); err != nil {
		return queue.Outcome{}, err
	}
	text := s.Markdown()
	if a.comments() {
		if _, err := c.Comment(ctx, a.pull.Number, summary.Marker, text+"\n"+b.sign(a.repo.ID, a.pull.Number, now)); err != nil {
			return queue.Outcome{}, err
		}
	}
	run := b.check(j, a.pull.HeadSHA, "neutral", s.Title(), a.rehearsal()+text)
	if s.Fresh() {
		run.Conclusion = "success"
	}
	run.Annotations, run.Text = s.Annotations(), summary.Unfit(a.Unfit)
	if _, err := c.Check(ctx, run); err != nil {
		return queue.Outcome{}, err
	}
	return outcome(Told, s.Title(), a.pull.HeadSHA, a.Report.Session, detailOf(a.workshop))
}

func (b *Bot) branched(ctx context.Context, a *analysis) (string, error) {
	switch {
	case a.prior.Status == suspended:
		return resumed, nil
	case a.prior.Head == "" || a.prior.Head == a.pull.HeadSHA: // the same head keeps its state
		return a.prior.Push, nil
	}
	kept, err := a.mirror.Contains(ctx, a.pull.HeadSHA, a.prior.Head)
	if err != nil && !errors.Is(err, gitstore.ErrUnknownObject) {
		return "", err
	}
	if kept {
		return refined, nil
	}
	return backtracked, nil
}

func (b *Bot) closed(ctx context.Context, c Client, j queue.Job, a *analysis) (queue.Outcome, error) {
	now := a.prior
	now.Status, now.Aside = over(a.pull), ""
	var note string
	var detail []byte
	err := b.reply(ctx, c, a, nil, a.discussion.orders)
	if err != nil {
		return queue.Outcome{}, err
	}
	if a.pull.Merged {
		if err = b.takeUp(ctx, c, a); err == nil {
			note, detail, err = b.record(ctx, c, j, a)
		}
	} else {
		now.Aside, err = b.setAside(ctx, c, a)
	}
	if err != nil {
		return queue.Outcome{}, err
	}
	if err := b.remember(ctx, c, a, now, note); err != nil {
		return queue.Outcome{}, err
	}
	out, err := ended(a.pull, now)
	out.Detail = detail
	return out, err
}

// remember writes a state into the comment, and appends a note to its text.
func (b *Bot) remember(ctx context.Context, c Client, a *analysis, now state, note string) error {
	if !a.comments() {
		return nil
	}
	comment, found, err := c.Sticky(ctx, a.pull.Number, summary.Marker)
	if err != nil || !found {
		return err
	}
	_, err = c.Comment(ctx, a.pull.Number, summary.Marker, summary.Join(withoutState(comment.Body), note)+"\n"+b.sign(a.repo.ID, a.pull.Number, now))
	return err
}

func over(p github.Pull) string {
	if p.Merged {
		return completed
	}
	return suspended
}

func ended(p github.Pull, s state) (queue.Outcome, error) {
	out := queue.Outcome{Conclusion: SetAside, Title: "closed without a merge: the analysis is set aside", Head: p.HeadSHA, Session: s.Session}
	if p.Merged {
		out.Conclusion, out.Title = Completed, "merged: the analysis is complete"
	}
	return out, nil
}
