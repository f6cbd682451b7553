package queue

import (
	"context"
	"fmt"
)

// upkeep runs at the start and then once an hour, on every replica.
func (q *Queue) upkeep(ctx context.Context) error {
	if err := q.mend(ctx); err != nil {
		return err
	}
	return q.prune(ctx)
}

func (q *Queue) mend(ctx context.Context) error {
	lanes, err := q.laneKeys(ctx, "FROM causal_lanes l WHERE "+jobless)
	if err != nil {
		return err
	}
	for _, key := range lanes {
		if err := q.replace(ctx, key, jobless, replacement{}); err != nil {
			return err
		}
	}
	return nil
}

// jobless matches raised lanes without a job, which only occur after manual changes or a migration.
const jobless = `wanted > served AND NOT EXISTS
	(SELECT 1 FROM river_job j WHERE j.id = l.job_id AND (j.state = 'running' OR j.` + waiting + `))`

// prune removes old rows. The last runs of dead jobs stay.
func (q *Queue) prune(ctx context.Context) error {
	horizon := q.options.Now().Add(-q.options.Keep).UnixMilli()
	return q.work(ctx, func(ctx context.Context, tx tx) error {
		for _, statement := range []string{
			"DELETE FROM causal_runs WHERE ended < $1 AND NOT EXISTS (SELECT 1 FROM causal_lanes WHERE dead_id = causal_runs.id)",
			"DELETE FROM causal_deliveries WHERE received < $1 AND state IN ('done', 'noted')",
			`DELETE FROM causal_lanes WHERE changed < $1 AND job_id IS NULL AND dead_id IS NULL AND wanted = served`,
		} {
			if err := q.db.exec(ctx, tx, statement, horizon); err != nil {
				return fmt.Errorf("remove old jobs: %w", err)
			}
		}
		return nil
	})
}
