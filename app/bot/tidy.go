package bot

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/causaldocs/causal/app/workspace"
)

const (
	// largest is how many bytes a mirror may have before it is made anew.
	largest = 1 << 30
	// idle is how long a repository is kept that nothing happens to.
	idle = 30 * 24 * time.Hour
)

const (
	// mostScratch is how many bytes the files of pull requests and branches may have in all, which are made again where they
	// are missing: some hundred pull requests of a large repository.
	mostScratch = 2 << 30
	// inUse is how long after it began a run may still be in its files: longer than a run may take.
	inUse = time.Hour
)

// drop removes what is kept of a pull request that is closed. Should it be opened again, it is made again.
func (b *Bot) drop(ctx context.Context, repository int64, pull int) {
	at := workspace.Mirrored{Dir: b.kept(repository), Pull: pull}
	if err := at.RemoveLane(); err != nil {
		b.config.Logger.WarnContext(ctx, "could not remove the data of a closed pull request", "error", err)
	}
}

// prune keeps a mirror from growing. What it drops can be fetched again, so that a failure is no reason to fail a run.
func (b *Bot) prune(ctx context.Context, w *workshop, head string) {
	if err := w.mirror.Prune(ctx, largest, head); err != nil && ctx.Err() == nil {
		b.config.Logger.WarnContext(ctx, "the mirror could not be pruned", "error", err)
	}
}

// Tidy removes what is kept of repositories that nothing has happened to for long, and of branches and pull requests what is
// too much in all. All of it can be made again.
func (b *Bot) Tidy() error {
	dir, now := filepath.Join(b.config.Dir, repositories), b.config.Now()
	return errors.Join(workspace.RemoveIdle(dir, now.Add(-idle)), workspace.LimitScratch(dir, mostScratch, now.Add(-inUse)))
}
