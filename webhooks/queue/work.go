package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"

	"github.com/causaldocs/causal/webhooks/logctx"
)

// running is a run of this replica.
type running struct {
	job     Job
	started time.Time
	seen    int64 // the wanted of its lane when it started
	cancel  context.CancelCauseFunc
}

// worker is what River calls.
type worker struct {
	river.WorkerDefaults[laneArgs]

	q       *Queue
	handler Handler
}

// Work does one attempt. It always tells River that the job is done: settle has written how it ended, in one transaction
// with everything that follows from that, the next attempt included. When even that could not be written, the lane
// names a job that ended without a successor, which is what the sweep looks for.
func (w *worker) Work(ctx context.Context, job *river.Job[laneArgs]) error {
	q := w.q
	r, err := q.claim(ctx, job)
	if err != nil {
		q.report(ctx, "a job could not be claimed", fmt.Errorf("claim lane %s: %w", job.Args.Lane, err))
		return nil
	}
	if r == nil {
		return nil // another job has taken over
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.cancel = cancel
	q.enter(r)
	defer q.leave(r)
	ctx = logctx.With(ctx,
		slog.String("repository", r.job.Owner+"/"+r.job.Name), slog.String("lane", r.job.Key()),
		slog.Int64("run", r.job.Run), slog.Any("deliveries", r.job.Deliveries))
	outcome, err := q.attempt(ctx, w.handler, r.job)
	if errors.Is(context.Cause(ctx), errLost) {
		return nil // the lane is another's: nothing may be written
	}
	state := judge(err, r.job, q.isStopping() && ctx.Err() != nil)
	if err := q.end(ctx, r, state, outcome, err); err != nil {
		q.options.Logger.ErrorContext(ctx, "the end of a run could not be written", "err", err)
	}
	return nil
}

// attempt calls the handler, for as long as a run may take. A panic is a failure.
func (q *Queue) attempt(ctx context.Context, h Handler, job Job) (o Outcome, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, q.options.Timeout, errTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	o, err = h.Handle(ctx, job)
	if err != nil && errors.Is(context.Cause(ctx), errTimeout) {
		err = fmt.Errorf("%w (%s): %w", errTimeout, q.options.Timeout, err)
	}
	return o, err
}

func (q *Queue) enter(r *running) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.active[r.job.ID] = r
	if q.closed {
		r.cancel(ErrClosed)
	}
}

func (q *Queue) leave(r *running) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.active[r.job.ID] == r {
		delete(q.active, r.job.ID)
	}
}

func (q *Queue) isStopping() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.stopping
}

// claim takes the lease on the job's lane and records the run. It returns nil when the job is not the lane's any more.
func (q *Queue) claim(ctx context.Context, job *river.Job[laneArgs]) (*running, error) {
	var r *running
	err := q.work(ctx, func(ctx context.Context, tx *sql.Tx) error {
		r = &running{job: Job{ID: job.ID, Attempt: job.Attempt, Attempts: q.options.Attempts}, started: q.options.Now()}
		var live sql.NullInt64
		s := &r.job.Subject
		err := tx.QueryRowContext(ctx, q.db.q(`
			SELECT wanted, job_id, installation, repository, owner, name, ref, pull FROM causal_lanes WHERE lane = $1 {lock}`),
			job.Args.Lane).Scan(&r.seen, &live, &s.Installation, &s.Repository, &s.Owner, &s.Name, &s.Ref, &s.Pull)
		if errors.Is(err, sql.ErrNoRows) || err == nil && live.Int64 != job.ID {
			r = nil
			return nil
		}
		if err != nil {
			return err
		}
		err = q.db.exec(ctx, tx, "UPDATE causal_lanes SET seen = $2, holder = $3, lease_until = {now} + $4 WHERE lane = $1",
			job.Args.Lane, r.seen, q.id, q.options.Lease.Milliseconds())
		if err != nil {
			return err
		}
		if err := q.loseRuns(ctx, tx, job.Args.Lane); err != nil {
			return err
		}
		if err := q.readWants(ctx, tx, &r.job); err != nil {
			return err
		}
		return q.beginRun(ctx, tx, r)
	})
	return r, err
}

// mostDeliveries bounds what a job says of who asked for it.
const mostDeliveries = 20

func (q *Queue) readWants(ctx context.Context, tx *sql.Tx, job *Job) error {
	rows, err := tx.QueryContext(ctx, q.db.q("SELECT guid, cause FROM causal_wants WHERE lane = $1 ORDER BY generation LIMIT $2"),
		job.Key(), 10*mostDeliveries)
	if err != nil {
		return fmt.Errorf("read what asks for lane %s: %w", job.Key(), err)
	}
	defer rows.Close()
	for rows.Next() {
		var guid, cause string
		if err := rows.Scan(&guid, &cause); err != nil {
			return fmt.Errorf("read what asks for lane %s: %w", job.Key(), err)
		}
		if guid != "" && len(job.Deliveries) < mostDeliveries {
			job.Deliveries = append(job.Deliveries, guid)
		}
		if len(job.Causes) < mostDeliveries {
			job.Causes = append(job.Causes, Cause{cause, guid})
		}
	}
	return rows.Err()
}

func (q *Queue) beginRun(ctx context.Context, tx *sql.Tx, r *running) error {
	deliveries, err := json.Marshal(r.job.Deliveries)
	if err != nil {
		return fmt.Errorf("encode deliveries: %w", err)
	}
	causes, err := json.Marshal(r.job.Causes)
	if err != nil {
		return fmt.Errorf("encode causes: %w", err)
	}
	s := r.job.Subject
	err = tx.QueryRowContext(ctx, q.db.q(`
		INSERT INTO causal_runs (lane, job_id, attempt, installation, repository, owner, name, ref, pull, deliveries, causes, started, state)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id`),
		s.Key(), r.job.ID, r.job.Attempt, s.Installation, s.Repository, s.Owner, s.Name, s.Ref, s.Pull,
		string(deliveries), string(causes), r.started.UnixMilli(), Running).Scan(&r.job.Run)
	if err != nil {
		return fmt.Errorf("record the run: %w", err)
	}
	return nil
}

// end writes how a run ended, whatever became of its context.
func (q *Queue) end(ctx context.Context, r *running, state State, o Outcome, failure error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	row := r.row(q.options.Now(), state, o, failure)
	err := q.work(ctx, func(ctx context.Context, tx *sql.Tx) error { return q.settle(ctx, tx, r, row, failure) })
	if errors.Is(err, errLost) {
		return nil
	}
	if err == nil {
		q.options.Finished(row)
	}
	return err
}

// settle is the transaction that ends a run. It fails with errLost when the lane is not this run's any more.
func (q *Queue) settle(ctx context.Context, tx *sql.Tx, r *running, row RunRow, failure error) error {
	key := r.job.Key()
	var wanted int64
	var live, dead sql.NullInt64
	var holder string
	err := tx.QueryRowContext(ctx, q.db.q("SELECT wanted, job_id, dead_id, holder FROM causal_lanes WHERE lane = $1 {lock}"), key).
		Scan(&wanted, &live, &dead, &holder)
	if err != nil {
		return fmt.Errorf("lock lane %s: %w", key, err)
	}
	if live.Int64 != r.job.ID || holder != q.id {
		return errLost
	}
	if err := q.endRun(ctx, tx, row); err != nil {
		return err
	}
	if dead.Valid && row.State.final() {
		// The last dead job of the lane makes way: this run has done its work, or died with it.
		if err := q.buryJob(ctx, tx, dead.Int64); err != nil {
			return err
		}
	}
	if err := q.endJob(ctx, tx, r, row); err != nil {
		return err
	}
	if !row.State.final() {
		return q.retry(ctx, tx, r, row, failure)
	}
	if err := q.account(ctx, tx, r, row); err != nil {
		return err
	}
	return q.next(ctx, tx, r, row, wanted)
}

// endJob ends the River job: dead ones stay for everybody to see.
func (q *Queue) endJob(ctx context.Context, tx *sql.Tx, r *running, row RunRow) error {
	now := time.Now().UTC()
	if row.State != Dead {
		return q.setState(ctx, tx, riverdriver.JobSetStateCompleted(r.job.ID, now, nil))
	}
	data, err := attemptError(r.job.Attempt, row.Error)
	if err != nil {
		return err
	}
	return q.setState(ctx, tx, riverdriver.JobSetStateDiscarded(r.job.ID, now, data, nil))
}

// retry leaves the lane with a job for the next attempt.
func (q *Queue) retry(ctx context.Context, tx *sql.Tx, r *running, row RunRow, failure error) error {
	next := successor{lane: r.job.Key(), attempt: r.job.Attempt, last: row.Error}
	var later *laterError
	switch {
	case row.State == Failed:
		next.after = q.options.Backoff(r.job.Attempt, q.options.Random())
	case errors.As(failure, &later):
		next.after = later.after
		fallthrough
	default:
		next.attempt-- // it was no failure
	}
	return q.succeed(ctx, tx, next)
}

// account says of the deliveries that the run has served what became of them.
func (q *Queue) account(ctx context.Context, tx *sql.Tx, r *running, row RunRow) error {
	if row.State == Done {
		if err := q.remember(ctx, tx, r.job.Key(), row.Head); err != nil {
			return err
		}
		return q.fulfil(ctx, tx, r, row.Conclusion)
	}
	err := q.db.exec(ctx, tx, `UPDATE causal_deliveries SET state = $3 WHERE state = $4 AND guid IN
		(SELECT guid FROM causal_wants WHERE lane = $1 AND generation <= $2)`, r.job.Key(), r.seen, deliveryFailed, deliveryQueued)
	if err != nil {
		return fmt.Errorf("mark deliveries as failed: %w", err)
	}
	return nil
}

// fulfil marks as done the deliveries that wanted nothing but what this run has served. One that wants several lanes is
// done when the last of them is, and runs of two of them may end at the same time: the deliveries are locked in a statement of
// their own, so that the second of them sees what the first has done.
func (q *Queue) fulfil(ctx context.Context, tx *sql.Tx, r *running, conclusion string) error {
	const served = "SELECT guid FROM causal_wants WHERE lane = $1 AND generation <= $2"
	key := r.job.Key()
	err := q.db.exec(ctx, tx, "SELECT guid FROM causal_deliveries WHERE guid IN ("+served+") ORDER BY guid {lock}", key, r.seen)
	if err != nil {
		return fmt.Errorf("lock deliveries: %w", err)
	}
	err = q.db.exec(ctx, tx, "UPDATE causal_deliveries SET state = $3, outcome = $4 WHERE guid IN ("+served+`) AND NOT EXISTS
		(SELECT 1 FROM causal_wants w WHERE w.guid = causal_deliveries.guid AND w.lane <> $1)`, key, r.seen, deliveryDone, conclusion)
	if err != nil {
		return fmt.Errorf("mark deliveries as done: %w", err)
	}
	err = q.db.exec(ctx, tx, "DELETE FROM causal_wants WHERE lane = $1 AND generation <= $2", key, r.seen)
	if err != nil {
		return fmt.Errorf("forget what lane %s was wanted for: %w", key, err)
	}
	return nil
}

// next leaves the lane idle, or with the next job when more is wanted than the run saw.
func (q *Queue) next(ctx context.Context, tx *sql.Tx, r *running, row RunRow, wanted int64) error {
	key := r.job.Key()
	var job, since, dead any
	if wanted > r.seen {
		jobs, err := q.insertJobs(ctx, tx, []string{key})
		if err != nil {
			return err
		}
		job, since = jobs[key], r.started.UnixMilli()
	}
	if row.State == Dead {
		dead = r.job.ID
	}
	err := q.db.exec(ctx, tx, `UPDATE causal_lanes SET served = $2, job_id = $3, dead_id = $4, since = $5, changed = $6,
		holder = '', lease_until = 0, due = 0 WHERE lane = $1`, key, r.seen, job, dead, since, row.Ended.UnixMilli())
	if err != nil {
		return fmt.Errorf("let go of lane %s: %w", key, err)
	}
	return nil
}
