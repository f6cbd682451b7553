package queue_test

import (
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

func TestRetries(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		var mu sync.Mutex
		var waits []string
		var finished []queue.State
		q := b.Open(t, queue.Options{
			Attempts: 3, Random: func() float64 { return 0.5 },
			Backoff: func(attempt int, random float64) time.Duration {
				mu.Lock()
				defer mu.Unlock()
				waits = append(waits, fmt.Sprint(attempt, random))
				return 0
			},
			Finished: func(r queue.RunRow) {
				mu.Lock()
				defer mu.Unlock()
				finished = append(finished, r.State)
			},
		})
		w := start(t, q)
		queuetest.Accept(t, q, "a", queue.New, queuetest.Branch(1, "main"))
		w.Next(t).Panic("oops")
		w.Next(t).Fail(queue.Fail(queue.Away, errors.New("502")))
		last := w.Next(t)
		if last.Attempt != 3 || !slices.Equal(guids(last.Job), []string{"a"}) {
			t.Errorf("got job %+v", last.Job)
		}
		last.Fail(queue.Fail(queue.Away, errors.New("502")))
		queuetest.Eventually(t, "all ends are told", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(finished) == 3
		})
		runs, err := q.Runs(ctx, queue.Filter{})
		if err != nil || len(runs) != 3 || !strings.Contains(runs[2].Error, "oops") || !strings.Contains(runs[2].Error, "worker.go") {
			t.Errorf("got runs %+v, %v", runs, err)
		}
		mu.Lock()
		defer mu.Unlock()
		if want := []queue.State{queue.Failed, queue.Failed, queue.Dead}; !slices.Equal(finished, want) || !slices.Equal(states(t, q), want) {
			t.Errorf("finished as %v, recorded as %v, want %v", finished, states(t, q), want)
		}
		if want := []string{"1 0.5", "2 0.5"}; !slices.Equal(waits, want) {
			t.Errorf("waited for %v, want %v", waits, want)
		}
	})
}

func TestLaterDoesNotCount(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{Attempts: 1})
		w := start(t, q)
		queuetest.Accept(t, q, "a", queue.New, queuetest.Branch(1, "main"))
		for range 3 {
			run := w.Next(t)
			if run.Attempt != 1 {
				t.Errorf("attempt %d", run.Attempt)
			}
			run.Fail(fmt.Errorf("read the tree: %w", queue.Later(errors.New("rate limit"), time.Millisecond)))
		}
		w.Next(t).Fail(queue.Later(errors.New("rate limit"), time.Hour))
		queuetest.Eventually(t, "the job waits", func() bool {
			jobs, err := q.Jobs(ctx, queue.Filter{State: queue.Waiting})
			return err == nil && len(jobs) == 1 && time.Until(jobs[0].Due) > 59*time.Minute
		})
		queuetest.Accept(t, q, "b", queue.New, queuetest.Branch(1, "main"))
		if run := w.Next(t); run.Attempt != 1 || !slices.Equal(guids(run.Job), []string{"a", "b"}) {
			t.Errorf("another push is worked by %+v", run.Job)
		}
	})
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{Attempts: 1, Timeout: 2 * time.Second})
		w := start(t, q)
		queuetest.Accept(t, q, "a", queue.New, queuetest.Branch(1, "main"))
		select {
		case <-w.Next(t).Context.Done():
		case <-time.After(queuetest.Deadline):
			t.Fatal("the run may go on for ever")
		}
		queuetest.Eventually(t, "the job is dead", func() bool { return len(dead(t, q)) == 1 })
		if e := dead(t, q)[0].Error; !strings.Contains(e, "too long") {
			t.Errorf("got error %q", e)
		}
	})
}

func TestRestart(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{Attempts: 1})
		w := start(t, q)
		for _, n := range []int64{1, 2} {
			queuetest.Accept(t, q, fmt.Sprint("d", n), queue.New, queuetest.Branch(n, "main"))
			w.Next(t).Fail(errors.New("no"))
			queuetest.Eventually(t, "the job is dead", func() bool { return int64(len(dead(t, q))) == n })
		}
		jobs := dead(t, q)
		if err := q.Restart(ctx, jobs[0].Run); err != nil {
			t.Fatal(err)
		}
		run := w.Next(t)
		if run.Repository != 2 || run.Attempt != 1 || !slices.Equal(guids(run.Job), []string{"d2"}) {
			t.Errorf("got job %+v", run.Job)
		}
		run.Fail(errors.New("no"))
		queuetest.Idle(t, q)
		again := dead(t, q)
		if len(again) != 2 || again[0].ID == jobs[0].ID || again[1].ID != jobs[1].ID {
			t.Errorf("a lane keeps one dead job; got %+v after %+v", again, jobs)
		}
		if err := q.Restart(ctx, jobs[0].Run); !errors.Is(err, queue.ErrNotDead) {
			t.Errorf("restarting what is not dead: %v", err)
		}
	})
}
