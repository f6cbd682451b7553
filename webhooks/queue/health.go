package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	// ill is how many transactions in a row may fail before the queue does not count as working.
	ill = 3
	// electing is how long after its start a queue may be without a leader.
	electing = time.Minute
)

// health is what is known of the database from using it.
type health struct {
	mu      sync.Mutex
	failed  int   // transactions in a row
	problem error // of the last of them
	started time.Time
	asking  *asked // the question that is open; nil when none is
}

// asked is a question that may be answered late, and for many.
type asked struct {
	done chan struct{}
	err  error
}

// note remembers how a transaction ended.
func (h *health) note(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.problem = err; err == nil {
		h.failed = 0
		return
	}
	h.failed++
}

// claimed notes how a claim ended. That a lane is another's is no failure of the database.
func (q *Queue) claimed(ctx context.Context, err error) {
	if errors.Is(err, errWorked) || errors.Is(err, errBusy) {
		err = nil
	}
	if err == nil || ctx.Err() == nil && !errors.Is(err, ErrClosed) {
		q.health.note(err)
	}
}

// Ping reports whether the database does what the queue needs of it: it is written to as by a delivery, what runs write there
// does not fail time after time, and River elects a leader. One question at a time is asked, however many want to know.
func (q *Queue) Ping(ctx context.Context) error {
	h := &q.health
	h.mu.Lock()
	a := h.asking
	if a == nil {
		a = &asked{done: make(chan struct{})}
		h.asking = a
		go func() {
			a.err = q.examine(context.WithoutCancel(ctx))
			h.mu.Lock()
			h.asking = nil
			h.mu.Unlock()
			close(a.done)
		}()
	}
	h.mu.Unlock()
	select {
	case <-a.done:
		return a.err
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
	failed, problem, started := h.failed, h.problem, h.started
	h.mu.Unlock()
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
