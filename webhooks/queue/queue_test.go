package queue_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

var ctx = context.Background()

func start(t *testing.T, q *queue.Queue) *queuetest.Worker {
	t.Helper()
	w := queuetest.NewWorker()
	if err := q.Start(ctx, w); err != nil {
		t.Fatal(err)
	}
	return w
}

// guids are the deliveries that asked for a job.
func guids(j queue.Job) []string {
	var out []string
	for _, c := range j.Causes {
		if c.Delivery != "" {
			out = append(out, c.Delivery)
		}
	}
	return out
}

// undone are the deliveries that are queued or have failed.
func undone(t *testing.T, b queuetest.Backend) []string {
	t.Helper()
	rows, err := b.Database(t).QueryContext(ctx, "SELECT guid FROM causal_deliveries WHERE state IN ('queued', 'failed') ORDER BY received, guid")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var guid string
		if err := rows.Scan(&guid); err != nil {
			t.Fatal(err)
		}
		out = append(out, guid)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// states are how the runs of the queue ended, the oldest first.
func states(t *testing.T, q *queue.Queue) []queue.State {
	t.Helper()
	runs, err := q.Runs(ctx, queue.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]queue.State, len(runs))
	for i, r := range runs {
		out[len(runs)-1-i] = r.State
	}
	return out
}

func dead(t *testing.T, q *queue.Queue) []queue.JobRow {
	t.Helper()
	jobs, err := q.Jobs(ctx, queue.Filter{State: queue.Dead})
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func TestDeliveryIsDoneOnce(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{})
		main := queuetest.Branch(1, "main")
		queuetest.Accept(t, q, "a", queue.New, main)
		queuetest.Accept(t, q, "a", queue.Known, main)
		w := start(t, q)
		run := w.Next(t)
		if run.Subject != main || run.Attempt != 1 || !slices.Equal(guids(run.Job), []string{"a"}) {
			t.Errorf("got job %+v", run.Job)
		}
		queuetest.Accept(t, q, "a", queue.Known, main)
		if got := undone(t, b); !slices.Equal(got, []string{"a"}) {
			t.Errorf("not done: %v", got)
		}
		run.End(queue.Outcome{Conclusion: "updated", Title: "2 pages", Head: "c0ffee", Session: "s1", Detail: json.RawMessage(`{"updated":2}`)})
		queuetest.Idle(t, q)
		queuetest.Accept(t, q, "a", queue.Known, main)
		queuetest.Idle(t, q)

		runs, err := q.Runs(ctx, queue.Filter{Lane: main.Key()})
		if err != nil || len(runs) != 1 {
			t.Fatalf("got runs %v, %v", runs, err)
		}
		r := runs[0]
		if r.State != queue.Done || r.Title != "2 pages" || string(r.Detail) != `{"updated":2}` || r.Subject != main || r.Ended.Before(r.Started) {
			t.Errorf("got run %+v", r)
		}
		if same, err := q.Run(ctx, run.Run); err != nil || same.Session != "s1" || same.ID != r.ID {
			t.Errorf("got run %+v, %v", same, err)
		}
		if head, err := q.Head(ctx, main.Key()); err != nil || head != "c0ffee" {
			t.Errorf("got head %q, %v", head, err)
		}
		if got := undone(t, b); len(got) != 0 {
			t.Errorf("not done: %v", got)
		}
		queuetest.Accept(t, q, "b", queue.New, main)
		w.Next(t).End(queue.Outcome{Conclusion: "updated", Head: "c0ffee", Reached: "decade"})
		queuetest.Idle(t, q)
		if head, err := q.Head(ctx, main.Key()); err != nil || head != "decade" {
			t.Errorf("got head %q, %v", head, err)
		}
	})
}

func TestFailedDeliveryIsQueuedAgain(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{})
		w := start(t, q)
		queuetest.Accept(t, q, "a", queue.New, queuetest.Branch(1, "main"))
		w.Next(t).Fail(queue.Fail(queue.Fatal, errors.New("no such plugin")))
		queuetest.Idle(t, q)
		if wanted, err := q.Wanted(ctx, "a"); err != nil || !wanted {
			t.Errorf("a failed delivery is not wanted again: %v", err)
		}
		if jobs := dead(t, q); len(jobs) != 1 || jobs[0].Error != "no such plugin" || jobs[0].Attempt != 1 {
			t.Errorf("got dead jobs %+v", jobs)
		}
		queuetest.Accept(t, q, "a", queue.Again, queuetest.Branch(1, "main"))
		run := w.Next(t)
		if run.Attempt != 1 || !slices.Equal(guids(run.Job), []string{"a"}) {
			t.Errorf("got job %+v", run.Job)
		}
		run.Done()
		queuetest.Idle(t, q)
		if wanted, err := q.Wanted(ctx, "a"); err != nil || wanted {
			t.Errorf("a delivery that is done is wanted: %v", err)
		}
		if jobs := dead(t, q); len(jobs) != 0 {
			t.Errorf("a run succeeded, and its lane is still dead: %+v", jobs)
		}
	})
}

func TestDeliveryOfSeveralSubjects(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{Workers: 1})
		w := start(t, q)
		queuetest.Accept(t, q, "a", queue.New, queuetest.Branch(1, "main"), queuetest.Branch(1, "next"), queuetest.Branch(2, "main"))
		w.Next(t).Done()
		second := w.Next(t)
		if got := undone(t, b); !slices.Equal(got, []string{"a"}) {
			t.Errorf("done before its last subject: %v", got)
		}
		second.Fail(queue.Fail(queue.Fatal, errors.New("no")))
		w.Next(t).Done()
		queuetest.Idle(t, q)
		if wanted, _ := q.Wanted(ctx, "a"); !wanted {
			t.Error("one subject failed, and the delivery has not")
		}
		if err := q.Restart(ctx, dead(t, q)[0].Run); err != nil {
			t.Fatal(err)
		}
		run := w.Next(t)
		if !slices.Equal(guids(run.Job), []string{"a"}) || !slices.Equal(run.Causes, []queue.Cause{{Event: "push", Delivery: "a"}, {Event: "restart"}}) {
			t.Errorf("got job %+v", run.Job)
		}
		run.Done()
		queuetest.Idle(t, q)
		if got := undone(t, b); len(got) != 0 {
			t.Errorf("not done: %v", got)
		}
	})
}

func TestNoted(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{})
		if err := q.Note(ctx, queuetest.Push("a"), "ignored"); err != nil {
			t.Fatal(err)
		}
		queuetest.Accept(t, q, "a", queue.Known)
		if wanted, err := q.Wanted(ctx, "a"); err != nil || wanted {
			t.Errorf("a noted delivery is wanted: %v", err)
		}
		if wanted, err := q.Wanted(ctx, "b"); err != nil || !wanted {
			t.Errorf("a delivery that never came is not wanted: %v", err)
		}
	})
}

func TestAskDuringARunMeansOneMore(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{}) // no sweep makes up for a lost wake-up
		w := start(t, q)
		main := queuetest.Branch(1, "main")
		queuetest.Accept(t, q, "a", queue.New, main)
		first := w.Next(t)
		for i := range 30 {
			queuetest.Accept(t, q, fmt.Sprintf("b%02d", i), queue.New, main)
		}
		if err := q.Ask(ctx, "sweep", main); err != nil {
			t.Fatal(err)
		}
		first.Done()
		second := w.Next(t)
		if len(second.Causes) != 20 || second.Causes[0] != (queue.Cause{Event: "push", Delivery: "b00"}) {
			t.Errorf("got job %+v", second.Job)
		}
		if s, err := q.Stats(ctx); err != nil || s.Running != 1 || s.Queued != 0 || s.Oldest.IsZero() {
			t.Errorf("got %+v, %v", s, err)
		}
		second.Done()
		queuetest.Idle(t, q)
		if got := states(t, q); !slices.Equal(got, []queue.State{queue.Done, queue.Done}) {
			t.Errorf("got runs %v", got)
		}
		if got := undone(t, b); len(got) != 0 {
			t.Errorf("not done: %v", got)
		}
	})
}

func TestStopDrains(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{Workers: 2})
		w := start(t, q)
		queuetest.Accept(t, q, "a", queue.New, queuetest.Branch(1, "main"))
		queuetest.Accept(t, q, "b", queue.New, queuetest.Branch(2, "main"))
		first, second := w.Next(t), w.Next(t)
		queuetest.Accept(t, q, "c", queue.New, queuetest.Branch(3, "main"))
		bound, give := context.WithCancel(ctx)
		stopped := make(chan error, 1)
		go func() { stopped <- q.Stop(bound) }()
		first.Done()
		queuetest.Eventually(t, "the first run ends", func() bool { return slices.Contains(states(t, q), queue.Done) })
		select {
		case err := <-stopped:
			t.Fatalf("stopped while a run was on: %v", err)
		case <-second.Context.Done():
			t.Fatal("a run was cancelled before its time")
		default:
		}
		give()
		if err := <-stopped; err != nil {
			t.Fatal(err)
		}
		queuetest.Accept(t, q, "d", queue.New, queuetest.Branch(4, "main"))
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := q.Accept(ctx, queuetest.Push("e"), nil); !errors.Is(err, queue.ErrClosed) {
			t.Errorf("accepting after the end: %v", err)
		}

		next := b.Open(t, queue.Options{Attempts: 1, Workers: 3})
		if got := states(t, next); !slices.Contains(got, queue.Back) {
			t.Errorf("got runs %v", got)
		}
		w = start(t, next)
		var lanes []string
		for range 3 {
			run := w.Next(t)
			lanes = append(lanes, run.Name)
			if run.Attempt != 1 {
				t.Errorf("handing back counts: %+v", run.Job)
			}
			run.Done()
		}
		slices.Sort(lanes)
		if second.Name == "repo1" && !slices.Equal(lanes, []string{"repo1", "repo3", "repo4"}) ||
			second.Name == "repo2" && !slices.Equal(lanes, []string{"repo2", "repo3", "repo4"}) {
			t.Errorf("%s was handed back; got %v", second.Name, lanes)
		}
		queuetest.Idle(t, next)
	})
}

func TestKilledWorkIsTakenUp(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{})
		w := start(t, q)
		queuetest.Accept(t, q, "a", queue.New, queuetest.Branch(1, "main"))
		w.Next(t)
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
		// With one attempt: being killed is no failure, and does not end a job.
		next := b.Open(t, queue.Options{Attempts: 1})
		w = start(t, next)
		run := w.Next(t)
		if !slices.Equal(guids(run.Job), []string{"a"}) || !run.Resumes {
			t.Errorf("got job %+v", run.Job)
		}
		run.Done()
		queuetest.Idle(t, next)
		queuetest.Accept(t, next, "b", queue.New, queuetest.Branch(1, "main"))
		if run = w.Next(t); run.Resumes {
			t.Errorf("after a run that got to its end: %+v", run.Job)
		}
		run.Done()
		queuetest.Idle(t, next)
		if got := states(t, next); !slices.Equal(got, []queue.State{queue.Lost, queue.Done, queue.Done}) {
			t.Errorf("got runs %v", got)
		}
	})
}

// TestNeverTwice gives a job that is being worked to River once more, as happens when a worker was taken for dead.
func TestNeverTwice(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{})
		w := start(t, q)
		if b.Replicas {
			if err := b.Open(t, queue.Options{}).Start(ctx, w); err != nil {
				t.Fatal(err)
			}
		}
		queuetest.Accept(t, q, "a", queue.New, queuetest.Branch(1, "main"))
		first := w.Next(t)
		raw := b.Database(t)
		if _, err := raw.ExecContext(ctx, "UPDATE river_job SET state = 'available' WHERE kind = 'lane'"); err != nil {
			t.Fatal(err)
		}
		queuetest.Eventually(t, "the job is put off", func() bool {
			var n int
			err := raw.QueryRowContext(ctx, "SELECT count(*) FROM river_job WHERE CAST(metadata AS TEXT) LIKE '%snoozes%'").Scan(&n)
			return err == nil && n == 1
		})
		queuetest.Accept(t, q, "b", queue.New, queuetest.Branch(1, "main"))
		first.Done()
		w.Next(t).Done()
		queuetest.Idle(t, q)
		if got := states(t, q); w.Overlap() != "" || !slices.Equal(got, []queue.State{queue.Done, queue.Done}) {
			t.Errorf("got runs %v", got)
		}
	})
}

// TestLostConnection checks that a replica that others must consider dead stops its work, and continues when it is connected again.
func TestLostConnection(t *testing.T) {
	t.Parallel()
	b := queuetest.PostgreSQL(t)
	q := b.Open(t, queue.Options{})
	w := start(t, q)
	queuetest.Accept(t, q, "a", queue.New, queuetest.Branch(1, "main"))
	first := w.Next(t)
	_, err := b.Database(t).ExecContext(ctx, `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	if err != nil {
		t.Fatal(err)
	}
	<-first.Context.Done()
	w.Next(t).Done()
	queuetest.Idle(t, q)
	if got := states(t, q); !slices.Equal(got, []queue.State{queue.Lost, queue.Done}) {
		t.Errorf("got runs %v", got)
	}
}

func TestReplicasShareTheWork(t *testing.T) {
	t.Parallel()
	b := queuetest.PostgreSQL(t)
	one, two := b.Open(t, queue.Options{}), b.Open(t, queue.Options{})
	w := queuetest.NewWorker()
	for _, q := range []*queue.Queue{one, two} {
		if err := q.Start(ctx, w); err != nil {
			t.Fatal(err)
		}
	}
	var accepted sync.WaitGroup
	for i := range 60 {
		q := []*queue.Queue{one, two}[i%2]
		accepted.Go(func() {
			_, err := q.Accept(ctx, queuetest.Push(fmt.Sprint("g", i)), []queue.Subject{queuetest.Branch(int64(i%3+1), "main"), queuetest.Branch(int64(i%2+1), "main")})
			if err != nil {
				t.Error(err)
			}
		})
	}
	accepting := make(chan struct{})
	go func() { accepted.Wait(); close(accepting) }()
	for {
		select {
		case <-accepting:
			accepting = nil
		default:
		}
		if run, ok := w.Try(); ok {
			run.Done()
			continue
		}
		if s, err := one.Stats(ctx); accepting == nil && err == nil && s.Queued+s.Running+s.Waiting == 0 {
			break
		}
	}
	if lane := w.Overlap(); lane != "" {
		t.Errorf("two runs of %s at once", lane)
	}
	if got := undone(t, b); len(got) != 0 {
		t.Errorf("not done: %v", got)
	}
}

func TestOneProcessOwnsSQLite(t *testing.T) {
	t.Parallel()
	b := queuetest.SQLite(t)
	q := b.Open(t, queue.Options{})
	if _, err := queue.Open(ctx, b.URL, queue.Options{}); err == nil || !strings.Contains(err.Error(), "PostgreSQL") {
		t.Errorf("two owners: %v", err)
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	b.Open(t, queue.Options{})
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "mysql://x", "sqlite://", "postgres://:bad:port:x/y"} {
		if _, err := queue.Open(ctx, address, queue.Options{}); err == nil {
			t.Errorf("%q was opened", address)
		}
	}
	q := queuetest.SQLite(t).Open(t, queue.Options{})
	for name, s := range map[string]queue.Subject{
		"no repository": {Ref: "refs/heads/main"},
		"nothing":       {Repository: 1},
		"both":          {Repository: 1, Ref: "refs/heads/main", Pull: 2},
		"negative":      {Repository: 1, Pull: -2},
		"NUL":           {Repository: 1, Ref: "refs/heads/\x00"},
	} {
		if _, err := q.Accept(ctx, queuetest.Push("a"), []queue.Subject{s}); err == nil {
			t.Errorf("a subject with %s was accepted", name)
		}
	}
	if _, err := q.Accept(ctx, queue.Delivery{}, nil); err == nil {
		t.Error("a delivery without GUID was accepted")
	}
	if _, err := q.Run(ctx, 7); !errors.Is(err, queue.ErrNoRun) {
		t.Errorf("got %v", err)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]queue.Subject{
		"7:refs/heads/main": {Repository: 7, Ref: "refs/heads/main"},
		"7:pull/12":         {Repository: 7, Pull: 12},
	} {
		if got := s.Key(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestJobsKnowTheNewestHead checks that a job has the head of its newest delivery, although the event does not contain it. Late deliveries
// do not replace it.
func TestJobsKnowTheNewestHead(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{Workers: 1})
		at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
		older, newer := queue.Told{Head: strings.Repeat("a", 40), At: at}, queue.Told{Head: strings.Repeat("b", 40), At: at.Add(time.Second)}
		for _, d := range []queue.Delivery{
			{GUID: "b", Event: "pull_request", Action: "synchronize", Told: newer}, {GUID: "a", Event: "pull_request", Action: "opened", Told: older},
			{GUID: "c", Event: "check_run", Action: "rerequested"}, {GUID: "d", Event: "push", Told: queue.Told{Head: strings.Repeat("c", 40)}},
		} {
			if _, err := q.Accept(ctx, d, []queue.Subject{queuetest.Branch(1, "main")}); err != nil {
				t.Fatal(err)
			}
		}
		run := start(t, q).Next(t)
		want := []queue.Cause{
			{Event: "pull_request.synchronize", Delivery: "b", Told: newer}, {Event: "pull_request.opened", Delivery: "a", Told: older},
			{Event: "check_run.rerequested", Delivery: "c"}, {Event: "push", Delivery: "d", Told: queue.Told{Head: strings.Repeat("c", 40)}},
		}
		if run.Told() != newer || !slices.Equal(run.Causes, want) {
			t.Errorf("it was told of %+v by %+v", run.Told(), run.Causes)
		}
		run.Done()
		queuetest.Idle(t, q)
	})
}
