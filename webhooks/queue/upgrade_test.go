package queue_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/causaldocs/causal/webhooks/queue"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// version1 converts the tables to the first version after a kill: without unique jobs, and with dead jobs that are kept longer than the
// runs.
var version1 = []string{
	`DROP INDEX causal_lanes_repository`, `DROP INDEX causal_lanes_installation`, `DROP TABLE causal_pulse`,
	`ALTER TABLE causal_lanes DROP COLUMN fork`, `ALTER TABLE causal_lanes DROP COLUMN side`,
	`DROP INDEX causal_lanes_blocked`, `ALTER TABLE causal_lanes DROP COLUMN blocked`, `ALTER TABLE causal_lanes DROP COLUMN mended`,
	`ALTER TABLE causal_lanes DROP COLUMN class`, `ALTER TABLE causal_lanes DROP COLUMN parked`, `ALTER TABLE causal_lanes DROP COLUMN failed`,
	`ALTER TABLE causal_lanes ADD COLUMN seen BIGINT NOT NULL DEFAULT 0`,
	`ALTER TABLE causal_lanes ADD COLUMN lease_until BIGINT NOT NULL DEFAULT 0`,
	`ALTER TABLE causal_lanes DROP COLUMN run_id`,
	`CREATE INDEX causal_lanes_holder ON causal_lanes (holder) WHERE holder <> ''`,
	`ALTER TABLE causal_runs ADD COLUMN deliveries TEXT NOT NULL DEFAULT '[]'`,
	`DELETE FROM causal_schema WHERE version > 1`,
	`UPDATE river_job SET unique_key = NULL, unique_states = NULL, max_attempts = 12`,
	`UPDATE river_job SET attempt = 12, state = 'discarded', finalized_at = '2026-01-02 03:04:05', attempted_at = '2026-01-02 03:04:00'
		WHERE id IN (SELECT job_id FROM causal_runs WHERE state = 'dead')`,
	`UPDATE causal_lanes SET dead_id = (SELECT job_id FROM causal_runs WHERE id = dead_id) WHERE dead_id IS NOT NULL`,
	`DELETE FROM causal_runs WHERE state = 'dead' AND repository = 1`,
}

// lastErrors is what River kept of the dead.
var lastErrors = map[bool]string{
	false: `UPDATE river_job SET errors = '[{"at":"2026-01-02T03:04:05Z","attempt":11,"error":"502","trace":""},
		{"at":"2026-01-02T03:04:05Z","attempt":12,"error":"no","trace":""}]' WHERE state = 'discarded'`,
	true: `UPDATE river_job SET errors = ARRAY['{"at":"2026-01-02T03:04:05Z","attempt":11,"error":"502","trace":""}',
		'{"at":"2026-01-02T03:04:05Z","attempt":12,"error":"no","trace":""}']::jsonb[] WHERE state = 'discarded'`,
}

// TestUpgrade checks that jobs of the first version run, and that dead ones are visible and can be restarted.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		old := b.Open(t, queue.Options{Attempts: 1, Workers: 1})
		w := start(t, old)
		for _, n := range []int64{1, 2} {
			queuetest.Accept(t, old, []string{"", "a", "b"}[n], queue.New, queuetest.Branch(n, "main"))
			w.Next(t).Fail(errors.New("no"))
			queuetest.Idle(t, old)
		}
		queuetest.Accept(t, old, "c", queue.New, queuetest.Branch(3, "main"))
		w.Next(t)
		queuetest.Accept(t, old, "d", queue.New, queuetest.Branch(4, "main"))
		if err := old.Close(); err != nil {
			t.Fatal(err)
		}
		raw := b.Database(t)
		for _, statement := range append(version1, lastErrors[b.Replicas]) {
			if _, err := raw.ExecContext(ctx, statement); err != nil {
				t.Fatalf("%v: %s", err, statement)
			}
		}

		q := b.Open(t, queue.Options{})
		jobs := dead(t, q)
		if len(jobs) != 2 {
			t.Fatalf("dead are %+v", jobs)
		}
		slices.SortFunc(jobs, func(a, b queue.JobRow) int { return int(a.Subject.Repository - b.Subject.Repository) })
		if j := jobs[0]; j.Error != "no" || j.Attempt != 12 || j.Since.UTC().Format("2006-01-02 15:04:05") != "2026-01-02 03:04:05" {
			t.Errorf("what only River knew of is %+v", j)
		}
		if err := q.Restart(ctx, jobs[0].Run); err != nil {
			t.Fatal(err)
		}
		w = start(t, q)
		var done []int64
		for range 3 {
			run := w.Next(t)
			done = append(done, run.Repository)
			run.Done()
		}
		queuetest.Idle(t, q)
		slices.Sort(done)
		if !slices.Equal(done, []int64{1, 3, 4}) || len(dead(t, q)) != 1 {
			t.Errorf("done are %v, dead %+v", done, dead(t, q))
		}
	})
}
