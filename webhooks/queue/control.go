package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/riverqueue/river"
)

const (
	fetchCooldown = 20 * time.Millisecond
	// never switches off what River does to jobs by their age. Its rescue would give a job to a second worker under the
	// same id; here the lease says who is alive, and the id is the fence.
	never = time.Duration(math.MaxInt64 / 4)
	// handOver is what Stop leaves to runs that were cancelled, to say how far they got.
	handOver = 5 * time.Second
)

// Start lets h work on jobs until [Queue.Stop]. A queue is started once. The end of ctx does not stop it, so that the signal
// which ends a server leaves room for an orderly stop; its values reach h.
func (q *Queue) Start(ctx context.Context, h Handler) error {
	ctx = context.WithoutCancel(ctx)
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{q: q, handler: h})
	e, err := q.db.start(&river.Config{
		DiscardedJobRetentionPeriod: never, // dead jobs stay until a run of their lane succeeds; on SQLite, River takes -1 for "at once"
		CancelledJobRetentionPeriod: time.Hour,
		CompletedJobRetentionPeriod: time.Hour, // runs have a table of their own
		FetchCooldown:               min(fetchCooldown, q.options.Poll),
		FetchPollInterval:           q.options.Poll,
		JobTimeout:                  -1, // attempt has one
		Logger:                      slog.New(quiet{q.options.Logger.Handler()}),
		MaxAttempts:                 q.options.Attempts,
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: q.options.Workers}},
		RescueStuckJobsAfter:        never,
		Workers:                     workers,
	})
	if err != nil {
		return fmt.Errorf("start queue: %w", err)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.engine != nil || q.stopping || q.closed {
		return errors.New("start queue: it was started before")
	}
	if err := q.sweep(ctx, q.db.alone); err != nil {
		return fmt.Errorf("start queue: %w", err)
	}
	if err := e.Start(ctx); err != nil {
		return fmt.Errorf("start queue: %w", err)
	}
	keeping, stop := context.WithCancel(ctx)
	q.engine, q.stop = e, stop
	q.loop.Go(func() { q.keep(keeping) })
	return nil
}

// Stop takes no new job and waits for the present runs until ctx ends. Then it cancels them and hands their jobs back, to be
// done by another replica or after the next start. Deliveries can be accepted until [Queue.Close].
func (q *Queue) Stop(ctx context.Context) error {
	q.mu.Lock()
	q.stopping = true
	e := q.engine
	q.mu.Unlock()
	if e == nil {
		return nil
	}
	err := e.Stop(ctx)
	if err != nil {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), handOver)
		defer cancel()
		err = e.StopAndCancel(last)
	}
	q.stop()
	q.loop.Wait()
	if err != nil {
		return fmt.Errorf("stop queue: some runs did not end when they were told to; their lanes are taken up when the lease is over: %w", err)
	}
	return nil
}

// abandon lets the goroutines of an engine end that has no database any more.
func abandon(e engine) {
	ctx, cancel := context.WithTimeout(context.Background(), handOver)
	go func() {
		defer cancel()
		_ = e.StopAndCancel(ctx)
	}()
}

// Restart puts a dead job back into the queue, under a new number and with all its attempts.
func (q *Queue) Restart(ctx context.Context, jobID int64) error {
	var s Subject
	err := q.db.reader.QueryRowContext(ctx, q.db.q(`
		SELECT installation, repository, owner, name, ref, pull FROM causal_lanes WHERE dead_id = $1`), jobID).
		Scan(&s.Installation, &s.Repository, &s.Owner, &s.Name, &s.Ref, &s.Pull)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("restart job %d: %w", jobID, ErrNotDead)
	}
	if err != nil {
		return fmt.Errorf("restart job %d: %w", jobID, err)
	}
	if err := q.Ask(ctx, "restart", s); err != nil {
		return fmt.Errorf("restart job %d: %w", jobID, err)
	}
	return nil
}

// ErrNotDead is the answer to restarting a job that is not dead: it may have been restarted, or a later run has done its
// work.
var ErrNotDead = errors.New("there is no such dead job")

// quiet turns down River, which reports every failed attempt; runs are reported by this package.
type quiet struct{ slog.Handler }

// Enabled lets warnings and errors through.
func (h quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}
