package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Filter selects rows. Zero fields do not restrict.
type Filter struct {
	Lane       string // the key of a subject
	State      State  // of a run, or of a job: Queued, Running, Waiting, Dead
	Name       string // "owner/name", by current names
	Conclusion string // of a run; its state if it has no conclusion
	Scope      Scope
	Brief      bool  // without the details of runs, which are large
	Before     int64 // only lower IDs, for paging
	Limit      int   // 100
}

// Queued is the state of a job that can run at once.
const Queued State = "queued"

// JobRow is a live or dead job.
type JobRow struct {
	ID       int64 // of the job; of its last run if dead
	Run      int64 // its last run; 0 before the first
	Subject  Subject
	State    State // Queued, Running, Waiting (until Due), Dead
	Attempt  int
	Attempts int
	Since    time.Time // oldest unserved request; when it died, if dead
	Due      time.Time
	Error    string // of the last attempt
}

// RunRow is one attempt at a job.
type RunRow struct {
	ID      int64
	Job     int64
	Attempt int
	Subject Subject
	Causes  []Cause
	Started time.Time
	Ended   time.Time // zero while it runs
	State   State
	Error   string
	Outcome

	// Asked is the time of the request, Class that of the failure. Both are only set when a run ends and not stored.
	Asked time.Time
	Class Class
}

// Stats is a summary of the queue.
type Stats struct {
	Queued, Running, Waiting, Dead int
	Parked                         int       // waiting for an installation to become active; not included in Waiting
	Oldest                         time.Time // oldest unserved request that is not parked; zero when there is none
	Bytes                          int64     // size of the database
}

// jobs selects live and dead jobs. A lane may have one of each.
const jobs = `SELECT l.job_id AS id, coalesce(r.id, 0) AS run, l.lane, l.installation, l.repository, l.owner, l.name, l.ref, l.pull,
		CASE WHEN l.holder <> '' THEN 'running' WHEN l.due > {now} THEN 'waiting' ELSE 'queued' END AS state,
		coalesce(r.attempt, 0) AS attempt, l.since, l.due, coalesce(r.error, '') AS error
	FROM causal_lanes l LEFT JOIN causal_runs r ON r.id = l.run_id WHERE l.job_id IS NOT NULL
	UNION ALL SELECT r.id, r.id, l.lane, l.installation, l.repository, l.owner, l.name, l.ref, l.pull, 'dead', r.attempt, r.ended, 0, r.error
	FROM causal_lanes l JOIN causal_runs r ON r.id = l.dead_id`

// Jobs returns live and dead jobs, newest first.
func (q *Queue) Jobs(ctx context.Context, f Filter) ([]JobRow, error) {
	t := f.terms()
	return query(ctx, q.db.reader, "list jobs", q.db.q(fmt.Sprintf(`
		SELECT id, run, installation, repository, owner, name, ref, pull, state, attempt, since, due, error
		FROM (%s) AS jobs%s ORDER BY id DESC LIMIT %d`, jobs, t.where(), f.limit())), func(scan func(...any) error) (JobRow, error) {
		j := JobRow{Attempts: q.options.Attempts}
		var since, due sql.NullInt64
		s := &j.Subject
		err := scan(&j.ID, &j.Run, &s.Installation, &s.Repository, &s.Owner, &s.Name, &s.Ref, &s.Pull,
			&j.State, &j.Attempt, &since, &due, &j.Error)
		j.Since = instant(since)
		if j.State == Waiting {
			j.Due = instant(due)
		}
		return j, err
	}, t.args...)
}

func (f Filter) limit() int {
	if f.Limit > 0 {
		return f.Limit
	}
	return 100
}

func (f Filter) terms() *terms {
	t := &terms{}
	if f.Lane != "" {
		t.add("lane = %s", f.Lane)
	}
	if f.State != "" {
		t.add("state = %s", f.State)
	}
	if owner, name, found := strings.Cut(f.Name, "/"); f.Name != "" {
		if !found {
			name = owner // matches nothing, since names have a slash
		}
		t.add("repository IN (SELECT repository FROM causal_lanes WHERE owner = %s AND name = %s)", owner, name)
	}
	t.scope(f.Scope)
	if f.Before > 0 {
		t.add("id < %s", f.Before)
	}
	return t
}

const (
	someColumns = `id, job_id, attempt, installation, repository, owner, name, ref, pull, causes, started, ended, state,
	error, conclusion, title, head, session, `
	runColumns   = someColumns + "detail"
	briefColumns = someColumns + "'' AS detail"
)

// Runs returns runs, newest first.
func (q *Queue) Runs(ctx context.Context, f Filter) ([]RunRow, error) {
	t := f.terms()
	if f.Conclusion != "" {
		t.add("CASE WHEN conclusion <> '' THEN conclusion ELSE state END = %s", f.Conclusion)
	}
	columns := runColumns
	if f.Brief {
		columns = briefColumns
	}
	return q.runs(ctx, fmt.Sprintf("SELECT %s FROM causal_runs%s ORDER BY id DESC LIMIT %d", columns, t.where(), f.limit()), t.args...)
}

// ErrNoRun is returned for a run that does not exist, or no longer.
var ErrNoRun = errors.New("there is no such run")

// Run returns one run.
func (q *Queue) Run(ctx context.Context, id int64) (RunRow, error) {
	r, err := scanRun(q.db.reader.QueryRowContext(ctx, q.db.q("SELECT "+runColumns+" FROM causal_runs WHERE id = $1"), id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoRun
	}
	if err != nil {
		return RunRow{}, fmt.Errorf("read run %d: %w", id, err)
	}
	return r, nil
}

func scanRun(scan func(...any) error) (RunRow, error) {
	var r RunRow
	var causes, detail string
	var started int64
	var ended sql.NullInt64
	s := &r.Subject
	err := scan(&r.ID, &r.Job, &r.Attempt, &s.Installation, &s.Repository, &s.Owner, &s.Name, &s.Ref, &s.Pull, &causes,
		&started, &ended, &r.State, &r.Error, &r.Conclusion, &r.Title, &r.Head, &r.Session, &detail)
	if err != nil {
		return RunRow{}, err
	}
	r.Started, r.Ended = time.UnixMilli(started), instant(ended)
	if detail != "" {
		r.Detail = json.RawMessage(detail)
	}
	return r, json.Unmarshal([]byte(causes), &r.Causes)
}

func instant(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64)
}

func (r *running) row(now time.Time, state State, o Outcome, failure error) RunRow {
	row := RunRow{
		ID: r.job.Run, Job: r.job.ID, Attempt: r.job.Attempt, Subject: r.job.Subject, Causes: r.job.Causes,
		Started: r.started, Ended: now, State: state, Outcome: o, Asked: r.asked,
	}
	if failure != nil {
		row.Class = ClassOf(failure)
		row.Error = strings.ToValidUTF8(strings.ReplaceAll(failure.Error(), "\x00", ""), "�")
	}
	return row
}

func (q *Queue) endRun(ctx context.Context, tx tx, r RunRow) error {
	err := q.db.exec(ctx, tx, `UPDATE causal_runs SET ended = $2, state = $3, error = $4, conclusion = $5, title = $6, head = $7,
		session = $8, detail = $9 WHERE id = $1`,
		r.ID, r.Ended.UnixMilli(), r.State, r.Error, r.Conclusion, r.Title, r.Head, r.Session, string(r.Detail))
	if err != nil {
		return fmt.Errorf("record the end of run %d: %w", r.ID, err)
	}
	return nil
}

// Stats counts jobs.
func (q *Queue) Stats(ctx context.Context) (Stats, error) {
	s, err := q.stats(ctx, Scope{})
	if err != nil {
		return Stats{}, err
	}
	if err := q.db.reader.QueryRowContext(ctx, q.db.q("{bytes}")).Scan(&s.Bytes); err != nil {
		return Stats{}, fmt.Errorf("measure the database: %w", err)
	}
	return s, nil
}

func (q *Queue) stats(ctx context.Context, scope Scope) (Stats, error) {
	var s Stats
	var oldest sql.NullInt64
	var t terms
	t.scope(scope)
	in := strings.Join(append(t.list, ""), " AND ")
	err := q.db.reader.QueryRowContext(ctx, q.db.q(fmt.Sprintf(`
		SELECT count(*), count(CASE WHEN holder <> '' THEN 1 END), count(CASE WHEN holder = '' AND due > {now} AND NOT parked THEN 1 END),
			count(CASE WHEN holder = '' AND due > {now} AND parked THEN 1 END), min(CASE WHEN NOT parked THEN since END),
			(SELECT count(*) FROM causal_lanes WHERE %[1]s dead_id IS NOT NULL)
		FROM causal_lanes WHERE %[1]s job_id IS NOT NULL`, in)), t.args...).
		Scan(&s.Queued, &s.Running, &s.Waiting, &s.Parked, &oldest, &s.Dead)
	if err != nil {
		return Stats{}, fmt.Errorf("count jobs: %w", err)
	}
	s.Queued -= s.Running + s.Waiting + s.Parked
	s.Oldest = instant(oldest)
	return s, nil
}
