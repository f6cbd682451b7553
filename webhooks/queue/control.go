package queue

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// handOver is what Stop leaves to runs that were cancelled, to say how far they got.
const handOver = 5 * time.Second

// Start lets h work on jobs until [Queue.Stop]. A queue is started once. The end of ctx does not stop it, so that the signal
// which ends a server leaves room for an orderly stop; its values reach h.
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

// endLooking ends what looks at the database from time to time, and waits for it: it may have the file open.
func (q *Queue) endLooking() {
	q.mu.Lock()
	if q.rest != nil {
		q.rest()
	}
	q.mu.Unlock()
	q.looking.Wait()
}

// begin notes that the queue is started, unless it was before.
func (q *Queue) begin(h Handler) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.handler != nil || q.stopping || q.closed {
		return false
	}
	q.handler = h
	return true
}

// Stop takes no new job and waits for the present runs until ctx ends. Then it cancels them and hands their jobs back, to be
// done by another replica or after the next start. Deliveries can be accepted until [Queue.Close].
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

// abandon lets the goroutines of an engine end that has no database any more.
func abandon(e engine) {
	ctx, cancel := context.WithTimeout(context.Background(), handOver)
	go func() {
		defer cancel()
		_ = e.StopAndCancel(ctx)
	}()
}

// Restart puts a dead job back into the queue, under a new number and with all its attempts, and has one that waits tried at
// once. It goes by [JobRow.Run]: the numbers of jobs that wait are River's, and say nothing of whose they are to who knows a run.
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

// ErrNotDead is the answer to restarting a job that neither is dead nor waits: it may have been restarted, or a later run has done its
// work.
var ErrNotDead = errors.New("there is no such dead job")
