package queue_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// fail ends each run of a lane with the same error until the job does not run again, and returns how many there were.
func fail(t *testing.T, q *queue.Queue, w *queuetest.Worker, err error) int {
	t.Helper()
	for n := 1; ; n++ {
		w.Next(t).Fail(err)
		over := false
		queuetest.Eventually(t, "the run has ended", func() bool {
			runs, err := q.Runs(ctx, queue.Filter{})
			if err != nil || len(runs) < n || runs[0].State == queue.Running {
				return false
			}
			over = runs[0].State != queue.Failed
			return true
		})
		if over {
			return n
		}
	}
}

// TestClassDecides has the same failure time after time.
func TestClassDecides(t *testing.T) {
	t.Parallel()
	failure := errors.New("no")
	tests := map[string]struct {
		err   error
		tries int
		state queue.State
		moot  bool
	}{
		"of the input":            {queue.Fail(queue.Fatal, failure), 1, queue.Dead, true},
		"of nobody knows what":    {failure, 4, queue.Dead, true},
		"of who is away":          {queue.Fail(queue.Away, failure), 7, queue.Dead, false},
		"of credentials":          {queue.Fail(queue.Denied, failure), 7, queue.Dead, false},
		"of a limit":              {queue.Later(failure, time.Hour), 1, queue.Waiting, false},
		"of what is turned off":   {queue.Fail(queue.Parked, failure), 1, queue.Waiting, false},
		"of the input, in a wrap": {fmt.Errorf("read: %w", queue.Fail(queue.Fatal, failure)), 1, queue.Dead, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := queuetest.SQLite(t).Open(t, queue.Options{Attempts: 7})
			w := start(t, q)
			main := queuetest.Branch(1, "main")
			queuetest.Accept(t, q, "a", queue.New, main)
			if n := fail(t, q, w, tt.err); n != tt.tries {
				t.Errorf("tried %d times, want %d", n, tt.tries)
			}
			if got := states(t, q); got[len(got)-1] != tt.state {
				t.Errorf("ended as %v, want %v", got, tt.state)
			}
		})
	}
}

// TestHeadThatFailedForGood is not asked for again before it moves.
func TestHeadThatFailedForGood(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{Attempts: 1})
		w := start(t, q)
		for _, c := range []struct {
			class queue.Class
			want  string
		}{{queue.Away, ""}, {queue.Fatal, "c0ffee"}} {
			queuetest.Accept(t, q, string(c.class), queue.New, queuetest.Branch(1, "main"))
			w.Next(t).EndWith(queue.Outcome{Head: "c0ffee"}, queue.Fail(c.class, errors.New("no")))
			queuetest.Idle(t, q)
			if head, err := q.Head(ctx, queuetest.Branch(1, "main").Key()); err != nil || head != c.want {
				t.Errorf("%s: the head that was looked at is %q, %v; want %q", c.class, head, err, c.want)
			}
		}
	})
}

// TestWaitIsBounded checks that a requested wait is limited to an hour.
func TestWaitIsBounded(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{})
		w := start(t, q)
		queuetest.Accept(t, q, "a", queue.New, queuetest.Branch(1, "main"))
		w.Next(t).Fail(queue.Later(errors.New("Retry-After"), 7*24*time.Hour))
		var due time.Time
		queuetest.Eventually(t, "the job waits", func() bool {
			jobs, err := q.Jobs(ctx, queue.Filter{State: queue.Waiting})
			if err != nil || len(jobs) != 1 {
				return false
			}
			due = jobs[0].Due
			return true
		})
		if wait := time.Until(due); wait < 50*time.Minute || wait > time.Hour {
			t.Errorf("it waits for %s", wait)
		}
	})
}

// waits accepts a delivery and lets its job wait.
func waits(t *testing.T, q *queue.Queue, w *queuetest.Worker, guid string, failure error) queue.JobRow {
	t.Helper()
	queuetest.Accept(t, q, guid, queue.New, queuetest.Branch(1, "main"))
	w.Next(t).Fail(failure)
	var job queue.JobRow
	queuetest.Eventually(t, "the job waits", func() bool {
		jobs, err := q.Jobs(ctx, queue.Filter{State: queue.Waiting})
		if err != nil || len(jobs) != 1 {
			return false
		}
		job = jobs[0]
		return true
	})
	return job
}

// TestWhoWakes lists who has a job tried that waits for long.
func TestWhoWakes(t *testing.T) {
	t.Parallel()
	limited := queue.Later(errors.New("Retry-After"), time.Hour)
	parked := queue.Fail(queue.Parked, errors.New("suspended"))
	back := queuetest.Push("back")
	back.Event, back.Action, back.Restores = "installation", "unsuspend", true
	for name, c := range map[string]struct {
		failure error
		wake    func(q *queue.Queue, j queue.JobRow) error
		cause   string
	}{
		"a push": {limited, func(q *queue.Queue, j queue.JobRow) error {
			_, err := q.Accept(ctx, queuetest.Push("b"), []queue.Subject{j.Subject})
			return err
		}, "push"},
		"a person":      {limited, func(q *queue.Queue, j queue.JobRow) error { return q.Restart(ctx, j.Run) }, "restart"},
		"a sweep":       {parked, func(q *queue.Queue, j queue.JobRow) error { return q.Ask(ctx, "sweep", j.Subject) }, "sweep"},
		"a return":      {parked, func(q *queue.Queue, _ queue.JobRow) error { return q.Note(ctx, back, "nothing") }, "installation.unsuspend"},
		"a sweep again": {parked, func(q *queue.Queue, j queue.JobRow) error { return q.Wake(ctx, j.Subject.Installation) }, "back"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
				q := b.Open(t, queue.Options{Look: 5 * time.Millisecond})
				w := start(t, q)
				job := waits(t, q, w, "a", c.failure)
				if err := c.wake(q, job); err != nil {
					t.Fatal(err)
				}
				run := w.Next(t)
				if last := run.Causes[len(run.Causes)-1].Event; last != c.cause || run.Attempt != 1 || !run.Resumes {
					t.Errorf("woken by %s, want %s: %+v", last, c.cause, run.Job)
				}
				run.Done()
				queuetest.Idle(t, q)
				if got := undone(t, b); len(got) != 0 {
					t.Errorf("not done: %v", got)
				}
			})
		})
	}
}

// TestMending: a lane that was refused because of a branch's rules runs again when they change, also if they change during the run.
func TestMending(t *testing.T) {
	t.Parallel()
	main := queuetest.Branch(1, "main")
	change := func(guid, mends string) queue.Delivery {
		d := queuetest.Push(guid)
		d.Repository, d.Mends, d.Told.Head = main.Repository, mends, strings.Repeat("a", 40)
		return d
	}
	for name, c := range map[string]struct {
		mend   func(q *queue.Queue) error
		early  bool // before the run has ended
		causes []string
	}{
		"a push to a branch that is not documented": {func(q *queue.Queue) error { return q.Note(ctx, change("b", main.Key()), "nothing") }, false, []string{"push"}},
		"before the run has ended":                  {func(q *queue.Queue) error { return q.Note(ctx, change("b", main.Key()), "nothing") }, true, []string{"mended"}},
		"a sweep":                                   {func(q *queue.Queue) error { return q.Ask(ctx, queue.Sweep, main) }, false, []string{"sweep", "sweep"}},
		"another branch":                            {func(q *queue.Queue) error { return q.Note(ctx, change("b", "1:refs/heads/x"), "nothing") }, false, nil},
		"another branch before the run has ended":   {func(q *queue.Queue) error { return q.Note(ctx, change("b", "1:refs/heads/x"), "nothing") }, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
				q := b.Open(t, queue.Options{})
				w := start(t, q)
				pull := queue.Subject{Installation: main.Installation, Repository: main.Repository, Owner: main.Owner, Name: main.Name, Pull: 4}
				queuetest.Accept(t, q, "a", queue.New, pull)
				run := w.Next(t)
				if c.early {
					if err := c.mend(q); err != nil {
						t.Fatal(err)
					}
				}
				run.End(queue.Outcome{Conclusion: "refused", Blocked: main.Key()})
				queuetest.Eventually(t, "the run has ended", func() bool {
					runs, err := q.Runs(ctx, queue.Filter{Lane: pull.Key(), State: queue.Done})
					return err == nil && len(runs) == 1
				})
				if !c.early {
					if err := c.mend(q); err != nil {
						t.Fatal(err)
					}
				}
				for _, cause := range c.causes { // a sweep asks for the branch as well
					again := w.Next(t)
					again.Done()
					if got := again.Causes[len(again.Causes)-1]; got.Event != cause || got.Head != "" {
						t.Errorf("tried again because of %+v, want %s", got, cause)
					}
				}
				queuetest.Idle(t, q)
				if err := q.Note(ctx, change("c", main.Key()), "nothing"); err != nil {
					t.Fatal(err)
				}
				if len(c.causes) == 0 {
					w.Next(t).Done()
				}
				queuetest.Idle(t, q)
				if got := undone(t, b); len(got) != 0 {
					t.Errorf("not done: %v", got)
				}
			})
		})
	}
}

// TestParkedIsNotLate: what waits for a removed installation is counted apart, and does not make the queue look slow.
func TestParkedIsNotLate(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{})
		w := start(t, q)
		waits(t, q, w, "a", queue.Fail(queue.Parked, errors.New("not installed")))
		if s, err := q.Stats(ctx); err != nil || s.Parked != 1 || s.Waiting+s.Queued != 0 || !s.Oldest.IsZero() {
			t.Errorf("got %+v, %v", s, err)
		}
	})
}

// TestParkedIsLeftAlone checks that a parked job is not woken by events of other installations.
func TestParkedIsLeftAlone(t *testing.T) {
	t.Parallel()
	q := queuetest.SQLite(t).Open(t, queue.Options{})
	w := start(t, q)
	job := waits(t, q, w, "a", queue.Later(errors.New("Retry-After"), time.Hour))
	if err := q.Wake(ctx, job.Subject.Installation); err != nil {
		t.Fatal(err)
	}
	if s, err := q.Stats(ctx); err != nil || s.Waiting != 1 {
		t.Errorf("a rate limit is no reason to be woken for: %+v, %v", s, err)
	}
}

// TestSweepsDoNotWake what waits for its next attempt.
func TestSweepsDoNotWake(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{})
		w := start(t, q)
		job := waits(t, q, w, "a", queue.Later(errors.New("Retry-After"), time.Hour))
		if err := q.Ask(ctx, queue.Sweep, job.Subject); err != nil {
			t.Fatal(err)
		}
		if s, err := q.Stats(ctx); err != nil || s.Waiting != 1 {
			t.Errorf("got %+v, %v", s, err)
		}
	})
}

func TestRestartAll(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		const dead = 60 // more than share a transaction
		q := b.Open(t, queue.Options{Attempts: 1})
		w := start(t, q)
		var subjects []queue.Subject
		for n := range int64(dead) {
			subjects = append(subjects, queuetest.Branch(n+1, "main"))
		}
		queuetest.Accept(t, q, "a", queue.New, subjects...)
		for range dead {
			w.Next(t).Fail(errors.New("no"))
		}
		queuetest.Idle(t, q)
		if n, err := q.RestartAll(ctx); err != nil || n != dead {
			t.Fatalf("restarted %d, %v", n, err)
		}
		for range dead {
			w.Next(t).Done()
		}
		queuetest.Idle(t, q)
		if s, err := q.Stats(ctx); err != nil || s.Dead != 0 {
			t.Errorf("got %+v, %v", s, err)
		}
	})
}

// TestClockThatWasSet leaves times in the database as a clock does that was set back by years.
func TestClockThatWasSet(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		const future = "2099-01-02 03:04:05"
		first := b.Open(t, queue.Options{})
		w := start(t, first)
		waits(t, first, w, "a", queue.Later(errors.New("Retry-After"), time.Hour))
		queuetest.Accept(t, first, "b", queue.New, queuetest.Branch(2, "main"))
		w.Next(t) // and is killed here
		queuetest.Accept(t, first, "c", queue.New, queuetest.Branch(3, "main"))
		w.Next(t)
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		raw := b.Database(t)
		for _, statement := range []string{
			"UPDATE causal_lanes SET due = 4070919845000 WHERE repository = 1",
			"UPDATE river_job SET scheduled_at = '" + future + "'",
			"UPDATE river_job SET attempted_at = '" + future + "' WHERE state = 'running'",
			"UPDATE river_leader SET expires_at = '" + future + "'",
		} {
			if _, err := raw.ExecContext(ctx, statement); err != nil {
				t.Fatal(err)
			}
		}
		w = start(t, b.Open(t, queue.Options{Look: 5 * time.Millisecond}))
		var done []int64
		for range 3 {
			run := w.Next(t)
			done = append(done, run.Repository)
			run.Done()
		}
		slices.Sort(done)
		if !slices.Equal(done, []int64{1, 2, 3}) {
			t.Errorf("done are %v", done)
		}
	})
}

// TestPing has the database fail in the ways that reading does not show.
func TestPing(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{})
		if err := q.Ping(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Database(t).ExecContext(ctx, "DROP TABLE causal_pulse"); err != nil {
			t.Fatal(err)
		}
		if err := q.Ping(ctx); err == nil || !strings.Contains(err.Error(), "write to the database") {
			t.Errorf("got %v from a database that cannot be written to", err)
		}
	})
	t.Run("jobs cannot be written", func(t *testing.T) {
		t.Parallel()
		b := queuetest.SQLite(t)
		q := b.Open(t, queue.Options{})
		if _, err := b.Database(t).ExecContext(ctx, "DROP TABLE causal_wants"); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := q.Ask(ctx, "test", queuetest.Branch(1, "main")); err == nil {
				t.Fatal("a table is gone, and nobody misses it")
			}
		}
		if err := q.Ping(ctx); err == nil || !strings.Contains(err.Error(), "causal_wants") {
			t.Errorf("got %v", err)
		}
	})
}

// TestPingWhileLocked does not wait for who has the database locked.
func TestPingWhileLocked(t *testing.T) {
	t.Parallel()
	b := queuetest.SQLite(t)
	q := b.Open(t, queue.Options{})
	conn, err := b.Database(t).Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if err := q.Ping(short); err == nil {
		t.Error("a database that is locked counts as working")
	}
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	queuetest.Eventually(t, "it works again", func() bool { return q.Ping(ctx) == nil })
}
