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

// record has what was found in a pull request that was merged kept in the repository, with what recurs as a principle, in the commit
// that brings the docs up to date with the merge. It returns what there is to tell of that. Of a pull request in which nothing was
// found nothing is kept: most are, and each would be a commit.
func (b *Bot) record(ctx context.Context, c Client, j queue.Job, a *analysis) (string, error) {
	state := a.prior.Review
	switch {
	case a.Review != nil:
		state = a.Review.State
	case !a.prior.Paused: // nobody wants reviews here any more
		return "", nil
	}
	known, err := life.Unpack(state)
	if err != nil || len(known.Findings) == 0 || a.pull.Base != a.repo.DefaultBranch || a.mode() == config.ModeCheck {
		return "", nil //nolint:nilerr // the state of another version says nothing
	}
	key := fmt.Sprintf("pr-%d", a.pull.Number)
	if err := a.Close(); err != nil { // the next run works in the same places
		return "", err
	}
	made, err := b.land(ctx, c, j, a.repo, sandbox.Task{Pull: &sandbox.Pull{Number: a.pull.Number, Title: a.pull.Title, Close: &sandbox.Closing{
		State: state, Key: key, Base: a.pull.BaseSHA, Head: a.pull.HeadSHA, Author: a.pull.Author,
	}}})
	if err != nil {
		return "", err
	}
	return recorded(key, made), nil
}

// landed is what was published for the default branch.
type landed struct {
	publish.Outcome

	promoted, ended []string
	heard           []report.Heard
}

// land has a task done for the default branch in the lane of a pull request, and publishes what that makes.
func (b *Bot) land(ctx context.Context, c Client, j queue.Job, repo github.Repository, t sandbox.Task) (*landed, error) {
	base, err := c.Branch(ctx, repo.DefaultBranch)
	if err != nil {
		return nil, err
	}
	t.Commit, t.Rules, t.Branch, t.Pull.Lands = base.Head, base.Head, base.Name, true
	if t.Carry, err = b.proposed(ctx, c); err != nil {
		return nil, err
	}
	if !t.OnlyAsks() { // the push that brought the branch there may have no run yet
		branch := j.Subject
		branch.Pull, branch.Ref = 0, "refs/heads/"+base.Name
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
	if w.Report == nil { // nothing was to be brought up to date
		return &landed{heard: w.Heard}, w.Close()
	}
	made, err := publish.Publish(ctx, c, publish.Update{
		Report: w.Report, Files: sandbox.NewFiles(w.files, w.Result), Branch: base.Name, Head: base.Head, Mode: w.mode(), Subject: w.Bot.Subject, Protected: base.Protected, Rolls: true,
	})
	if err == nil && made.Conclusion == publish.Updated {
		err = w.at.Keep()
	}
	if err == nil && w.AsksAnew { // the App's own push asks for nothing
		err = b.askAnew(ctx, j)
	}
	out := &landed{made, w.Promoted, w.Ended, w.Heard}
	return out, errors.Join(err, w.Close())
}

// recorded tells where the findings are kept, and which principles came of them.
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

// proposed is the head of the branch on which the bot proposes what it may not commit; empty when there is none. Records that are there
// and not merged yet are proposed again with the next.
func (b *Bot) proposed(ctx context.Context, c Client) (string, error) {
	rolling, err := c.Branch(ctx, summary.Rolling)
	if errors.Is(err, github.ErrGone) {
		return "", nil
	}
	return rolling.Head, err
}
