package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/riverqueue/river"
)

var (
	errWorked = errors.New("the lane is being worked on")
	errBusy   = errors.New("another lane of the same turn is being worked on")
)

// claim takes the job's lane and records the run, even if the run's time is over. It returns nil after completing a job
// that no longer belongs to the lane.
func (q *Queue) claim(ctx context.Context, job *river.Job[laneArgs], stop context.CancelCauseFunc) (*running, error) {
	var r *running
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	err := q.work(ctx, func(inner context.Context, tx tx) error {
		if r != nil { // the transaction is retried
			q.leave(r)
		}
		r = &running{job: Job{ID: job.ID, Attempts: q.options.Attempts}, started: q.options.Now(), cancel: stop}
		live, holder, err := q.lockLane(inner, tx, job.Args.Lane, r)
		if errors.Is(err, sql.ErrNoRows) || err == nil && live != job.ID {
			r = nil
			return tx.complete(ctx, job)
		}
		if err != nil {
			return err
		}
		if err := q.free(inner, tx, r, holder); err != nil {
			return err
		}
		if err := q.loseRuns(inner, tx, job.Args.Lane); err != nil {
			return err
		}
		if r.job.Resumes, err = q.cutShort(inner, tx, job.Args.Lane); err != nil {
			return err
		}
		if err := q.readWants(inner, tx, &r.job); err != nil {
			return err
		}
		return q.beginRun(inner, tx, r)
	})
	if err != nil && r != nil {
		q.leave(r)
	}
	return r, err
}

func (q *Queue) lockLane(ctx context.Context, tx tx, key string, r *running) (live int64, holder string, err error) {
	s := &r.job.Subject
	err = tx.QueryRowContext(ctx, q.db.q("SELECT repository, fork FROM causal_lanes WHERE lane = $1"), key).Scan(&s.Repository, &s.Fork)
	if err == nil {
		err = q.db.exec(ctx, tx, "{turn}", s.turn())
	}
	if err != nil {
		return 0, "", err
	}
	var job, since sql.NullInt64
	err = tx.QueryRowContext(ctx, q.db.q("SELECT wanted, job_id, since, holder, failed, "+subjectColumns+" FROM causal_lanes WHERE lane = $1 {lock}"), key).
		Scan(append([]any{&r.seen, &job, &since, &holder, &r.job.Attempt}, s.columns()...)...)
	r.job.Attempt = min(r.job.Attempt+1, q.options.Attempts)
	r.asked = instant(since)
	return job.Int64, holder, err
}

// free takes the turn of a lane unless a worker is busy with a lane of the same turn.
func (q *Queue) free(ctx context.Context, tx tx, r *running, holder string) error {
	s := r.job.Subject
	switch worked, err := q.worked(ctx, tx, s.Key(), holder); {
	case err != nil:
		return err
	case worked:
		return errWorked
	}
	others, err := q.held(ctx, tx, s)
	if err != nil {
		return err
	}
	for _, other := range others {
		switch worked, err := q.worked(ctx, tx, other[0], other[1]); {
		case err != nil:
			return err
		case worked:
			return errBusy
		}
	}
	if !q.enter(r) {
		return errBusy
	}
	return nil
}

// held returns the other lanes of a turn that have a holder, with it.
func (q *Queue) held(ctx context.Context, tx tx, s Subject) ([][2]string, error) {
	statement := q.db.q("SELECT lane, holder FROM causal_lanes WHERE repository = $1 AND fork = $2 AND lane <> $3 AND holder <> ''")
	return query(ctx, tx, "look who has the turn of "+s.Key(), statement, func(scan func(...any) error) (out [2]string, err error) {
		err = scan(&out[0], &out[1])
		return out, err
	}, s.Repository, s.Fork, s.Key())
}

func (q *Queue) loseRuns(ctx context.Context, tx tx, lane string) error {
	err := q.db.exec(ctx, tx, "UPDATE causal_runs SET state = $2, ended = $3 WHERE lane = $1 AND state = $4",
		lane, Lost, q.options.Now().UnixMilli(), Running)
	if err != nil {
		return fmt.Errorf("end the runs that were lost: %w", err)
	}
	return nil
}

// cutShort reports whether the last run of a lane did not finish. The attempt number is no evidence, since new requests
// reset it.
func (q *Queue) cutShort(ctx context.Context, tx tx, lane string) (bool, error) {
	var last State
	err := tx.QueryRowContext(ctx, q.db.q("SELECT state FROM causal_runs WHERE lane = $1 ORDER BY id DESC LIMIT 1"), lane).Scan(&last)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, fmt.Errorf("look how the last run of lane %s ended: %w", lane, err)
	}
	return err == nil && last != Done, nil
}

const mostCauses = 20

func (q *Queue) readWants(ctx context.Context, tx tx, job *Job) (err error) {
	statement := q.db.q("SELECT cause, guid FROM causal_wants WHERE lane = $1 ORDER BY generation LIMIT $2")
	job.Causes, err = query(ctx, tx, "read what asks for lane "+job.Key(), statement, func(scan func(...any) error) (c Cause, err error) {
		err = scan(&c.Event, &c.Delivery)
		var at string
		c.Event, c.Head, _ = strings.Cut(c.Event, headMark)
		c.Head, at, _ = strings.Cut(c.Head, headMark)
		c.At, _ = time.Parse(time.RFC3339, at) // zero in rows of older versions
		return c, err
	}, job.Key(), mostCauses)
	return err
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
