package queue

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"
)

// end records the end of a run, even if its context is cancelled, and returns the result for River.
func (q *Queue) end(ctx context.Context, r *running, job *river.Job[laneArgs], o Outcome, failure error) error {
	state := judge(failure, r.job, q.isStopping() && ctx.Err() != nil)
	if state == Waiting && !r.asked.IsZero() && q.options.Now().Sub(r.asked) > q.options.Keep {
		state = Dead // parked for longer than the retention
	}
	after := q.until(state, r.job, failure)
	row := r.row(q.options.Now(), state, o, failure)
	due := time.Now().Add(after)
	own, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	err := q.work(own, func(inner context.Context, tx tx) error {
		if err := q.settle(inner, tx, r, row, due); err != nil || !state.final() {
			return err
		}
		if err := tx.complete(own, job); err != nil {
			return fmt.Errorf("end job %d: %w", job.ID, err)
		}
		return q.next(inner, tx, r, row)
	})
	switch {
	case errors.Is(err, errLost):
		return river.JobSnooze(0)
	case err != nil:
		q.options.Logger.ErrorContext(ctx, "the end of a run could not be written", "err", err)
		return river.JobSnooze(elsewhere)
	}
	q.options.Finished(row)
	if r.renewed { // new requests do not wait
		after = 0
	}
	if state.final() {
		return nil
	}
	return river.JobSnooze(after)
}

func (q *Queue) until(state State, job Job, failure error) time.Duration {
	later, ok := errors.AsType[*ClassedError](failure)
	switch {
	case state == Failed:
		return min(q.options.Backoff(job.Attempt, q.options.Random()), longestWait)
	case !ok || state != Waiting:
		return 0
	case later.Class == Parked:
		return parkedFor
	}
	return later.after
}

func (q *Queue) settle(ctx context.Context, tx tx, r *running, row RunRow, due time.Time) error {
	key := r.job.Key()
	var run, wanted sql.NullInt64
	err := tx.QueryRowContext(ctx, q.db.q("SELECT run_id, wanted FROM causal_lanes WHERE lane = $1 {lock}"), key).Scan(&run, &wanted)
	if err != nil {
		return fmt.Errorf("lock lane %s: %w", key, err)
	}
	if run.Int64 != r.job.Run {
		return errLost
	}
	if err := q.endRun(ctx, tx, row); err != nil {
		return err
	}
	if row.State.final() {
		return q.account(ctx, tx, r, row)
	}
	at := due.UnixMilli()
	if r.renewed = wanted.Int64 > r.seen; r.renewed {
		at = 0
	}
	err = q.db.exec(ctx, tx, "UPDATE causal_lanes SET holder = '', due = $2, parked = $3, failed = failed + CASE WHEN $4 THEN 1 ELSE 0 END WHERE lane = $1",
		key, at, row.Class == Parked, row.State == Failed)
	if err != nil {
		return fmt.Errorf("let go of lane %s: %w", key, err)
	}
	return q.passOn(ctx, tx, r.job.Subject)
}

func (q *Queue) account(ctx context.Context, tx tx, r *running, row RunRow) error {
	if row.State == Done || fates[row.Class].moot {
		if err := q.remember(ctx, tx, r.job.Key(), cmp.Or(row.Reached, row.Head)); err != nil {
			return err
		}
	}
	if row.State == Done {
		return q.fulfil(ctx, tx, r, row.Conclusion)
	}
	err := q.db.exec(ctx, tx, `UPDATE causal_deliveries SET state = $3 WHERE state = $4 AND guid IN
		(SELECT guid FROM causal_wants WHERE lane = $1 AND generation <= $2)`, r.job.Key(), r.seen, deliveryFailed, deliveryQueued)
	if err != nil {
		return fmt.Errorf("mark deliveries as failed: %w", err)
	}
	return nil
}

// fulfil marks deliveries as done whose other lanes are done. Runs of two lanes may end at the same time, so the
// deliveries are locked in a separate statement to see each other's changes.
func (q *Queue) fulfil(ctx context.Context, tx tx, r *running, conclusion string) error {
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

func (q *Queue) next(ctx context.Context, tx tx, r *running, row RunRow) error {
	key := r.job.Key()
	var wanted int64
	var mended string
	if err := tx.QueryRowContext(ctx, q.db.q("SELECT wanted, mended FROM causal_lanes WHERE lane = $1"), key).Scan(&wanted, &mended); err != nil {
		return fmt.Errorf("look what lane %s is wanted for: %w", key, err)
	}
	if row.Blocked != "" && slices.Contains(strings.Fields(mended), row.Blocked) {
		wanted++
		err := q.db.exec(ctx, tx, "INSERT INTO causal_wants (lane, generation, guid, cause) VALUES ($1, $2, '', 'mended')", key, wanted)
		if err != nil {
			return fmt.Errorf("want lane %s again: %w", key, err)
		}
	}
	var job, since, dead any
	if wanted > r.seen {
		jobs, err := q.insertJobs(ctx, tx, map[string]river.InsertOpts{key: {Priority: priority(r.job.class())}})
		if err != nil {
			return err
		}
		job, since = jobs[key], r.started.UnixMilli()
	}
	if row.State == Dead {
		dead = r.job.Run
	}
	err := q.db.exec(ctx, tx, `UPDATE causal_lanes SET wanted = $8, served = $2, job_id = $3, dead_id = $4, since = $5, changed = $6,
		holder = '', run_id = NULL, due = 0, parked = FALSE, failed = 0, blocked = $7, mended = '' WHERE lane = $1`,
		key, r.seen, job, dead, since, row.Ended.UnixMilli(), row.Blocked, wanted)
	if err != nil {
		return fmt.Errorf("let go of lane %s: %w", key, err)
	}
	return q.passOn(ctx, tx, r.job.Subject)
}
