package queue

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// lane is the only lane of these tests.
var lane = Subject{Repository: 1, Owner: "octo", Name: "shop", Ref: "refs/heads/main"}

func openTest(t *testing.T, options Options) *Queue {
	t.Helper()
	q, err := Open(context.Background(), "sqlite://"+t.TempDir()+"/queue.db", options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { q.Close() })
	return q
}

// TestLostLeaseIsFenced gives a lane to another worker while one still works on it, as happens to a process that was
// stopped for longer than its lease. What the first one brings then must not count, nor touch the second.
func TestLostLeaseIsFenced(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	q := openTest(t, Options{Poll: time.Millisecond, Lease: time.Hour})
	type run struct {
		ctx   context.Context
		job   Job
		reply chan Outcome
	}
	runs := make(chan run)
	err := q.Start(ctx, HandlerFunc(func(ctx context.Context, j Job) (Outcome, error) {
		r := run{ctx, j, make(chan Outcome)}
		runs <- r
		return <-r.reply, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Ask(ctx, "test", lane); err != nil {
		t.Fatal(err)
	}
	zombie := <-runs
	if err := q.sweep(ctx, true); err != nil {
		t.Fatal(err)
	}
	second := <-runs
	if second.job.ID == zombie.job.ID || second.job.Attempt != 2 {
		t.Fatalf("got job %+v after %+v", second.job, zombie.job)
	}
	// A worker that was stopped before it took its lease comes too late for it.
	late := &river.Job[laneArgs]{JobRow: &rivertype.JobRow{ID: zombie.job.ID, Attempt: 1}, Args: laneArgs{lane.Key()}}
	if r, err := q.claim(ctx, late); r != nil || err != nil {
		t.Errorf("claimed %+v, %v", r, err)
	}
	// A heartbeat tells the first one, and it may go on nevertheless.
	if err := q.renew(ctx); err != nil {
		t.Fatal(err)
	}
	<-zombie.ctx.Done()
	if cause := context.Cause(zombie.ctx); !errors.Is(cause, errLost) {
		t.Errorf("told %v", cause)
	}
	if second.ctx.Err() != nil {
		t.Error("the worker that took over was told as well")
	}
	zombie.reply <- Outcome{Head: "old"}
	if err := q.end(ctx, &running{job: zombie.job}, Done, Outcome{Head: "old"}, nil); err != nil {
		t.Fatal(err)
	}
	if head, err := q.Head(ctx, lane.Key()); err != nil || head != "" {
		t.Errorf("the zombie set the head to %q, %v", head, err)
	}
	second.reply <- Outcome{Head: "new"}
	for {
		s, err := q.Stats(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if s.Running+s.Queued+s.Waiting == 0 {
			break
		}
	}
	if head, err := q.Head(ctx, lane.Key()); err != nil || head != "new" {
		t.Errorf("got head %q, %v", head, err)
	}
	got, err := q.Runs(ctx, Filter{})
	if err != nil || len(got) != 2 || got[0].State != Done || got[1].State != Lost {
		t.Errorf("got runs %+v, %v", got, err)
	}
}

// TestSweepMendsLanes breaks lanes in ways that should not occur, and sees that what was asked for is done.
func TestSweepMendsLanes(t *testing.T) {
	t.Parallel()
	for name, breakage := range map[string]string{
		"no job":        "UPDATE causal_lanes SET job_id = NULL",
		"job is gone":   "DELETE FROM river_job",
		"job has ended": "UPDATE river_job SET state = 'completed', finalized_at = '2026-01-01 00:00:00'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			q := openTest(t, Options{Poll: time.Millisecond})
			if err := q.Ask(ctx, "test", lane); err != nil {
				t.Fatal(err)
			}
			if _, err := q.db.db.ExecContext(ctx, breakage); err != nil {
				t.Fatal(err)
			}
			done := make(chan Job)
			err := q.Start(ctx, HandlerFunc(func(_ context.Context, j Job) (Outcome, error) {
				done <- j
				return Outcome{}, nil
			}))
			if err != nil {
				t.Fatal(err)
			}
			select {
			case j := <-done:
				if j.Subject != lane {
					t.Errorf("got job %+v", j)
				}
			case <-time.After(10 * time.Second):
				t.Error("nothing was done")
			}
		})
	}
}

// TestPrune keeps what is young, what failed and what is wanted.
func TestPrune(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2026, 2, 18, 12, 0, 0, 0, time.UTC)
	q := openTest(t, Options{Now: func() time.Time { return now }})
	old, young := now.Add(-31*24*time.Hour).UnixMilli(), now.Add(-29*24*time.Hour).UnixMilli()
	fill := []struct {
		statement string
		times     []int64
	}{
		{`INSERT INTO causal_runs (lane, job_id, attempt, installation, repository, owner, name, ref, pull, deliveries, causes, started, ended, state)
			VALUES ('l', 1, 1, 1, 1, 'o', 'n', '', 1, '[]', '[]', 0, ?1, 'done')`, []int64{old, young}},
		{`INSERT INTO causal_deliveries (guid, event, action, installation, repository, received, state)
			VALUES ('done' || ?1, 'push', '', 1, 1, ?1, 'done'), ('noted' || ?1, 'ping', '', 1, 1, ?1, 'noted'),
				('failed' || ?1, 'push', '', 1, 1, ?1, 'failed'), ('queued' || ?1, 'push', '', 1, 1, ?1, 'queued')`, []int64{old, young}},
		{`INSERT INTO causal_lanes (lane, installation, repository, owner, name, ref, pull, changed, dead_id)
			VALUES ('idle' || ?1, 1, 1, 'o', 'n', '', 1, ?1, NULL), ('dead' || ?1, 1, 1, 'o', 'n', '', 1, ?1, 7)`, []int64{old, young}},
	}
	for _, f := range fill {
		for _, at := range f.times {
			if _, err := q.db.db.ExecContext(ctx, f.statement, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := q.prune(ctx); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]int{"causal_runs": 1, "causal_deliveries": 6, "causal_lanes": 3} {
		var got int
		if err := q.db.reader.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d rows are left, want %d; %v", table, got, want, err)
		}
	}
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		attempt int
		random  float64
		want    time.Duration
	}{
		{1, 0.5, 2 * time.Second},
		{1, 0, 1500 * time.Millisecond},
		{2, 0.5, 4 * time.Second},
		{9, 0.5, 512 * time.Second},
		{10, 0.5, 15 * time.Minute},
		{1000, 0.5, 15 * time.Minute},
	} {
		if got := backoff(tt.attempt, tt.random); got != tt.want {
			t.Errorf("attempt %d, random %v: got %s, want %s", tt.attempt, tt.random, got, tt.want)
		}
	}
}

func TestNewerTablesAreRefused(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	q := openTest(t, Options{})
	err := q.db.tx(ctx, func(tx *sql.Tx) error { return q.db.exec(ctx, tx, "INSERT INTO causal_schema (version) VALUES (99)") })
	if err != nil {
		t.Fatal(err)
	}
	if err := q.db.migrate(ctx, q.options); err == nil {
		t.Error("tables of a newer program were taken")
	}
}
