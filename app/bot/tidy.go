package bot

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/causaldocs/causal/app/workspace"
)

const (
	// largest is the size in bytes at which a mirror is recreated.
	largest = 1 << 30
	// idle is how long the data of an unused repository is kept.
	idle = 30 * 24 * time.Hour
)

const (
	// mostScratch limits the scratch directories in bytes: some hundred pull requests of a large repository.
	mostScratch = 2 << 30
	// inUse is how long a run may still use its files. It exceeds the time limit of a run.
	inUse = time.Hour
)

func (b *Bot) drop(ctx context.Context, repository int64, pull int) {
	at := workspace.Mirrored{Dir: b.kept(repository), Pull: pull}
	if err := at.RemoveLane(); err != nil {
		b.config.Logger.WarnContext(ctx, "could not remove the data of a closed pull request", "error", err)
	}
}

// prune limits the size of a mirror. A failure does not fail the run, because the data can be fetched again.
func (b *Bot) prune(ctx context.Context, w *workshop, head string) {
	if err := w.mirror.Prune(ctx, largest, head); err != nil && ctx.Err() == nil {
		b.config.Logger.WarnContext(ctx, "the mirror could not be pruned", "error", err)
	}
}

// Tidy removes unused repositories, and scratch directories above the limit. All of that can be recreated.
func (b *Bot) Tidy() error {
	dir, now := filepath.Join(b.config.Dir, repositories), b.config.Now()
	return errors.Join(workspace.RemoveIdle(dir, now.Add(-idle)), workspace.LimitScratch(dir, mostScratch, now.Add(-inUse)))
}
