package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	// ill is the number of consecutive failed transactions that make the queue unhealthy.
	ill = 3
	// electing is the grace period without a River leader after the start.
	electing = time.Minute
	// inspecting is the minimum interval between checks of the whole database, inspectingShare the minimum ratio of the
	// interval to the duration of a check.
	inspecting      = time.Minute
	inspectingShare = 100
)

type health struct {
	mu      sync.Mutex
	failed  int   // consecutive failed transactions
	problem error // the last error
	damage  error // result of the last check of the whole database
	started time.Time
	asking  singleflight.Group
}

func (h *health) note(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.problem = err; err == nil {
		h.failed = 0
		return
	}
	h.failed++
}

// inspect checks the whole database periodically. Damage in unused parts would otherwise be found late, and River only
// logs damage that stops it.
func (q *Queue) inspect(ctx context.Context) {
	for {
		began := time.Now()
		err := q.db.intact(ctx)
		if ctx.Err() != nil {
			return
		}
		q.health.mu.Lock()
		q.health.damage = err
		q.health.mu.Unlock()
		if err != nil {
			q.options.Logger.ErrorContext(ctx, "the database is damaged", "err", err)
		}
		next := time.NewTimer(max(inspecting, inspectingShare*time.Since(began)))
		select {
		case <-next.C:
		case <-ctx.Done():
			next.Stop()
			return
		}
	}
}

func (q *Queue) claimed(ctx context.Context, err error) {
	if errors.Is(err, errWorked) || errors.Is(err, errBusy) {
		err = nil
	}
	if err == nil || ctx.Err() == nil && !errors.Is(err, ErrClosed) {
		q.health.note(err)
	}
}

// Ping reports whether the queue is healthy: the database is writable and undamaged, recent transactions succeeded, and
// River has a leader. Concurrent callers share one check.
func (q *Queue) Ping(ctx context.Context) error {
	asked := q.health.asking.DoChan("", func() (any, error) { return nil, q.examine(context.WithoutCancel(ctx)) })
	select {
	case a := <-asked:
		return a.Err
	case <-ctx.Done():
		return fmt.Errorf("ask the database: %w", context.Cause(ctx))
	}
}

func (q *Queue) examine(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	err := q.work(ctx, func(ctx context.Context, tx tx) error {
		return q.db.exec(ctx, tx, "INSERT INTO causal_pulse (id, beats) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET beats = causal_pulse.beats + 1")
	})
	if err != nil {
		return fmt.Errorf("write to the database: %w", err)
	}
	h := &q.health
	h.mu.Lock()
	failed, problem, started, damage := h.failed, h.problem, h.started, h.damage
	h.mu.Unlock()
	if damage != nil {
		return fmt.Errorf("the database is damaged, restore a copy of it: %w", damage)
	}
	if failed >= ill {
		return fmt.Errorf("the last %d jobs and deliveries could not be written: %w", failed, problem)
	}
	if started.IsZero() || time.Since(started) < electing || q.isStopping() {
		return nil
	}
	var leaders int
	if err := q.db.reader.QueryRowContext(ctx, q.db.q("SELECT count(*) FROM river_leader WHERE expires_at > {riverNow}")).Scan(&leaders); err != nil {
		return fmt.Errorf("look who leads: %w", err)
	}
	if leaders == 0 {
		return errors.New("no replica is elected to look after jobs that wait")
	}
	return nil
}
