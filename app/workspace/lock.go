package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// patience is how long a run waits for another one before it says whom it waits for.
const patience = 300 * time.Millisecond

// Lock keeps other runs out until Close, while this one writes to a work tree, and lets git look meanwhile. When another
// run holds the lock, waiting is told which process that is, empty when that is not known.
func (w *Workspace) Lock(ctx context.Context, waiting func(process string)) error {
	if err := os.MkdirAll(w.local, 0o755); err != nil {
		return fmt.Errorf("lock the repository: %w", err)
	}
	name := filepath.Join(w.local, "lock")
	l := flock.New(name)
	w.atClose(l.Close)
	soon, cancel := context.WithTimeout(ctx, patience)
	got, err := l.TryLockContext(soon, 20*time.Millisecond)
	cancel()
	if !got && ctx.Err() == nil {
		holder, _ := os.ReadFile(name)
		waiting(strings.TrimSpace(string(holder)))
		got, err = l.TryLockContext(ctx, 50*time.Millisecond)
	}
	if !got {
		return fmt.Errorf("lock the repository: %w", errors.Join(err, ctx.Err()))
	}
	w.Repo.Begin(ctx) // nobody else writes from here on; who wrote before is known from the signature
	if err := os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
		return fmt.Errorf("lock the repository: %w", err)
	}
	return nil
}
