package queue

import (
	"context"
	"fmt"

	"github.com/riverqueue/river"
)

// upkeep is done once an hour by one of the replicas.
func (q *Queue) upkeep(ctx context.Context, _ *river.Job[upkeepArgs]) error {
	if err := q.mend(ctx); err != nil {
		return err
	}
	return q.prune(ctx)
}

// mend sees to it that every lane which is wanted has a job. It cannot be otherwise but by somebody else's hand, and just
// after tables of an older version were taken over.
func (q *Queue) mend(ctx context.Context) error {
	return q.work(ctx, func(ctx context.Context, tx tx) error {
		wanted, err := q.wanted(ctx, tx)
		if err != nil {
			return fmt.Errorf("look for lanes that are wanted: %w", err)
		}
		classes := map[string]int{}
		for lane, w := range wanted {
			classes[lane] = w.class
		}
		jobs, err := q.insertJobs(ctx, tx, classes)
		if err != nil {
			return err
		}
		for lane, job := range jobs {
			if wanted[lane].job == job {
				continue
			}
			if err := q.db.exec(ctx, tx, "UPDATE causal_lanes SET job_id = $2 WHERE lane = $1", lane, job); err != nil {
				return fmt.Errorf("give lane %s a job: %w", lane, err)
			}
		}
		return nil
	})
}

// wantedLane is a lane that is wanted.
type wantedLane struct {
	class int
	job   int64 // 0 for none
}

// wanted locks the lanes that are wanted.
func (q *Queue) wanted(ctx context.Context, tx tx) (map[string]wantedLane, error) {
	rows, err := tx.QueryContext(ctx, q.db.q("SELECT lane, class, coalesce(job_id, 0) FROM causal_lanes WHERE wanted > served ORDER BY lane {lock}"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	lanes := map[string]wantedLane{}
	for rows.Next() {
		var lane string
		var w wantedLane
		if err := rows.Scan(&lane, &w.class, &w.job); err != nil {
			return nil, err
		}
		lanes[lane] = w
	}
	return lanes, rows.Err()
}

// prune removes what ended long ago. What a dead job died of is kept for as long as it is dead.
func (q *Queue) prune(ctx context.Context) error {
	horizon := q.options.Now().Add(-q.options.Keep).UnixMilli()
	return q.work(ctx, func(ctx context.Context, tx tx) error {
		for _, statement := range []string{
			"DELETE FROM causal_runs WHERE ended < $1 AND NOT EXISTS (SELECT 1 FROM causal_lanes WHERE dead_id = causal_runs.id)",
			"DELETE FROM causal_deliveries WHERE received < $1 AND state IN ('done', 'noted')",
			`DELETE FROM causal_lanes WHERE changed < $1 AND job_id IS NULL AND dead_id IS NULL AND wanted = served`,
		} {
			if err := q.db.exec(ctx, tx, statement, horizon); err != nil {
				return fmt.Errorf("remove what is old: %w", err)
			}
		}
		return nil
	})
}
