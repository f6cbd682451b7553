package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"
)

// Acceptance is the result of accepting a delivery.
type Acceptance string

// The results of accepting a delivery.
const (
	New   Acceptance = "new"
	Again Acceptance = "again" // it had failed and is queued again
	Known Acceptance = "known" // it is done or still queued
)

const (
	deliveryQueued = "queued"
	deliveryDone   = "done"
	deliveryFailed = "failed"
	deliveryNoted  = "noted"
)

type request struct {
	delivery *Delivery // may be nil
	outcome  string    // of a delivery without subjects
	cause    string
	subjects []Subject
	restored []Subject // other lanes that may succeed now
	result   Acceptance
	done     chan answer
}

type answer struct {
	result Acceptance
	err    error
}

// Accept stores a delivery and its jobs in one transaction and returns after the commit. GitHub redelivers with the
// same GUID: a delivery that is done or queued is left alone, a failed one is queued again.
func (q *Queue) Accept(ctx context.Context, d Delivery, subjects []Subject) (Acceptance, error) {
	a := q.door.submit(ctx, &request{delivery: &d, subjects: subjects})
	return a.result, a.err
}

// Sweep is the cause of periodic requests. They do not wake a job that waits for a retry, which would reset its
// attempts forever.
const Sweep = "sweep"

// Ask queues a subject without a delivery.
func (q *Queue) Ask(ctx context.Context, cause string, s Subject) error {
	return q.door.submit(ctx, &request{cause: cause, subjects: []Subject{s}}).err
}

// Note records a delivery without subjects, to recognize redeliveries.
func (q *Queue) Note(ctx context.Context, d Delivery, outcome string) error {
	return q.door.submit(ctx, &request{delivery: &d, outcome: outcome}).err
}

func (r *request) validate() error {
	if r.delivery != nil && (r.delivery.GUID == "" || strings.ContainsRune(r.delivery.GUID+r.delivery.Event+r.delivery.Action, 0)) {
		return errors.New("a delivery needs a GUID, and no NUL in any field")
	}
	for _, s := range r.subjects {
		if err := s.validate(); err != nil {
			return err
		}
	}
	return nil
}

type laneRow struct {
	key     string
	subject Subject
	wanted  int64
	job     sql.NullInt64
	waits   bool // its job waits for a later time
	parked  bool // until the installation is active again
	woken   bool // its waiting job is retried now
	class   int
	raised  bool
	pressed bool // asked for by something other than a sweep
}

func (q *Queue) write(ctx context.Context, requests []*request) error {
	err := q.db.tx(ctx, func(tx tx) error { return q.writeRequests(ctx, tx, requests) })
	q.health.note(err)
	return err
}

// writeRequests locks lanes before deliveries, as the ends of runs do, and in key order, to avoid deadlocks between
// replicas.
func (q *Queue) writeRequests(ctx context.Context, tx tx, requests []*request) error {
	for _, r := range requests {
		if err := q.restore(ctx, tx, r); err != nil {
			return err
		}
	}
	lanes, err := q.lockLanes(ctx, tx, requests)
	if err != nil {
		return err
	}
	for _, r := range requests {
		if err := q.admit(ctx, tx, r, lanes); err != nil {
			return err
		}
	}
	return q.raise(ctx, tx, lanes)
}

const headMark = "@"

func (r *request) why() string {
	if r.delivery == nil {
		return r.cause
	}
	text := r.delivery.Event
	if r.delivery.Action != "" {
		text += "." + r.delivery.Action
	}
	if told := r.delivery.Told; told.Head != "" {
		text += headMark + told.Head
		if !told.At.IsZero() {
			text += headMark + told.At.UTC().Format(time.RFC3339)
		}
	}
	return text
}

func (r *request) guid() string {
	if r.delivery == nil {
		return ""
	}
	return r.delivery.GUID
}

// lockLanes creates and locks the lanes of all requests, and updates the names of their repositories.
func (q *Queue) lockLanes(ctx context.Context, tx tx, requests []*request) (map[string]*laneRow, error) {
	lanes := map[string]*laneRow{}
	for _, r := range requests {
		for _, s := range slices.Concat(r.restored, r.subjects) {
			lanes[s.Key()] = &laneRow{key: s.Key(), subject: s}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(lanes)) {
		lane := lanes[key]
		s := lane.subject
		err := tx.QueryRowContext(ctx, q.db.q(`
			INSERT INTO causal_lanes (lane, `+subjectColumns+`, class) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
			ON CONFLICT (lane) DO UPDATE SET installation = excluded.installation, owner = excluded.owner, name = excluded.name, side = excluded.side,
				fork = {greatest}(causal_lanes.fork, excluded.fork), class = CASE WHEN causal_lanes.fork > excluded.fork THEN causal_lanes.class ELSE excluded.class END
			RETURNING wanted, job_id, holder = '' AND due > {now}, parked, class`),
			key, s.Installation, s.Repository, s.Owner, s.Name, s.Ref, s.Pull, s.Fork, s.Side, s.class()).Scan(&lane.wanted, &lane.job, &lane.waits, &lane.parked, &lane.class)
		if err != nil {
			return nil, fmt.Errorf("lock lane %s: %w", key, err)
		}
	}
	return lanes, nil
}

func (q *Queue) admit(ctx context.Context, tx tx, r *request, lanes map[string]*laneRow) error {
	r.result = New
	if r.delivery != nil {
		var err error
		if r.result, err = q.record(ctx, tx, r); err != nil {
			return fmt.Errorf("record delivery %s: %w", r.delivery.GUID, err)
		}
	}
	if r.result == Known {
		return nil
	}
	for i, s := range slices.Concat(r.subjects, r.restored) {
		why := r.why()
		if i >= len(r.subjects) {
			why, _, _ = strings.Cut(why, headMark) // the commit belongs to another lane
		}
		lane := lanes[s.Key()]
		lane.wanted++
		lane.raised = true
		lane.pressed = lane.pressed || why != Sweep
		lane.woken = lane.woken || lane.waits && (why != Sweep || lane.parked)
		err := q.db.exec(ctx, tx, "INSERT INTO causal_wants (lane, generation, guid, cause) VALUES ($1, $2, $3, $4)",
			lane.key, lane.wanted, r.guid(), why)
		if err != nil {
			return fmt.Errorf("note what lane %s is wanted for: %w", lane.key, err)
		}
	}
	return nil
}

func (q *Queue) record(ctx context.Context, tx tx, r *request) (Acceptance, error) {
	d, state := r.delivery, deliveryQueued
	if len(r.subjects)+len(r.restored) == 0 {
		state = deliveryNoted
	}
	result, err := tx.ExecContext(ctx, q.db.q(`
		INSERT INTO causal_deliveries (guid, event, action, installation, repository, received, state, outcome)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (guid) DO NOTHING`),
		d.GUID, d.Event, d.Action, d.Installation, d.Repository, d.Received.UnixMilli(), state, r.outcome)
	if err != nil {
		return "", err
	}
	if n, err := result.RowsAffected(); err != nil || n == 1 {
		return New, err
	}
	result, err = tx.ExecContext(ctx, q.db.q("UPDATE causal_deliveries SET state = $2, received = $3 WHERE guid = $1 AND state = $4"),
		d.GUID, state, d.Received.UnixMilli(), deliveryFailed)
	if err != nil {
		return "", err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return Known, err
	}
	// Earlier wants of the failed delivery are replaced by new ones.
	return Again, q.db.exec(ctx, tx, "DELETE FROM causal_wants WHERE guid = $1", d.GUID)
}

// raise inserts a job for every raised lane without one, and for lanes whose job waits with too low a priority.
func (q *Queue) raise(ctx context.Context, tx tx, lanes map[string]*laneRow) error {
	fresh := map[string]river.InsertOpts{}
	for key, lane := range lanes {
		class := lane.class
		if !lane.pressed { // sweeps ask for many at once, and no user waits for them
			class = min(class+1, classFork)
		}
		behind := false
		if lane.raised && lane.pressed && lane.job.Valid {
			var err error
			if behind, err = q.waitsBehind(ctx, tx, lane.job.Int64, class); err != nil {
				return err
			}
		}
		if lane.raised && !lane.job.Valid || behind {
			fresh[key] = river.InsertOpts{Priority: priority(class)}
		}
	}
	jobs, err := q.insertJobs(ctx, tx, fresh)
	if err != nil {
		return err
	}
	now := q.options.Now().UnixMilli()
	for _, key := range slices.Sorted(maps.Keys(lanes)) {
		lane := lanes[key]
		if !lane.raised {
			continue
		}
		if id, ok := jobs[key]; ok {
			lane.job = sql.NullInt64{Int64: id, Valid: true}
		} else if lane.woken {
			if err := tx.retry(ctx, lane.job.Int64); err != nil {
				return err
			}
		}
		err := q.db.exec(ctx, tx, `UPDATE causal_lanes SET wanted = $2, job_id = $3, since = coalesce(since, $4), changed = $4,
			due = CASE WHEN $5 THEN 0 ELSE due END, parked = parked AND NOT $5, failed = CASE WHEN $5 THEN 0 ELSE failed END
			WHERE lane = $1`, key, lane.wanted, lane.job, now, lane.woken)
		if err != nil {
			return fmt.Errorf("raise lane %s: %w", key, err)
		}
	}
	return nil
}

func (q *Queue) waitsBehind(ctx context.Context, tx tx, job int64, class int) (behind bool, err error) {
	err = tx.QueryRowContext(ctx, q.db.q("SELECT count(*) > 0 FROM river_job WHERE id = $1 AND priority > $2 AND "+waiting), job, priority(class)).Scan(&behind)
	if err != nil {
		return false, fmt.Errorf("look up the priority of job %d: %w", job, err)
	}
	return behind, nil
}
