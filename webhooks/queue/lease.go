package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"
)

// keep renews the leases of this replica and looks after lanes that others left, until ctx ends.
func (q *Queue) keep(ctx context.Context) {
	beat := time.NewTicker(q.options.Lease / 3)
	defer beat.Stop()
	var pruned time.Time
	for heard := time.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
		}
		switch err := q.renew(ctx); {
		case err == nil:
			heard = time.Now()
		case time.Since(heard) > q.options.Lease:
			// Others may have taken over by now. Whatever runs here must not go on in the belief that it is alone.
			q.lose(func(*running) bool { return true })
			q.report(ctx, "the leases could not be renewed", err)
		}
		q.report(ctx, "the sweep failed", q.sweep(ctx, false))
		if time.Since(pruned) > time.Hour {
			pruned = time.Now()
			q.report(ctx, "old rows could not be removed", q.prune(ctx))
		}
	}
}

func (q *Queue) report(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		q.options.Logger.ErrorContext(ctx, what, "err", err)
	}
}

// renew keeps the leases of this replica, and ends the runs whose lane is another's.
func (q *Queue) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, q.options.Lease)
	defer cancel()
	// Only runs that were there before the question is put can be missing from the answer.
	q.mu.Lock()
	suspects := make(map[int64]bool, len(q.active))
	for id := range q.active {
		suspects[id] = true
	}
	q.mu.Unlock()
	rows, err := q.db.db.QueryContext(ctx, q.db.q("UPDATE causal_lanes SET lease_until = {now} + $2 WHERE holder = $1 RETURNING job_id"),
		q.id, q.options.Lease.Milliseconds())
	if err != nil {
		return fmt.Errorf("renew leases: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var job sql.NullInt64
		if err := rows.Scan(&job); err != nil {
			return fmt.Errorf("renew leases: %w", err)
		}
		delete(suspects, job.Int64)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("renew leases: %w", err)
	}
	q.lose(func(r *running) bool { return suspects[r.job.ID] })
	return nil
}

func (q *Queue) lose(which func(*running) bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range q.active {
		if which(r) {
			r.cancel(errLost)
		}
	}
}

// forsaken are the lanes that wait for something that will not happen: their job is gone or ended otherwise than here,
// its worker was not heard of for the length of a lease, or they are wanted and have no job. The last cannot be; should
// it ever, nothing that was asked for is lost.
const forsaken = `
	FROM causal_lanes l LEFT JOIN river_job j ON j.id = l.job_id
	WHERE (l.job_id IS NULL AND l.wanted > l.served OR l.job_id IS NOT NULL AND (
		j.id IS NULL OR j.state IN ('completed', 'cancelled', 'discarded')
		OR j.state = 'running' AND (l.lease_until < {now} AND {attempted} < {now} - $1 OR $2)))`

// sweep gives forsaken lanes a new job. When all is set, no worker is alive, and what is running is forsaken too.
func (q *Queue) sweep(ctx context.Context, all bool) error {
	lanes, err := q.forsaken(ctx, all)
	if err != nil {
		return fmt.Errorf("look for lanes without a worker: %w", err)
	}
	for _, lane := range lanes {
		err := q.work(ctx, func(ctx context.Context, tx *sql.Tx) error { return q.takeUp(ctx, tx, lane, all) })
		if err != nil {
			return fmt.Errorf("take up lane %s: %w", lane, err)
		}
	}
	return nil
}

func (q *Queue) forsaken(ctx context.Context, all bool) ([]string, error) {
	rows, err := q.db.reader.QueryContext(ctx, q.db.q("SELECT l.lane"+forsaken+" ORDER BY l.lane"), q.options.Lease.Milliseconds(), all)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var lanes []string
	for rows.Next() {
		var lane string
		if err := rows.Scan(&lane); err != nil {
			return nil, err
		}
		lanes = append(lanes, lane)
	}
	return lanes, rows.Err()
}

// takeUp replaces the job of a forsaken lane. The lane is locked in a statement of its own before it is looked at: a
// row that is locked and read in one may be read as it was before the lock.
func (q *Queue) takeUp(ctx context.Context, tx *sql.Tx, lane string, all bool) error {
	if err := q.lock(ctx, tx, lane); err != nil {
		return err
	}
	var old, attempt sql.NullInt64
	var state sql.NullString
	err := tx.QueryRowContext(ctx, q.db.q("SELECT j.id, j.attempt, CAST(j.state AS TEXT)"+forsaken+" AND l.lane = $3"),
		q.options.Lease.Milliseconds(), all, lane).Scan(&old, &attempt, &state)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // another replica was faster
	}
	if err != nil {
		return err
	}
	if state.String == string(rivertype.JobStateRunning) {
		data, err := attemptError(int(attempt.Int64), interrupted)
		if err != nil {
			return err
		}
		if err := q.setState(ctx, tx, riverdriver.JobSetStateCancelled(old.Int64, time.Now().UTC(), data, nil)); err != nil {
			return err
		}
	}
	if err := q.loseRuns(ctx, tx, lane); err != nil {
		return err
	}
	// It is never dead for that: what was interrupted has not failed. A job that takes its server down with it is slowed
	// down instead.
	next := successor{lane: lane, attempt: min(int(attempt.Int64), q.options.Attempts-1), last: interrupted}
	if attempt.Int64 > 2 {
		next.after = q.options.Backoff(int(attempt.Int64)-2, q.options.Random())
	}
	return q.succeed(ctx, tx, next)
}

// interrupted is the error of an attempt whose end nobody wrote.
const interrupted = "its worker was not heard of any more"

func (q *Queue) lock(ctx context.Context, tx *sql.Tx, lane string) error {
	var wanted int64
	err := tx.QueryRowContext(ctx, q.db.q("SELECT wanted FROM causal_lanes WHERE lane = $1 {lock}"), lane).Scan(&wanted)
	if err != nil {
		return fmt.Errorf("lock lane %s: %w", lane, err)
	}
	return nil
}

// loseRuns ends the runs of a lane that nobody ended.
func (q *Queue) loseRuns(ctx context.Context, tx *sql.Tx, lane string) error {
	return q.db.exec(ctx, tx, "UPDATE causal_runs SET state = $2, ended = $3 WHERE lane = $1 AND state = $4",
		lane, Lost, q.options.Now().UnixMilli(), Running)
}

// prune removes what ended long ago.
func (q *Queue) prune(ctx context.Context) error {
	horizon := q.options.Now().Add(-q.options.Keep).UnixMilli()
	return q.work(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, statement := range []string{
			"DELETE FROM causal_runs WHERE ended < $1",
			"DELETE FROM causal_deliveries WHERE received < $1 AND state IN ('done', 'noted')",
			`DELETE FROM causal_lanes WHERE changed < $1 AND job_id IS NULL AND dead_id IS NULL AND wanted = served`,
		} {
			if err := q.db.exec(ctx, tx, statement, horizon); err != nil {
				return err
			}
		}
		return nil
	})
}
