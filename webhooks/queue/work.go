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

// running is a run of this replica.
type running struct {
	job     Job
	started time.Time
	renewed bool      // more was asked for when it ended
	asked   time.Time // for the first time since the last run that ended
	seen    int64     // the wanted of its lane when it started
	cancel  context.CancelCauseFunc
}

// worker is what River calls.
type worker struct {
	river.WorkerDefaults[laneArgs]

	q *Queue
}

// turnAfter is how long a job is put off whose turn it is not, by how long it has been there. The end of the run that it waits
// for takes it up at once; this is for when that goes amiss, and the more wait the less often each of them may ask.
func turnAfter(waited time.Duration) time.Duration {
	return min(max(waited/2, 200*time.Millisecond), 30*time.Second)
}

// elsewhere is how long a job is put off whose lane cannot be worked now.
const elsewhere = 2 * time.Second

// work runs f in a transaction of its own.
func (q *Queue) work(ctx context.Context, f func(ctx context.Context, tx tx) error) error {
	select {
	case <-q.door.closed:
		return ErrClosed
	default:
		return q.db.tx(ctx, func(tx tx) error { return f(ctx, tx) })
	}
}

// Work does one attempt. What ends the work of a lane is written with the end of its River job in one transaction. River
// writes down the rest, which only says when the job is tried again; if the process is killed before, look does that.
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
		return nil // it is not the lane's any more
	}
	defer q.leave(r)
	go watch(ctx, gone, cancel)
	ctx = logctx.With(ctx,
		slog.String("repository", r.job.Owner+"/"+r.job.Name), slog.String("lane", r.job.Key()),
		slog.Int64("run", r.job.Run), slog.Any("deliveries", r.job.Deliveries()))
	outcome, err := q.attempt(ctx, r.job)
	if errors.Is(context.Cause(ctx), errLost) {
		return river.JobSnooze(0) // the lane may be another's: nothing may be written
	}
	return q.end(ctx, r, job, outcome, err)
}

// watch ends a run when others must take this replica for dead.
func watch(ctx context.Context, gone <-chan struct{}, cancel context.CancelCauseFunc) {
	select {
	case <-gone:
		cancel(errLost)
	case <-ctx.Done():
	}
}

// attempt calls the handler. A panic is a failure.
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

// Timeout is how long a run may take.
func (w *worker) Timeout(*river.Job[laneArgs]) time.Duration { return w.q.options.Timeout }

// enter notes a run of this replica; false when work for forks has all the workers that it may have.
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

// worked reports whether the replica that holds a lane works on it. River gives a lane to one worker at a time, but a
// worker that was given up wrongly, and one that is slow to end, may still be at it.
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
