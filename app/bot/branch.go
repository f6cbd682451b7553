package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/assembly"
	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

const (
	// attempts is how often a commit is made again because the branch moved under it.
	attempts = 5
	// hourly is how many commits of its own a branch takes within an hour before the bot pauses: whatever makes it commit
	// more often is a loop with somebody else's program.
	hourly = 60
	// quiet is how long the bot pauses before it looks again.
	quiet = 10 * time.Minute
)

// branch brings the default branch up to date.
func (b *Bot) branch(ctx context.Context, c Client, j queue.Job) (queue.Outcome, error) {
	repo, err := c.Repository(ctx)
	if err != nil {
		return queue.Outcome{}, err
	}
	if j.Ref == webhooks.DefaultBranch {
		return b.ask(ctx, j, repo)
	}
	name := strings.TrimPrefix(j.Ref, "refs/heads/")
	switch {
	case repo.Archived:
		return skip("the repository is archived")
	case repo.Empty:
		return skip("the repository has no commit yet")
	case name != repo.DefaultBranch:
		return skip(name + " is not the default branch: its pull request is told what it makes stale")
	}
	if n, err := b.config.Commits(ctx, j.Key(), b.config.Now().Add(-time.Hour)); err != nil {
		return queue.Outcome{}, err
	} else if n >= hourly {
		return b.pause(ctx, c, j, name, n)
	}
	for attempt := 1; ; attempt++ {
		out, err := b.bringUpToDate(ctx, c, j, repo, name)
		if !errors.Is(err, github.ErrHeadMoved) || attempt == attempts {
			return out, err
		}
		b.config.Logger.InfoContext(ctx, "the branch moved, beginning again", "attempt", attempt)
	}
}

// ask queues the default branch of a repository of which nothing but its name was known: the lane of the branch keeps two
// runs of it apart.
func (b *Bot) ask(ctx context.Context, j queue.Job, repo github.Repository) (queue.Outcome, error) {
	s := j.Subject
	s.Ref = "refs/heads/" + repo.DefaultBranch
	if err := b.config.Ask(ctx, "installation", s); err != nil {
		return queue.Outcome{}, err
	}
	return skip("the default branch is " + repo.DefaultBranch + ", and comes next")
}

// errPaused is why a run waits.
var errPaused = errors.New("paused")

// pause says that the bot waits, and why. It takes the branch up again by itself.
func (b *Bot) pause(ctx context.Context, c Client, j queue.Job, name string, n int) (queue.Outcome, error) {
	head, err := c.Branch(ctx, name)
	if err != nil {
		return queue.Outcome{}, err
	}
	_, err = c.Check(ctx, b.check(j, head.Head, "neutral", "paused: too many commits of docs within an hour", "Something makes the docs "+
		"change again and again. They are taken up again when the hour is over. If this repository really changes so often, set "+
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
	w, err := b.open(ctx, c, place{repo: repo, lane: laneDir("branch", name), commit: head.Head, rules: head.Head, branch: name})
	if mendable(err) {
		return b.refuse(ctx, c, j, head.Head, err)
	}
	if err != nil {
		return queue.Outcome{}, err
	}
	out, err := b.publishUpdate(ctx, c, j, w, head)
	if err == nil {
		b.prune(ctx, w, head.Head)
	}
	return out, errors.Join(err, w.Close())
}

// refuse tells in a check run what somebody has to mend.
func (b *Bot) refuse(ctx context.Context, c Client, j queue.Job, head string, problem error) (queue.Outcome, error) {
	title := "the docs cannot be brought up to date"
	_, err := c.Check(ctx, b.check(j, head, "failure", title, "```\n"+problem.Error()+"\n```"))
	return queue.Outcome{Conclusion: Refused, Title: problem.Error(), Head: head}, err
}

func (b *Bot) publishUpdate(ctx context.Context, c Client, j queue.Job, w *workshop, head github.Branch) (queue.Outcome, error) {
	report, err := w.update(ctx)
	if mendable(err) {
		return b.refuse(ctx, c, j, head.Head, err)
	}
	if err != nil {
		return queue.Outcome{}, err
	}
	ctx = inSession(ctx, report.Session)
	write, remove, err := assembly.Written(w.files)
	if err != nil {
		return queue.Outcome{}, err
	}
	u := update{report: report, workshop: w, head: head, commit: github.Commit{
		Branch: head.Name, ExpectedHead: head.Head, Headline: assembly.Headline, Body: summary.Message(report, head.Head), Write: write, Delete: remove,
	}}
	if len(write)+len(remove) == 0 {
		return b.nothingToDo(ctx, c, j, u)
	}
	switch w.config.Bot.Mode {
	case config.ModeCheck:
		return b.tellStale(ctx, c, j, u)
	case config.ModePullRequest:
		return b.propose(ctx, c, j, u, "")
	}
	if head.Protected {
		return b.propose(ctx, c, j, u, "")
	}
	id, err := c.Publish(ctx, u.commit)
	if errors.Is(err, github.ErrProtected) {
		return b.propose(ctx, c, j, u, err.Error())
	}
	if err != nil {
		return queue.Outcome{}, err
	}
	out, err := b.told(ctx, c, j, u, told{conclusion: Updated, verdict: "success", title: u.title("updated"), commit: id})
	return out, errors.Join(err, w.keep())
}

// update is what a run made and where it belongs.
type update struct {
	report   *engine.Report
	workshop *workshop
	head     github.Branch
	commit   github.Commit
}

// title says in one line what a run did.
func (u update) title(verb string) string {
	return summary.Title(u.report, len(u.commit.Write)+len(u.commit.Delete), verb)
}

// nothingToDo takes back what was proposed, if anything was, and tells what only a person can mend.
func (b *Bot) nothingToDo(ctx context.Context, c Client, j queue.Job, u update) (queue.Outcome, error) {
	if err := c.Withdraw(ctx, u.head.Name, summary.Rolling); err != nil && !errors.Is(err, github.ErrForeign) {
		return queue.Outcome{}, err
	}
	out, late, err := b.tellOfCommit(ctx, c, j, u)
	switch {
	case err != nil || late:
	case len(u.report.Blocked) == 0:
		out, err = outcome(Fresh, "everything is fresh", u.head.Head, u.report.Session, detailOf(u.report, u.workshop))
	default:
		out, err = b.told(ctx, c, j, u, told{conclusion: Refused, verdict: "failure", title: summary.BlockedTitle(u.report)})
	}
	return out, errors.Join(err, u.workshop.keep())
}

// tellOfCommit tells of the docs at the head of the branch where a run ended between its commit and its check run; false
// where there is no such thing to tell.
func (b *Bot) tellOfCommit(ctx context.Context, c Client, j queue.Job, u update) (queue.Outcome, bool, error) {
	described, reasons := summary.ReadMessage(u.head.Message)
	if described == "" || !slices.Equal(u.head.Parents, []string{described}) || len(u.report.Blocked) > 0 {
		return queue.Outcome{}, false, nil
	}
	if checked, err := c.Checked(ctx, described, checkName, j.Key()); err != nil || checked {
		return queue.Outcome{}, false, err
	}
	own := u.head.Head
	u.head.Head = described
	_, err := c.Check(ctx, b.check(j, described, "success", "docs updated", committed(own)+"\n\n"+reasons))
	if err != nil {
		return queue.Outcome{}, false, err
	}
	out, err := u.outcome(told{conclusion: Updated, title: "docs updated", commit: own})
	return out, true, err
}

func committed(id string) string { return "Committed as " + id + "." }

// tellStale is what the mode "check" does: it tells and writes nothing.
func (b *Bot) tellStale(ctx context.Context, c Client, j queue.Job, u update) (queue.Outcome, error) {
	return b.told(ctx, c, j, u, told{conclusion: Stale, verdict: "failure", title: u.title("stale"),
		more: "Run `causal update` and commit what it writes."})
}

// propose keeps one pull request with what may not be committed.
func (b *Bot) propose(ctx context.Context, c Client, j queue.Job, u update, because string) (queue.Outcome, error) {
	body := summary.Proposal(u.head.Name, because)
	pull, err := c.Propose(ctx, github.Proposal{Base: u.head.Name, Branch: summary.Rolling, Title: assembly.Headline, Body: body, Commit: u.commit})
	if errors.Is(err, github.ErrForeign) {
		return b.told(ctx, c, j, u, told{conclusion: Refused, verdict: "failure", title: "somebody else has committed to " + summary.Rolling,
			more: "Merge or close its pull request, and delete the branch: the next push proposes the docs anew."})
	}
	if err != nil {
		return queue.Outcome{}, err
	}
	t := told{conclusion: Proposed, verdict: "success", title: fmt.Sprintf("%s in #%d", u.title("proposed"), pull.Number), pull: pull.URL}
	if because != "" { // the pull request says it, and a check run would be one write too many
		return u.outcome(t)
	}
	return b.told(ctx, c, j, u, t)
}

// told is what a check run says of a run.
type told struct {
	conclusion, verdict, title string
	more                       string // in Markdown
	commit, pull               string
}

// told makes the check run and the outcome. What only a person can mend makes the check fail whatever else was done.
func (b *Bot) told(ctx context.Context, c Client, j queue.Job, u update, t told) (queue.Outcome, error) {
	text := t.more
	switch {
	case t.commit != "":
		text = committed(t.commit)
	case t.pull != "":
		text = "Proposed in " + t.pull + "."
	}
	if len(u.report.Blocked) > 0 {
		t.verdict, text = "failure", strings.TrimSpace(text+"\n\n"+summary.Blocked(u.report))
	}
	run := b.check(j, u.head.Head, t.verdict, t.title, text)
	run.Text = summary.Why(u.report)
	if _, err := c.Check(ctx, run); err != nil {
		return queue.Outcome{}, err
	}
	return u.outcome(t)
}

func (u update) outcome(t told) (queue.Outcome, error) {
	d := detailOf(u.report, u.workshop)
	d.Commit, d.Pull = t.commit, t.pull
	return outcome(t.conclusion, t.title, u.head.Head, u.report.Session, d)
}

// checkName is how the check run is called.
const checkName = "causal"

func (b *Bot) check(j queue.Job, head, conclusion, title, summary string) github.CheckRun {
	return github.CheckRun{
		Head: head, Name: checkName, ExternalID: j.Key(), DetailsURL: b.config.RunsURL(j.Subject), Conclusion: conclusion, Title: title, Summary: summary,
	}
}
