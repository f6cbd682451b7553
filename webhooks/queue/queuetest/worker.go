package queuetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
)

// Worker is a handler whose runs the test ends.
type Worker struct {
	runs chan *Run

	mu      sync.Mutex
	busy    map[string]int
	overlap string
}

// Run is a run that has started.
type Run struct {
	queue.Job
	Context context.Context //nolint:containedctx // what the handler was given is what the test looks at
	reply   chan reply
}

type reply struct {
	outcome queue.Outcome
	err     error
	panics  any
}

// NewWorker returns a worker.
func NewWorker() *Worker { return &Worker{runs: make(chan *Run), busy: map[string]int{}} }

// Handle implements queue.Handler. It passes the run to the test.
func (w *Worker) Handle(ctx context.Context, j queue.Job) (queue.Outcome, error) {
	w.count(j.Key(), 1)
	defer w.count(j.Key(), -1)
	run := &Run{j, ctx, make(chan reply, 1)}
	select {
	case w.runs <- run:
	case <-ctx.Done():
		return queue.Outcome{}, context.Cause(ctx)
	}
	select {
	case r := <-run.reply:
		if r.panics != nil {
			panic(r.panics)
		}
		return r.outcome, r.err
	case <-ctx.Done():
		return queue.Outcome{}, context.Cause(ctx)
	}
}

func (w *Worker) count(key string, by int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy[key] += by
	if w.busy[key] > 1 {
		w.overlap = key
	}
}

// Next waits for the next run.
func (w *Worker) Next(t testing.TB) *Run {
	t.Helper()
	select {
	case r := <-w.runs:
		return r
	case <-time.After(Deadline):
		t.Fatal("no run has started")
		return nil
	}
}

// Done ends the run successfully.
func (r *Run) Done() { r.reply <- reply{outcome: queue.Outcome{Conclusion: "updated"}} }

// End ends the run with an outcome.
func (r *Run) End(o queue.Outcome) { r.reply <- reply{outcome: o} }

// Fail ends the run with an error.
func (r *Run) Fail(err error) { r.reply <- reply{err: err} }

// EndWith ends the run with an outcome and an error.
func (r *Run) EndWith(o queue.Outcome, err error) { r.reply <- reply{outcome: o, err: err} }

// Panic ends the run with a panic.
func (r *Run) Panic(value any) { r.reply <- reply{panics: value} }

// Try returns a started run without waiting.
func (w *Worker) Try() (*Run, bool) {
	select {
	case r := <-w.runs:
		return r, true
	case <-time.After(time.Millisecond):
		return nil, false
	}
}

// Overlap returns a lane that had two concurrent runs; empty if there was none.
func (w *Worker) Overlap() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.overlap
}
