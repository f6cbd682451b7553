package queue

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// handOver is the time that Stop gives cancelled runs to record their progress.
const handOver = 5 * time.Second

// Start lets h work on jobs until [Queue.Stop]. A queue can be started only once. The values of ctx reach h, but its
// cancellation does not stop the queue, to allow an orderly stop after a signal.
func (q *Queue) Start(ctx context.Context, h Handler) error {
	ctx = context.WithoutCancel(ctx)
	q.turning.Lock()
	defer q.turning.Unlock()
	if !q.begin(h) {
		return errors.New("start queue: it was started before")
	}
	if err := errors.Join(q.remedy(ctx), q.upkeep(ctx)); err != nil {
		return fmt.Errorf("start queue: %w", err)
	}
	if err := q.db.engine.Start(ctx); err != nil {
		return fmt.Errorf("start queue: %w", err)
	}
	looking, rest := context.WithCancel(ctx)
	q.mu.Lock()
	q.rest = rest
	q.looking.Go(func() { q.look(looking) })
	if q.db.intact != nil {
		q.looking.Go(func() { q.inspect(looking) })
	}
	q.mu.Unlock()
	q.health.mu.Lock()
	q.health.started = time.Now()
	q.health.mu.Unlock()
	return nil
}

// endLooking ends the background checks and waits for them, since they may have the file open.
func (q *Queue) endLooking() {
	q.mu.Lock()
	if q.rest != nil {
		q.rest()
	}
	q.mu.Unlock()
	q.looking.Wait()
}

func (q *Queue) begin(h Handler) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.handler != nil || q.stopping || q.closed {
		return false
	}
	q.handler = h
	return true
}

// Stop takes no new jobs and waits for current runs until ctx ends. Then it cancels them and returns their jobs to the
// queue. Deliveries are accepted until [Queue.Close].
func (q *Queue) Stop(ctx context.Context) error {
	q.turning.Lock()
	defer q.turning.Unlock()
	q.mu.Lock()
	q.stopping = true
	started := q.handler != nil
	q.mu.Unlock()
	q.endLooking()
	if !started {
		return nil
	}
	e := q.db.engine
	err := e.Stop(ctx)
	if err != nil {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), handOver)
		defer cancel()
		err = e.StopAndCancel(last)
	}
	if err != nil {
		return fmt.Errorf("stop queue: some runs did not stop in time; another process continues their lanes after this one exits: %w", err)
	}
	return nil
}

func abandon(e engine) {
	ctx, cancel := context.WithTimeout(context.Background(), handOver)
	go func() {
		defer cancel()
		_ = e.StopAndCancel(ctx)
	}()
}

// Restart requeues a dead job with all its attempts, or retries a waiting one now. It takes a [JobRow.Run]: callers
// know whose a run is, but not whose a River job is.
func (q *Queue) Restart(ctx context.Context, run int64) error {
	found, err := q.subjects(ctx, q.db.reader, "dead_id = $1 OR run_id = $1 AND holder = '' AND due > {now}", run)
	if err == nil && len(found) == 0 {
		err = ErrNotDead
	}
	if err == nil {
		err = q.askAll(ctx, "restart", found)
	}
	if err != nil {
		return fmt.Errorf("restart the job of run %d: %w", run, err)
	}
	return nil
}

// ErrNotDead is returned when restarting a job that is neither dead nor waiting, for example because a later run
// succeeded.
var ErrNotDead = errors.New("there is no such dead job")
