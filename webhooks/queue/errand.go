package queue

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// errand is what a worker wants done in a transaction that it shares with others. It may be run again after a transaction
// that failed, so that it must leave nothing behind but what it writes there, and it must not wait for the door, which
// waits for it.
type errand struct {
	ctx  context.Context // of who waits for it
	run  func(ctx context.Context, tx tx) error
	err  error
	done chan error
}

// work runs f in a transaction. The context that f is given is not ctx where the transaction is shared: SQLite takes all of
// it back when a statement is interrupted.
func (q *Queue) work(ctx context.Context, f func(ctx context.Context, tx tx) error) error {
	if !q.db.alone {
		return q.db.tx(ctx, func(tx tx) error { return f(ctx, tx) })
	}
	e := &errand{ctx: ctx, run: f, done: make(chan error, 1)}
	select {
	case q.door.errands <- e:
		// However ctx or the queue end now, f may be running, and what it writes to is the caller's.
		return <-e.done
	case <-q.door.closed:
		return ErrClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ride runs the errand. Its own failure takes back what it has written, and nothing else; the error that is returned is one
// of the transaction.
func (e *errand) ride(ctx context.Context, tx tx) error {
	if e.err = context.Cause(e.ctx); e.err != nil {
		return nil
	}
	if _, err := tx.ExecContext(ctx, "SAVEPOINT errand"); err != nil {
		return fmt.Errorf("begin an errand: %w", err)
	}
	if e.err = e.try(ctx, tx); e.err != nil {
		if _, err := tx.ExecContext(ctx, "ROLLBACK TO errand"); err != nil {
			return fmt.Errorf("take back an errand: %w", errors.Join(e.err, err))
		}
	}
	if _, err := tx.ExecContext(ctx, "RELEASE errand"); err != nil {
		return fmt.Errorf("end an errand: %w", err)
	}
	return nil
}

// try turns a panic into a failure: it is not the door's.
func (e *errand) try(ctx context.Context, tx tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p, debug.Stack())
		}
	}()
	return e.run(ctx, tx)
}
