package bot

import (
	"context"
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

// prune keeps a mirror from growing. What it drops can be fetched again, so that a failure is no reason to fail a run.
func (b *Bot) prune(ctx context.Context, w *workshop, head string) {
	if err := w.mirror.Prune(ctx, largest, head); err != nil && ctx.Err() == nil {
		b.config.Logger.WarnContext(ctx, "the mirror could not be pruned", "error", err)
	}
}

// Tidy removes what is kept of repositories that nothing has happened to for long. All of it can be made again.
func (b *Bot) Tidy() error {
	return workspace.RemoveIdle(filepath.Join(b.config.Dir, repositories), b.config.Now().Add(-idle))
}
