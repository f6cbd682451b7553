package testrun

import (
	"context"
	"time"
)

// LimitCalls bounds the duration of one call.
func (r *Runner) LimitCalls(d time.Duration) { r.callLimit = d }

// Repeat sets how often later runs repeat a test, however long that takes.
func (r *Runner) Repeat(times int) { r.repeats = times }

// Ask asks the model for cases, and returns how many it proposes for each job.
func (r *Runner) Ask(ctx context.Context, jobs []*Job) (proposed []int, err error) {
	err = r.ask(ctx, jobs)
	for _, j := range jobs {
		proposed = append(proposed, len(j.proposed))
	}
	return proposed, err
}
