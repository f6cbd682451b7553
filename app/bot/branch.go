package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

const (
	// hourly limits the bot's commits to a branch in an hour. More are a loop with another program.
	hourly = 60
	// quiet is the pause after that.
	quiet = 10 * time.Minute
)

func (b *Bot) branch(ctx context.Context, c Client, j queue.Job) (queue.Outcome, error) {
	repo, err := c.Repository(ctx)
	if err != nil {
		return queue.Outcome{}, err
	}
	if j.Ref == webhooks.DefaultBranch {
		return b.ask(ctx, j, repo)
	}
	if head, ok := strings.CutPrefix(j.Ref, webhooks.CommitPrefix); ok {
		return b.askPulls(ctx, c, j, head)
	}
	name := strings.TrimPrefix(j.Ref, "refs/heads/")
	switch {
	case repo.Archived:
		return skip("the repository is archived")
	case repo.Empty:
		return skip("the repository has no commit yet")
	case github.QueuedFor(name) != "":
		return b.group(ctx, c, j, repo)
	case name != repo.DefaultBranch && j.Ref == approvals:
		return b.keepAsking(ctx, c, j, repo)
	case name != repo.DefaultBranch:
		return skip(name + " is not the default branch: its pull request shows the stale docs")
	}
	if n, err := b.config.Commits(ctx, j.Key(), b.config.Now().Add(-time.Hour)); err != nil {
		return queue.Outcome{}, err
	} else if n >= hourly {
		return b.pause(ctx, c, j, name, n)
	}
	var out queue.Outcome
	err = publish.Retry(func(attempt int) (err error) {
		if attempt > 1 {
			b.config.Logger.InfoContext(ctx, "the branch moved, starting again", "attempt", attempt)
		}
		out, err = b.bringUpToDate(ctx, c, j, repo, name)
		return err
	})
	return out, err
}

// ask queues the default branch for a job that has only the repository. The lane of the branch serializes its runs.
func (b *Bot) ask(ctx context.Context, j queue.Job, repo github.Repository) (queue.Outcome, error) {
	s := j.Subject
	s.Ref = "refs/heads/" + repo.DefaultBranch
	if err := b.config.Ask(ctx, "installation", s); err != nil {
		return queue.Outcome{}, err
	}
	return skip("the default branch is " + repo.DefaultBranch + ", and comes next")
}

func (b *Bot) askPulls(ctx context.Context, c Client, j queue.Job, head string) (queue.Outcome, error) {
	pulls, err := c.Pulls(ctx)
	if err != nil {
		return queue.Outcome{}, err
	}
	found := 0
	for _, p := range pulls {
		if p.HeadSHA != head {
			continue
		}
		found++
		s := j.Subject
		s.Ref, s.Pull = "", p.Number
		if err := b.config.Ask(ctx, "check", s); err != nil {
			return queue.Outcome{}, err
		}
	}
	return skip("the commit is the head of " + summary.Count(found, "open pull request"))
}

var errPaused = errors.New("paused")

// pause reports why the bot waits. The branch is retried automatically.
func (b *Bot) pause(ctx context.Context, c Client, j queue.Job, name string, n int) (queue.Outcome, error) {
	head, err := c.Branch(ctx, name)
	if err != nil {
		return queue.Outcome{}, err
	}
	_, err = c.Check(ctx, b.check(j, head.Head, "neutral", "paused: too many commits of docs within an hour", "Something makes the docs "+
		"change again and again. Updates resume after this hour. If this repository really changes so often, set "+
		"`bot.mode: pull_request` in `.causal/config.yml`."))
	if err != nil {
		return queue.Outcome{}, err
	}
	return queue.Outcome{}, queue.Later(fmt.Errorf("%w: %d commits of docs within an hour", errPaused, n), quiet)
}

func (b *Bot) bringUpToDate(ctx context.Context, c Client, j queue.Job, repo github.Repository, name string) (queue.Outcome, error) {
	head, err := c.Branch(ctx, name)
	if err != nil {
		return queue.Outcome{}, err
	}
	if err := b.tellOfAncestor(ctx, c, j, head); err != nil {
		return queue.Outcome{}, err
	}
	carry, err := b.proposed(ctx, c)
	if err != nil {
		return queue.Outcome{}, err
	}
	came, err := b.since(ctx, c, j.Key(), head)
	if err != nil {
		return queue.Outcome{}, err
	}
	direct, err := b.direct(ctx, c, came)
	if err != nil {
		return queue.Outcome{}, err
	}
	w, err := b.open(ctx, c, repo, sandbox.Task{Commit: head.Head, Rules: head.Head, Branch: name, Carry: carry, Direct: direct, Push: came.push()})
	if err != nil {
		return b.refuseOr(ctx, c, j, head.Head, err)
	}
	out, err := b.publishUpdate(ctx, c, j, w, head)
	if err == nil {
		b.prune(ctx, w, head.Head)
		if w.AsksAnew {
			err = b.askAnew(ctx, j)
		}
	}
	return out, errors.Join(err, w.Close())
}

// refuseForOr is refuseOr for a run that depends on the rules of a base branch. A change of that branch retries it.
func (b *Bot) refuseForOr(ctx context.Context, c Client, j queue.Job, head, base string, problem error) (queue.Outcome, error) {
	out, err := b.refuseOr(ctx, c, j, head, problem)
	if err == nil {
		out.Blocked = queue.Subject{Repository: j.Repository, Ref: "refs/heads/" + base}.Key()
	}
	return out, err
}

// refuseOr reports errors that the user must fix, and commits that cannot be analyzed, in a check run. They last until
// the head moves. It returns all other errors.
func (b *Bot) refuseOr(ctx context.Context, c Client, j queue.Job, head string, problem error) (queue.Outcome, error) {
	var refused *sandbox.RefusedError
	var stopped *sandbox.StoppedError
	title, more := "cannot update the docs", ""
	switch {
	case errors.As(problem, &refused):
		problem = refused
	case errors.As(problem, &stopped):
		problem, title = stopped, stopped.Error()
		more = "\n\ncausal tries again after a push, after a change of the configuration, or with “Re-run”. To leave files out, set `exclude` in `.causal/config.yml`."
	default:
		return queue.Outcome{}, problem
	}
	_, err := c.Check(ctx, b.check(j, head, "failure", title, summary.Said(problem)+more))
	return queue.Outcome{Conclusion: Refused, Title: problem.Error(), Head: head}, err
}

func (b *Bot) publishUpdate(ctx context.Context, c Client, j queue.Job, w *workshop, head github.Branch) (queue.Outcome, error) {
	ctx = inSession(ctx, w.Report.Session)
	made, err := publish.Publish(ctx, c, publish.Update{
		Report: w.Report, Files: sandbox.NewFiles(w.files, w.Result), Branch: head.Name, Head: head.Head, Mode: w.mode(), Subject: w.Bot.Subject, Protected: head.Protected, Rolls: !w.Bot.DryRun,
	})
	u := update{workshop: w, head: head}
	var tooMuch *sandbox.RefusedError
	switch {
	case errors.As(err, &tooMuch):
		return b.refuseOr(ctx, c, j, head.Head, err)
	case errors.Is(err, github.ErrForeign):
		return b.notify(ctx, c, j, u, notice{conclusion: Refused, verdict: "failure", title: "there are other commits on " + summary.Rolling,
			more: "Merge or close its pull request, and delete the branch: the next push proposes the docs again."})
	case errors.Is(err, github.ErrProtected):
		return b.notify(ctx, c, j, u, notice{conclusion: Refused, verdict: "failure", title: "a branch rule refuses " + summary.Rolling,
			more: summary.Said(err) + "\n\nExclude in the ruleset or the branch protection " + summary.Code(summary.Rolling) + ", or let it exempt the App."})
	case errors.Is(err, github.ErrTooLarge):
		return b.notify(ctx, c, j, u, notice{conclusion: Refused, verdict: "failure", title: "the docs are too much for one commit",
			more: summary.Said(err) + "\n\nRun `causal update` and push the files that it writes; later updates are smaller."})
	case err != nil:
		return queue.Outcome{}, err
	case made.Conclusion == Fresh:
		return b.nothingToDo(ctx, c, j, u, made.Title)
	}
	return b.tellOfUpdate(ctx, c, j, u, made)
}

// update is the result of a run and the branch head that it is for.
type update struct {
	*workshop

	head github.Branch
}

// tellOfUpdate reports how an update was published.
func (b *Bot) tellOfUpdate(ctx context.Context, c Client, j queue.Job, u update, made publish.Outcome) (queue.Outcome, error) {
	t := notice{conclusion: made.Conclusion, verdict: "success", title: made.Title}
	switch made.Conclusion {
	case Stale:
		t.verdict, t.more = "failure", "Run `causal update` and commit the files that it writes."
		if u.Bot.DryRun {
			t = rehearsed(u.Bot.Mode, made)
		}
	case Proposed:
		t.pull = made.Pull.URL
		if made.Refused != "" { // the pull request has the message already
			return u.outcome(t)
		}
	case Updated:
		t.commit = made.Commit
		out, err := b.notify(ctx, c, j, u, t)
		return out, errors.Join(err, u.at.Keep())
	}
	return b.notify(ctx, c, j, u, t)
}

// nothingToDo reports problems that the user must fix, if any.
func (b *Bot) nothingToDo(ctx context.Context, c Client, j queue.Job, u update, title string) (queue.Outcome, error) {
	out, late, err := b.tellOfCommit(ctx, c, j, u)
	switch {
	case err != nil || late:
	case len(u.Report.Blocked) == 0:
		out, err = outcome(Fresh, title, u.head.Head, u.Report.Session, detailOf(u.workshop))
	default:
		out, err = b.notify(ctx, c, j, u, notice{conclusion: Refused, verdict: "failure", title: summary.BlockedTitle(u.Report)})
	}
	return out, errors.Join(err, u.at.Keep())
}

func committed(id string) string { return "Committed as " + id + "." }

type notice struct {
	conclusion, verdict, title string
	more                       string // in Markdown
	commit, pull               string
}

func (b *Bot) notify(ctx context.Context, c Client, j queue.Job, u update, t notice) (queue.Outcome, error) {
	text := t.more
	switch {
	case t.commit != "":
		text = committed(t.commit)
	case t.pull != "":
		text = "Proposed in " + t.pull + "."
	}
	if len(u.Report.Blocked) > 0 {
		t.verdict, text = "failure", strings.TrimSpace(text+"\n\n"+summary.Blocked(u.Report))
	}
	run := b.check(j, u.head.Head, t.verdict, t.title, text)
	run.Text = summary.Join(summary.Why(u.Report), summary.Tests(u.Report.Tests), summary.Unfit(u.Unfit))
	if _, err := c.Check(ctx, run); err != nil {
		return queue.Outcome{}, err
	}
	return u.outcome(t)
}

func (u update) outcome(t notice) (queue.Outcome, error) {
	d := detailOf(u.workshop)
	d.Commit, d.Pull = t.commit, t.pull
	out, err := outcome(t.conclusion, t.title, u.head.Head, u.Report.Session, d)
	out.Reached = t.commit
	return out, err
}

const checkName = "causal"

func (b *Bot) check(j queue.Job, head, conclusion, title, summary string) github.CheckRun {
	return github.CheckRun{
		Head: head, Name: checkName, ExternalID: j.Key(), DetailsURL: b.config.RunsURL(j.Subject), Conclusion: conclusion, Title: title, Summary: summary,
	}
}
