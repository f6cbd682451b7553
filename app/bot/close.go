package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
	"github.com/causaldocs/causal/webhooks/queue"
)

// record stores the findings of a merged pull request, and new principles, in the repository, together with the docs
// update for the merge. It returns the message for the comment, and the detail of the run. Pull requests without findings are not recorded,
// because most have none and each record is a commit.
func (b *Bot) record(ctx context.Context, c Client, j queue.Job, a *analysis) (string, []byte, error) {
	state := a.prior.Review
	switch {
	case a.Review != nil:
		state = a.Review.State
	case !a.prior.Paused: // reviews were disabled since
		return "", nil, nil
	}
	known, err := life.Unpack(state)
	if err != nil || len(known.Findings) == 0 || a.pull.Base != a.repo.DefaultBranch || a.mode() == config.ModeCheck {
		return "", nil, nil //nolint:nilerr // the state of another version says nothing
	}
	key := fmt.Sprintf("pr-%d", a.pull.Number)
	if err := a.Close(); err != nil { // the next run uses the same directories
		return "", nil, err
	}
	made, err := b.land(ctx, c, j, a.repo, sandbox.Task{Pull: &sandbox.Pull{Number: a.pull.Number, Title: a.pull.Title, Close: &sandbox.Closing{
		State: state, Key: key, Base: a.pull.BaseSHA, Head: a.pull.HeadSHA, Author: a.pull.Author,
	}}})
	if err != nil {
		return "", nil, err
	}
	return recorded(key, made), made.detail, nil
}

type landed struct {
	publish.Outcome

	promoted, ended []string
	heard           []report.Heard
	detail          []byte // of the docs update, if no run of the branch reports it
}

// land runs a task for the default branch in the lane of a pull request, and publishes the result.
func (b *Bot) land(ctx context.Context, c Client, j queue.Job, repo github.Repository, t sandbox.Task) (*landed, error) {
	base, err := c.Branch(ctx, repo.DefaultBranch)
	if err != nil {
		return nil, err
	}
	t.Commit, t.Rules, t.Branch, t.Pull.Lands = base.Head, base.Head, base.Name, true
	if t.Carry, err = b.proposed(ctx, c); err != nil {
		return nil, err
	}
	branch := queue.Job{Subject: j.Subject}
	branch.Pull, branch.Ref = 0, "refs/heads/"+base.Name
	if !t.OnlyAsks() { // the push may have no run yet
		came, err := b.since(ctx, c, branch.Key(), base)
		if err != nil {
			return nil, err
		}
		t.Push = came.push()
	}
	w, err := b.open(ctx, c, repo, t)
	if err != nil {
		return nil, err
	}
	if w.Report == nil { // nothing to update
		return &landed{heard: w.Heard}, w.Close()
	}
	made, err := publish.Publish(ctx, c, publish.Update{
		Report: w.Report, Files: sandbox.NewFiles(w.files, w.Result), Branch: base.Name, Head: base.Head, Mode: w.mode(), Subject: w.Bot.Subject, Protected: base.Protected, Rolls: true,
	})
	var told queue.Outcome
	if err == nil && made.Conclusion == publish.Updated {
		told, err = b.tellOfLanding(ctx, c, branch, update{workshop: w, head: base}, made)
		err = errors.Join(err, w.at.Keep())
	}
	if err == nil && w.AsksAnew { // the App's own push queues nothing
		err = b.askAnew(ctx, j)
	}
	out := &landed{made, w.Promoted, w.Ended, w.Heard, told.Detail}
	return out, errors.Join(err, w.Close())
}

// tellOfLanding writes the check run of a push that had no run yet. Its own run finds the docs up to date, and would not
// know what changed.
func (b *Bot) tellOfLanding(ctx context.Context, c Client, branch queue.Job, u update, made publish.Outcome) (queue.Outcome, error) {
	if describes(u.head.Message, u.head.Parents) != "" {
		return queue.Outcome{}, nil
	}
	if checked, err := c.Checked(ctx, u.head.Head, checkName, branch.Key()); err != nil || checked {
		return queue.Outcome{}, err
	}
	return b.notify(ctx, c, branch, u, notice{conclusion: made.Conclusion, verdict: "success", title: made.Title, commit: made.Commit})
}

func recorded(key string, made *landed) string {
	if made.Conclusion != publish.Updated && made.Conclusion != publish.Proposed {
		return ""
	}
	text := "The findings are stored in " + summary.Code(record.Path(key))
	if made.Conclusion == publish.Proposed {
		text += ", proposed in " + made.Pull.URL
	}
	lines := []string{text + "."}
	for _, slug := range made.promoted {
		lines = append(lines, fmt.Sprintf("A finding recurred often enough to become a principle: %s, in %s.", summary.Code(slug), summary.Code(principle.Path(slug))))
	}
	return strings.Join(lines, "\n")
}

func (b *Bot) proposed(ctx context.Context, c Client) (string, error) {
	rolling, err := c.Branch(ctx, summary.Rolling)
	if errors.Is(err, github.ErrGone) {
		return "", nil
	}
	return rolling.Head, err
}
