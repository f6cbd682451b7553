package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"

	"github.com/causaldocs/causal/webhooks/logctx"
)

type running struct {
	job     Job
	started time.Time
	renewed bool      // there were new requests when it ended
	asked   time.Time // first request since the last finished run
	seen    int64     // the lane's wanted at the start
	cancel  context.CancelCauseFunc
}

type worker struct {
	river.WorkerDefaults[laneArgs]

	q *Queue
}

// turnAfter is the delay of a job whose turn is taken, by its age. The end of the other run normally wakes it; this is
// the fallback, longer for old jobs to limit the load.
func turnAfter(waited time.Duration) time.Duration {
	return min(max(waited/2, 200*time.Millisecond), 30*time.Second)
}

const elsewhere = 2 * time.Second

func (q *Queue) work(ctx context.Context, f func(ctx context.Context, tx tx) error) error {
	select {
	case <-q.door.closed:
		return ErrClosed
	default:
		return q.db.tx(ctx, func(tx tx) error { return f(ctx, tx) })
	}
}

// Work does one attempt. The end of a lane's work and of its River job are written in one transaction. River itself
// only writes the time of a retry; if the process is killed before, look makes up for it.
func (w *worker) Work(ctx context.Context, job *river.Job[laneArgs]) error {
	q := w.q
	gone, here := q.db.presence.here()
	if !here {
		return river.JobSnooze(elsewhere)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r, err := q.claim(ctx, job, cancel)
	q.claimed(ctx, err)
	switch {
	case errors.Is(err, errBusy):
		return river.JobSnooze(turnAfter(time.Since(job.CreatedAt)))
	case err != nil:
		if !errors.Is(err, errWorked) && ctx.Err() == nil {
			q.options.Logger.ErrorContext(ctx, "a job could not be claimed", "lane", job.Args.Lane, "err", err)
		}
		return river.JobSnooze(elsewhere)
	case r == nil:
		return nil // no longer the lane's job
	}
	defer q.leave(r)
	go watch(ctx, gone, cancel)
	ctx = logctx.With(ctx,
		slog.String("repository", r.job.Owner+"/"+r.job.Name), slog.String("lane", r.job.Key()),
		slog.Int64("run", r.job.Run), slog.Any("deliveries", r.job.Deliveries()))
	outcome, err := q.attempt(ctx, r.job)
	if errors.Is(context.Cause(ctx), errLost) {
		return river.JobSnooze(0) // the lane may be another replica's: do not write
	}
	return q.end(ctx, r, job, outcome, err)
}

func watch(ctx context.Context, gone <-chan struct{}, cancel context.CancelCauseFunc) {
	select {
	case <-gone:
		cancel(errLost)
	case <-ctx.Done():
	}
}

func (q *Queue) attempt(ctx context.Context, job Job) (o Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p, debug.Stack())
		}
	}()
	o, err = q.handler.Handle(ctx, job)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("%w (%s): %w", errTimeout, q.options.Timeout, err)
	}
	return o, err
}

// Timeout implements river.Worker.
func (w *worker) Timeout(*river.Job[laneArgs]) time.Duration { return w.q.options.Timeout }

func (q *Queue) enter(r *running) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if r.job.Fork != 0 && q.options.Workers > 1 {
		forks := 0
		for _, other := range q.active {
			if other.job.Fork != 0 {
				forks++
			}
		}
		if forks >= q.options.Workers-1 {
			return false
		}
	}
	q.active[r.job.Key()] = r
	if q.closed {
		r.cancel(ErrClosed)
	}
	return true
}

func (q *Queue) leave(r *running) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.active[r.job.Key()] == r {
		delete(q.active, r.job.Key())
	}
}

func (q *Queue) isStopping() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.stopping
}

// worked reports whether the holder of a lane is working on it. A worker that was wrongly considered dead, or is slow
// to end, may still be.
func (q *Queue) worked(ctx context.Context, tx tx, lane, holder string) (bool, error) {
	switch holder {
	case "":
		return false, nil
	case q.db.id:
		q.mu.Lock()
		defer q.mu.Unlock()
		return q.active[lane] != nil, nil
	}
	return q.db.presence.alive(ctx, tx, holder)
}
