package queue_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/causaldocs/causal/webhooks/queue"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// pull is the subject of a pull request, from a fork unless that is 0.
func pull(repository int64, number int, fork int64) queue.Subject {
	s := queuetest.Branch(repository, "")
	s.Ref, s.Pull, s.Fork = "", number, fork
	return s
}

// TestOneWorkerEach has a repository, and a fork, ask for much at once.
func TestOneWorkerEach(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{Workers: 6})
		w := start(t, q)
		var all []queue.Subject
		for n := range 10 {
			all = append(all, pull(1, 100+n, 0), pull(1, 200+n, 77), pull(1, 300+n, 78))
		}
		queuetest.Accept(t, q, "a", queue.New, all...)
		running := map[int64]*queuetest.Run{}
		for range 3 {
			r := w.Next(t)
			if running[r.Fork] != nil {
				t.Fatalf("%s and %s run at once", r.Key(), running[r.Fork].Key())
			}
			running[r.Fork] = r
		}
		if r, ok := w.Try(); ok {
			t.Fatalf("%s has a worker, and its turn has not come", r.Key())
		}
		for n := range len(all) - 3 {
			turn := []int64{0, 77, 78}[n%3]
			running[turn].Done()
			if running[turn] = w.Next(t); running[turn].Fork != turn {
				t.Fatalf("%s has a worker, and it is the turn of %d", running[turn].Key(), turn)
			}
		}
		for _, r := range running {
			r.Done()
		}
		queuetest.Idle(t, q)
	})
}

// TestOrderOfWork checks that a worker takes jobs by class, whatever their order of arrival.
func TestOrderOfWork(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{Workers: 1})
		side := queuetest.Branch(4, "next")
		side.Side = true
		queuetest.Accept(t, q, "a", queue.New, pull(1, 1, 99))
		queuetest.Accept(t, q, "b", queue.New, pull(2, 2, 0), side)
		queuetest.Accept(t, q, "c", queue.New, queuetest.Branch(3, "main"))
		w := start(t, q)
		var order []string
		for range 4 {
			r := w.Next(t)
			order = append(order, fmt.Sprint(r.Repository))
			r.Done()
		}
		slices.Sort(order[1:3])
		if !slices.Equal(order, []string{"3", "2", "4", "1"}) {
			t.Errorf("worked in the order %v", order)
		}
	})
}

// TestSweepsYield checks that jobs of a sweep wait for later pushes, unless they are the same.
func TestSweepsYield(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{Workers: 1})
		for n := range int64(4) {
			if err := q.Ask(t.Context(), queue.Sweep, queuetest.Branch(1+n, "main")); err != nil {
				t.Fatal(err)
			}
		}
		queuetest.Accept(t, q, "a", queue.New, queuetest.Branch(9, "main"))
		queuetest.Accept(t, q, "b", queue.New, queuetest.Branch(3, "main"))
		w := start(t, q)
		var order []string
		for range 5 {
			r := w.Next(t)
			order = append(order, fmt.Sprint(r.Repository))
			r.Done()
		}
		slices.Sort(order[:2])
		if !slices.Equal(order[:2], []string{"3", "9"}) {
			t.Errorf("worked in the order %v", order)
		}
	})
}

// TestForksLeaveAWorker has more forks than there are workers ask at once, and then a repository.
func TestForksLeaveAWorker(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{Workers: 3})
		w := start(t, q)
		for n := range int64(10) {
			queuetest.Accept(t, q, fmt.Sprint(n), queue.New, pull(1, int(n)+1, 100+n))
		}
		forks := []*queuetest.Run{w.Next(t), w.Next(t)}
		if r, ok := w.Try(); ok {
			t.Fatalf("%s has the last worker", r.Key())
		}
		queuetest.Accept(t, q, "main", queue.New, queuetest.Branch(1, "main"))
		run := w.Next(t)
		if run.Fork != 0 {
			t.Fatalf("%s has the last worker", run.Key())
		}
		run.Done()
		for _, r := range forks {
			r.Done()
		}
		for range 8 {
			w.Next(t).Done()
		}
		queuetest.Idle(t, q)
	})
}

// TestNothingStarves has work for a fork that has waited for long beside newer work for default branches.
func TestNothingStarves(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		earlier := b.Open(t, queue.Options{Workers: 1})
		queuetest.Accept(t, earlier, "fork", queue.New, pull(1, 1, 99))
		if err := earlier.Close(); err != nil {
			t.Fatal(err)
		}
		_, err := b.Database(t).ExecContext(ctx, "UPDATE river_job SET created_at = '2026-01-02 03:04:05', scheduled_at = '2026-01-02 03:04:05'")
		if err != nil {
			t.Fatal(err)
		}
		q := b.Open(t, queue.Options{Workers: 1})
		for n := range int64(5) {
			queuetest.Accept(t, q, fmt.Sprint(n), queue.New, queuetest.Branch(n+2, "main"))
		}
		w := start(t, q)
		var order []int64
		for range 6 {
			r := w.Next(t)
			order = append(order, r.Fork)
			r.Done()
		}
		if order[0] != 99 {
			t.Errorf("it has to wait for what came after it: %v", order)
		}
	})
}

// TestForkStaysAFork checks that an event without the head repository does not turn a fork's pull request into the repository's own.
func TestForkStaysAFork(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := b.Open(t, queue.Options{})
		queuetest.Accept(t, q, "a", queue.New, pull(1, 1, 99))
		queuetest.Accept(t, q, "b", queue.New, pull(1, 1, 0))
		run := start(t, q).Next(t)
		if run.Fork != 99 {
			t.Errorf("got job %+v", run.Job)
		}
		run.Done()
		queuetest.Idle(t, q)
	})
}
