package bot

import (
	"context"
	"fmt"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/summary"
)

// setAside stores the analysis of a closed pull request in the repository, as a suspended session that a later pull
// request with the same change can resume. It returns the session, empty if nothing was stored.
func (b *Bot) setAside(ctx context.Context, c Client, a *analysis) (string, error) {
	if a.Session == "" {
		return "", nil
	}
	ctx = inSession(ctx, a.Report.Session)
	name := a.layout().Frames(a.Session)
	if there, err := a.onBase(ctx, name); err != nil || there {
		return a.Session, err // an earlier run was interrupted after this
	}
	if !a.commits() {
		return "", nil
	}
	intended := a.prior // if this run is interrupted, a reopened pull request finds the session
	intended.Aside = a.Session
	if err := b.remember(ctx, c, a, intended, ""); err != nil {
		return "", err
	}
	done, err := b.commitToBase(ctx, c, a, github.Commit{
		Headline: fmt.Sprintf("Set aside the analysis of #%d", a.pull.Number),
		Body:     summary.SessionTrailer + ": " + a.Session, Write: map[string][]byte{name: a.Record},
	})
	if err != nil || !done {
		return "", err
	}
	return a.Session, nil
}

// takeUp removes the stored session of a pull request that was reopened or merged.
func (b *Bot) takeUp(ctx context.Context, c Client, a *analysis) error {
	if a.prior.Aside == "" {
		return nil
	}
	name := a.layout().Frames(a.prior.Aside)
	there, err := a.onBase(ctx, name)
	if err != nil || !there {
		return err
	}
	_, err = b.commitToBase(ctx, c, a, github.Commit{
		Headline: fmt.Sprintf("Resume the analysis of #%d", a.pull.Number),
		Body:     summary.SessionTrailer + ": " + a.prior.Aside, Delete: []string{name},
	})
	return err
}

// onBase reports whether the base branch has a file. The name of a session file determines its content.
func (a *analysis) onBase(ctx context.Context, name string) (bool, error) {
	return a.mirror.Has(ctx, a.base, name)
}

// commits reports whether the bot commits to the base branch.
func (a *analysis) commits() bool {
	return a.Bot.Mode == config.ModeCommit && !a.Bot.DryRun && a.pull.Base == a.repo.DefaultBranch
}

// commitToBase commits to the base branch if allowed, and reports whether it did.
func (b *Bot) commitToBase(ctx context.Context, c Client, a *analysis, commit github.Commit) (bool, error) {
	if !a.commits() {
		return false, nil
	}
	commit.Branch, commit.Headline = a.pull.Base, a.Bot.Subject(commit.Headline)
	return publish.Direct(ctx, c, commit)
}
