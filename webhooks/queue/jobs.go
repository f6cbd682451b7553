package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"
)

// laneArgs is all that a job in River's table says: what there is to do stands in its lane.
type laneArgs struct {
	Lane string `json:"lane"`
}

// Kind names these jobs in River's table.
func (laneArgs) Kind() string { return "lane" }

// insertJobs makes a fresh job for every lane and returns their ids by lane.
func (q *Queue) insertJobs(ctx context.Context, tx *sql.Tx, lanes []string) (map[string]int64, error) {
	if len(lanes) == 0 {
		return nil, nil
	}
	params := make([]river.InsertManyParams, len(lanes))
	for i, lane := range lanes {
		params[i] = river.InsertManyParams{Args: laneArgs{lane}, InsertOpts: &river.InsertOpts{MaxAttempts: q.options.Attempts}}
	}
	results, err := q.db.insert.InsertManyTx(ctx, tx, params)
	if err != nil {
		return nil, fmt.Errorf("insert jobs: %w", err)
	}
	ids := make(map[string]int64, len(results))
	for _, result := range results {
		var args laneArgs
		if err := json.Unmarshal(result.Job.EncodedArgs, &args); err != nil {
			return nil, fmt.Errorf("insert jobs: %w", err)
		}
		ids[args.Lane] = result.Job.ID
	}
	return ids, nil
}

// successor is the job that follows one which ended without finishing the work. Every attempt is a job of its own:
// only then can the transaction that ends an attempt also queue the next, and whoever works a job that has a
// successor cannot touch that.
type successor struct {
	lane    string
	attempt int           // how many there were
	after   time.Duration // from now
	last    string        // error
}

func (q *Queue) succeed(ctx context.Context, tx *sql.Tx, s successor) error {
	args, err := json.Marshal(laneArgs{s.lane})
	if err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	var errs [][]byte
	if s.last != "" {
		data, err := attemptError(s.attempt, s.last)
		if err != nil {
			return err
		}
		errs = append(errs, data)
	}
	due := time.Now().UTC().Add(s.after)
	// River's SQLite driver compares times as text, so that a job is best available from the start, with its time to come;
	// it is also not left waiting for the replica that makes scheduled jobs available.
	job, err := q.db.driver.UnwrapExecutor(tx).JobInsertFull(ctx, &riverdriver.JobInsertFullParams{
		Attempt: s.attempt, EncodedArgs: args, Errors: errs, Kind: laneArgs{}.Kind(), MaxAttempts: q.options.Attempts,
		Priority: river.PriorityDefault, Queue: river.QueueDefault, ScheduledAt: &due, State: rivertype.JobStateAvailable, Tags: []string{},
	})
	if err != nil {
		return fmt.Errorf("insert job: %w", err)
	}
	err = q.db.exec(ctx, tx, "UPDATE causal_lanes SET job_id = $2, due = $3, holder = '', lease_until = 0 WHERE lane = $1",
		s.lane, job.ID, due.UnixMilli())
	if err != nil {
		return fmt.Errorf("give lane %s its next job: %w", s.lane, err)
	}
	return nil
}

// buryJob lets a dead job go. It is left for River to remove in an hour, because the SQLite driver panics on a row that is
// gone when River's report of its end arrives.
func (q *Queue) buryJob(ctx context.Context, tx *sql.Tx, id int64) error {
	now := time.Now().UTC()
	_, err := q.db.driver.UnwrapExecutor(tx).JobUpdateFull(ctx, &riverdriver.JobUpdateFullParams{
		ID: id, StateDoUpdate: true, State: rivertype.JobStateCancelled, FinalizedAtDoUpdate: true, FinalizedAt: &now,
	})
	if err != nil && !errors.Is(err, rivertype.ErrNotFound) {
		return fmt.Errorf("let dead job %d go: %w", id, err)
	}
	return nil
}

// setState ends a running job inside the transaction that ends its run. River's own report comes afterwards and
// finds nothing running under this id.
func (q *Queue) setState(ctx context.Context, tx *sql.Tx, p *riverdriver.JobSetStateIfRunningParams) error {
	_, err := q.db.driver.UnwrapExecutor(tx).JobSetStateIfRunningMany(ctx, &riverdriver.JobSetStateIfRunningManyParams{
		ID: []int64{p.ID}, Attempt: []*int{p.Attempt}, ErrData: [][]byte{p.ErrData}, FinalizedAt: []*time.Time{p.FinalizedAt},
		MetadataDoMerge: []bool{false}, MetadataUpdates: [][]byte{[]byte("{}")}, ScheduledAt: []*time.Time{p.ScheduledAt},
		State: []rivertype.JobState{p.State},
	})
	if err != nil {
		return fmt.Errorf("set job %d to %s: %w", p.ID, p.State, err)
	}
	return nil
}

func attemptError(attempt int, text string) ([]byte, error) {
	data, err := json.Marshal(rivertype.AttemptError{At: time.Now().UTC(), Attempt: attempt, Error: text})
	if err != nil {
		return nil, fmt.Errorf("encode error of an attempt: %w", err)
	}
	return data, nil
}
