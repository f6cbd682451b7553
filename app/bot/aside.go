package bot

import (
	"context"
	"fmt"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/summary"
)

// setAside keeps the analysis of a pull request that was closed without a merge in the repository, as a session whose root
// is suspended: whoever makes the same change again is told of it. It returns the session; empty when there was nothing
// to keep, or when nothing may be committed.
func (b *Bot) setAside(ctx context.Context, c Client, a *analysis) (string, error) {
	if a.Session == "" {
		return "", nil
	}
	ctx = inSession(ctx, a.Report.Session)
	name := a.layout().Frames(a.Session)
	if there, err := a.onBase(ctx, name); err != nil || there {
		return a.Session, err // an earlier run did not get further than this
	}
	if !a.commits() {
		return "", nil
	}
	intended := a.prior // should this run end here, whoever opens the pull request again finds what to take up
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

// takeUp removes a session that was set aside: its pull request was opened again, or merged.
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

// onBase reports whether the base branch has a file. What a session's file holds follows from its name.
func (a *analysis) onBase(ctx context.Context, name string) (bool, error) {
	return a.mirror.Has(ctx, a.base, name)
}

// commits reports whether the bot commits to the base branch at all.
func (a *analysis) commits() bool {
	return a.Bot.Mode == config.ModeCommit && !a.Bot.DryRun && a.pull.Base == a.repo.DefaultBranch
}

// commitToBase commits to the base branch where that may be, and reports whether it did.
func (b *Bot) commitToBase(ctx context.Context, c Client, a *analysis, commit github.Commit) (bool, error) {
	if !a.commits() {
		return false, nil
	}
	commit.Branch, commit.Headline = a.pull.Base, a.Bot.Subject(commit.Headline)
	return publish.Direct(ctx, c, commit)
}
