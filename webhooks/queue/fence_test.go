package queue

import (
	"context"
	"errors"
	"strings"
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

// TestWhoWasGivenUpIsFenced checks that the result of a worker is ignored after another has taken over its lane.
func TestWhoWasGivenUpIsFenced(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	q := openTest(t, Options{Poll: time.Millisecond})
	var first *running
	ends := make(chan error, 1)
	done := make(chan struct{})
	err := q.Start(ctx, HandlerFunc(func(_ context.Context, j Job) (Outcome, error) {
		first = &running{job: j}
		_, err := q.db.db.ExecContext(ctx, "UPDATE causal_lanes SET run_id = run_id + 1")
		ends <- err
		<-done
		return Outcome{Head: "old"}, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Ask(ctx, "test", lane); err != nil {
		t.Fatal(err)
	}
	if err := <-ends; err != nil {
		t.Fatal(err)
	}
	var snooze *rivertype.JobSnoozeError
	job := &river.Job[laneArgs]{JobRow: &rivertype.JobRow{ID: first.job.ID, State: rivertype.JobStateRunning}}
	if err := q.end(ctx, first, job, Outcome{Head: "old"}, nil); !errors.As(err, &snooze) {
		t.Errorf("got %v", err)
	}
	if head, err := q.Head(ctx, lane.Key()); err != nil || head != "" {
		t.Errorf("a worker that was given up has set the head %q, %v", head, err)
	}
	close(done)
}

// TestJobsOfTheDeadAreReplaced, and not those of replicas that live, however long they take.
func TestJobsOfTheDeadAreReplaced(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	q := openTest(t, Options{})
	if err := q.Ask(ctx, "test", lane); err != nil {
		t.Fatal(err)
	}
	job := func() (id int64) {
		t.Helper()
		if err := q.db.reader.QueryRowContext(ctx, "SELECT job_id FROM causal_lanes").Scan(&id); err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := job()
	for _, c := range []struct {
		by       string
		replaced bool
	}{{q.db.id, false}, {"killed", true}} {
		_, err := q.db.db.ExecContext(ctx, `UPDATE river_job SET state = 'running', attempted_at = '2099-01-01 00:00:00', attempted_by = '["before", "`+c.by+`"]'`)
		if err == nil {
			err = q.remedy(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
		if (job() != first) != c.replaced {
			t.Errorf("the job of %s is now %d, it was %d", c.by, job(), first)
		}
	}
}

// TestWhatKillsServersIsSlowedDown, though it is no failure.
func TestWhatKillsServersIsSlowedDown(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	q := openTest(t, Options{Backoff: func(attempt int, _ float64) time.Duration { return time.Duration(attempt) * time.Hour }})
	if err := q.Ask(ctx, "test", lane); err != nil {
		t.Fatal(err)
	}
	for n, want := range []time.Duration{0, 0, time.Hour, 2 * time.Hour} {
		for _, statement := range []string{
			"UPDATE river_job SET state = 'running', attempted_by = '[\"killed\"]' WHERE id = (SELECT job_id FROM causal_lanes)",
			"INSERT INTO causal_runs (lane, job_id, attempt, installation, repository, owner, name, ref, pull, causes, started, state) SELECT lane, 1, 1, 1, 1, '', '', '', 1, '[]', 0, 'running' FROM causal_lanes",
		} {
			if _, err := q.db.db.ExecContext(ctx, statement); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.remedy(ctx); err != nil {
			t.Fatal(err)
		}
		var due int64
		if err := q.db.reader.QueryRowContext(ctx, "SELECT due FROM causal_lanes").Scan(&due); err != nil {
			t.Fatal(err)
		}
		if got := time.Until(time.UnixMilli(max(due, time.Now().UnixMilli()))).Round(time.Hour); got != want {
			t.Errorf("after %d kills it waits for %s, want %s", n+1, got, want)
		}
	}
}

// TestTimesAreInUTC, whatever zone they come in: River's driver for SQLite compares them as text.
func TestTimesAreInUTC(t *testing.T) {
	t.Parallel()
	q := openTest(t, Options{})
	var text string
	noon := time.Date(2026, 2, 18, 12, 0, 0, 0, time.FixedZone("east", 5*60*60))
	if err := q.db.db.QueryRowContext(context.Background(), "SELECT CAST(? AS TEXT)", noon).Scan(&text); err != nil || !strings.HasPrefix(text, "2026-02-18 07:00:00") {
		t.Errorf("got %q, %v", text, err)
	}
}

// TestMendsLanes corrupts lanes in ways that should not occur, and checks that the work is done.
func TestMendsLanes(t *testing.T) {
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

// TestPrune keeps recent, failed and wanted deliveries, and those of dead jobs.
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
		{`INSERT INTO causal_runs (lane, job_id, attempt, installation, repository, owner, name, ref, pull, causes, started, ended, state)
			VALUES ('l', 1, 1, 1, 1, 'o', 'n', '', 1, '[]', 0, ?1, 'done')`, []int64{old, old, young}},
		{`INSERT INTO causal_deliveries (guid, event, action, installation, repository, received, state)
			VALUES ('done' || ?1, 'push', '', 1, 1, ?1, 'done'), ('noted' || ?1, 'ping', '', 1, 1, ?1, 'noted'),
				('failed' || ?1, 'push', '', 1, 1, ?1, 'failed'), ('queued' || ?1, 'push', '', 1, 1, ?1, 'queued')`, []int64{old, young}},
		{`INSERT INTO causal_lanes (lane, installation, repository, owner, name, ref, pull, changed, dead_id)
			VALUES ('idle' || ?1, 1, 1, 'o', 'n', '', 1, ?1, NULL), ('dead' || ?1, 1, 1, 'o', 'n', '', 1, ?1, 1)`, []int64{old, young}},
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
	for table, want := range map[string]int{"causal_runs": 2, "causal_deliveries": 6, "causal_lanes": 3} {
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
	err := q.db.tx(ctx, func(tx tx) error { return q.db.exec(ctx, tx, "INSERT INTO causal_schema (version) VALUES (99)") })
	if err != nil {
		t.Fatal(err)
	}
	if err := q.db.migrate(ctx); err == nil {
		t.Error("tables of a newer program were taken")
	}
}
