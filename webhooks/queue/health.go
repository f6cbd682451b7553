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
	// inspecting is the time between two looks at all of the database, and the multiple of what the last one took: it costs a
	// hundredth of a processor at most.
	inspecting      = time.Minute
	inspectingShare = 100
)

// health is what is known of the database from using it.
type health struct {
	mu      sync.Mutex
	failed  int   // transactions in a row
	problem error // of the last of them
	damage  error // what the last look at all of the database found
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

// inspect looks again and again at all of the database, until ctx ends. What is damaged and not used now would be found by a run
// or a delivery sooner or later; what River cannot read it only logs, and works no job.
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
// does not fail time after time, nothing in it is damaged, and River elects a leader. One question at a time is asked, however many want to know.
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
