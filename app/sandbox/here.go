package sandbox

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"math"
)

// Here performs a task in this process without limits, for tests. Parent and child exchange the same messages, and the
// result passes the same checks. Programs must not use it, which .ci/dead checks.
func Here(ctx context.Context, task Task, origin Origin) (*Result, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	orders, in := io.Pipe()
	out, answers := io.Pipe()
	ended := make(chan struct{})
	go func() {
		err := serve(ctx, orders, answers, func(Limits) error { return nil })
		_ = answers.CloseWithError(cmp.Or(err, io.EOF))
		_ = orders.Close()
		close(ended)
	}()
	c := &conversation{in: in, out: bufio.NewReader(out), from: newServer(task, origin), clock: newClock(math.MaxInt64, stop)}
	result, err := c.hold(ctx, newOrder(task, DefaultLimits()))
	_, _ = in.Close(), out.Close()
	<-ended
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	case result == nil:
		return nil, c.failure()
	}
	return result, nil
}
