package queue_test

import (
	"errors"
	"testing"

	"github.com/causaldocs/causal/webhooks/queue"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// TestDeadJobsStayWhenOldOnesAreRemoved checks that River removes old finished jobs and keeps dead ones.
func TestDeadJobsStayWhenOldOnesAreRemoved(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		first := b.Open(t, queue.Options{Attempts: 1})
		w := start(t, first)
		queuetest.Accept(t, first, "a", queue.New, queuetest.Branch(1, "main"))
		w.Next(t).Fail(errors.New("no"))
		queuetest.Idle(t, first)
		queuetest.Accept(t, first, "b", queue.New, queuetest.Branch(2, "main"))
		w.Next(t).End(queue.Outcome{})
		queuetest.Idle(t, first)
		if err := errors.Join(first.Stop(ctx), first.Close()); err != nil {
			t.Fatal(err)
		}
		raw := b.Database(t)
		if _, err := raw.Exec("UPDATE river_job SET finalized_at = '2001-01-01 00:00:00' WHERE state = 'completed'"); err != nil {
			t.Fatal(err)
		}

		second := b.Open(t, queue.Options{})
		start(t, second)
		queuetest.Eventually(t, "the old job is removed", func() bool {
			var n int
			if err := raw.QueryRow("SELECT count(*) FROM river_job WHERE kind = 'lane'").Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n == 0
		})
		if left := dead(t, second); len(left) != 1 || left[0].Subject.Repository != 1 {
			t.Errorf("dead are %+v, want that of repository 1", left)
		}
	})
}
