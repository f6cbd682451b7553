package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/riverqueue/river"
)

// errWorked says that another worker is at the lane.
var errWorked = errors.New("the lane is being worked on")

// claim takes the job's lane and records the run, whatever the time that the run has. It returns nil when the job is not the lane's any more, which is then the
// end of the job.
func (q *Queue) claim(ctx context.Context, job *river.Job[laneArgs]) (*running, error) {
	var r *running
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	err := q.work(ctx, func(inner context.Context, tx tx) error {
		r = &running{job: Job{ID: job.ID, Attempt: min(job.Attempt, q.options.Attempts), Attempts: q.options.Attempts}, started: q.options.Now()}
		var live sql.NullInt64
		var holder string
		s := &r.job.Subject
		err := tx.QueryRowContext(inner, q.db.q(`
			SELECT wanted, job_id, holder, installation, repository, owner, name, ref, pull FROM causal_lanes WHERE lane = $1 {lock}`),
			job.Args.Lane).Scan(&r.seen, &live, &holder, &s.Installation, &s.Repository, &s.Owner, &s.Name, &s.Ref, &s.Pull)
		if errors.Is(err, sql.ErrNoRows) || err == nil && live.Int64 != job.ID {
			r = nil
			return tx.complete(ctx, job)
		}
		if err != nil {
			return err
		}
		switch worked, err := q.worked(inner, tx, job.Args.Lane, holder); {
		case err != nil:
			return err
		case worked:
			return errWorked
		}
		if err := q.loseRuns(inner, tx, job.Args.Lane); err != nil {
			return err
		}
		if err := q.readWants(inner, tx, &r.job); err != nil {
			return err
		}
		return q.beginRun(inner, tx, r)
	})
	return r, err
}

// loseRuns ends the runs of a lane that nobody ended.
func (q *Queue) loseRuns(ctx context.Context, tx tx, lane string) error {
	err := q.db.exec(ctx, tx, "UPDATE causal_runs SET state = $2, ended = $3 WHERE lane = $1 AND state = $4",
		lane, Lost, q.options.Now().UnixMilli(), Running)
	if err != nil {
		return fmt.Errorf("end the runs that were lost: %w", err)
	}
	return nil
}

// mostCauses bounds what a job says of who asked for it.
const mostCauses = 20

func (q *Queue) readWants(ctx context.Context, tx tx, job *Job) error {
	rows, err := tx.QueryContext(ctx, q.db.q("SELECT cause, guid FROM causal_wants WHERE lane = $1 ORDER BY generation LIMIT $2"), job.Key(), mostCauses)
	if err != nil {
		return fmt.Errorf("read what asks for lane %s: %w", job.Key(), err)
	}
	defer rows.Close()
	for rows.Next() {
		var c Cause
		if err := rows.Scan(&c.Event, &c.Delivery); err != nil {
			return fmt.Errorf("read what asks for lane %s: %w", job.Key(), err)
		}
		c.Event, c.Head, _ = strings.Cut(c.Event, headMark)
		job.Causes = append(job.Causes, c)
	}
	return rows.Err()
}

func (q *Queue) beginRun(ctx context.Context, tx tx, r *running) error {
	causes, err := json.Marshal(r.job.Causes)
	if err != nil {
		return fmt.Errorf("encode causes: %w", err)
	}
	s := r.job.Subject
	err = tx.QueryRowContext(ctx, q.db.q(`
		INSERT INTO causal_runs (lane, job_id, attempt, installation, repository, owner, name, ref, pull, causes, started, state)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id`),
		s.Key(), r.job.ID, r.job.Attempt, s.Installation, s.Repository, s.Owner, s.Name, s.Ref, s.Pull,
		string(causes), r.started.UnixMilli(), Running).Scan(&r.job.Run)
	if err == nil {
		err = q.db.exec(ctx, tx, "UPDATE causal_lanes SET run_id = $2, holder = $3, due = 0 WHERE lane = $1", s.Key(), r.job.Run, q.db.id)
	}
	if err != nil {
		return fmt.Errorf("record the run: %w", err)
	}
	return nil
}
