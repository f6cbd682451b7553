package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/web"
	"github.com/causaldocs/causal/webhooks/queue"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// TestWhoMayRestart checks that users with push access can restart dead and waiting jobs, and see the button. Numbers of waiting jobs are
// also run numbers of others.
func TestWhoMayRestart(t *testing.T) {
	t.Parallel()
	const mine, theirs = 1, 2
	q := queuetest.SQLite(t).Open(t, queue.Options{Look: 5 * time.Millisecond})
	last := make(chan int64, 1)
	err := q.Start(t.Context(), queue.HandlerFunc(func(_ context.Context, j queue.Job) (queue.Outcome, error) {
		defer func() { last <- j.Run }()
		if j.Ref == "refs/heads/dead" {
			return queue.Outcome{}, queue.Fail(queue.Fatal, errors.New("no"))
		}
		return queue.Outcome{}, queue.Later(errors.New("not now"), time.Hour)
	}))
	if err != nil {
		t.Fatal(err)
	}
	guid := 0
	run := func(repository int64, branch string) int64 {
		guid++
		queuetest.Accept(t, q, fmt.Sprint(guid), queue.New, queuetest.Branch(repository, branch))
		return <-last
	}
	for range 10 { // each event wakes the same job, so there are more runs than jobs
		run(mine, "waits")
	}
	run(mine, "dead")
	run(theirs, "waits")
	run(theirs, "dead")
	person := &source{queue: q, log: slog.New(slog.DiscardHandler), scope: queue.Scope{Repositories: []int64{mine, theirs}}, pushes: []int64{mine}}
	var jobs []web.Job
	queuetest.Eventually(t, "all have ended", func() bool {
		jobs, err = person.Jobs(t.Context(), queue.Filter{Limit: 10})
		ended := 0
		for _, j := range jobs {
			if j.State == queue.Dead || j.State == queue.Waiting {
				ended++
			}
		}
		return err == nil && ended == 4
	})
	for _, j := range jobs {
		if want := j.Repository == "octo/repo1"; j.Restarts != want {
			t.Errorf("%+v: it restarts: %t, want %t", j, j.Restarts, want)
		}
		if j.State == queue.Waiting && j.Repository == "octo/repo2" {
			if err := person.Restart(t.Context(), j.ID); !errors.Is(err, web.ErrNotDead) {
				t.Errorf("their job %d is started by a run of that number: %v", j.ID, err)
			}
		}
	}
	for _, j := range jobs {
		if err := person.Restart(t.Context(), j.Run); errors.Is(err, web.ErrNotDead) == j.Restarts {
			t.Errorf("%+v: %v", j, err)
		} else if j.Restarts && <-last <= j.Run {
			t.Errorf("%+v is not run again", j)
		}
	}
}
