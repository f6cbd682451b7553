package sandbox

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/causaldocs/causal/app/cause"
	"github.com/causaldocs/causal/app/config"
)

// pushed adds the consequences of the task's push to the log, with the time and author of its newest commit.
func (a *analysis) pushed(ctx context.Context) error {
	p, w := a.task.Push, a.workspace
	if p == nil || w.Config.Bot.DryRun || w.Config.Bot.Mode == config.ModeCheck {
		return nil
	}
	if err := w.Mirror.Fetch(ctx, p.Head); err != nil {
		return err
	}
	head, err := w.Repo.Resolve(ctx, p.Head)
	if err != nil {
		return err
	}
	proposed := ""
	if a.pending {
		proposed = a.task.Carry
	}
	a.knowledge, err = a.knowledge.Pushed(ctx, cause.Push{
		Commit: p.Head, Subjects: p.Subjects, More: p.More, Author: head.Author, At: head.When.UTC().Format(time.RFC3339),
	}, proposed, slices.Collect(maps.Keys(a.task.End)), a.report)
	return err
}
