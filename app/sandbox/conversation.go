package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

type conversation struct {
	in     io.Writer // of the child
	out    io.Reader
	from   server
	clock  *clock
	at     string  // the last place that the child reported
	failed *failed // the child's error
}

// mostNews limits the progress messages of a child.
const mostNews = 100_000

const longestPlace = 300

// hold sends the task and serves requests until there is a result. It returns pipe and protocol errors; an error that
// the child reported is in failed.
func (c *conversation) hold(ctx context.Context, o order) (*Result, error) {
	if err := send(c.in, message{Task: &o}); err != nil {
		return nil, err
	}
	for range mostNews {
		m, err := receive(c.out)
		switch {
		case err != nil:
			return nil, err
		case m.Result != nil:
			return m.Result, m.Result.check(o.Task)
		case m.Failed != nil:
			c.failed = m.Failed
			return nil, nil
		case m.Ask != nil:
			if err := c.answer(ctx, *m.Ask); err != nil {
				return nil, err
			}
		case m.At != "":
			c.at = m.At[:min(len(m.At), longestPlace)]
		default:
			return nil, errMessage
		}
	}
	return nil, fmt.Errorf("%w: it does not stop talking", errMessage)
}

// answer serves one request. The child's clock is paused meanwhile.
func (c *conversation) answer(ctx context.Context, a ask) error {
	c.clock.pause()
	defer c.clock.resume()
	got, err := c.from.serve(ctx, a)
	if err != nil {
		return err
	}
	return send(c.in, message{Answer: &got})
}

func (c *conversation) failure() error {
	switch {
	case c.failed.Asked && c.from.failed != nil:
		return c.from.failed
	case c.failed.Refused:
		return &RefusedError{clip(c.failed.Text)}
	}
	return errors.New(clip(c.failed.Text))
}

const longestProblem = 4 << 10

func clip(text string) string { return text[:min(len(text), longestProblem)] }

type clock struct {
	mu    sync.Mutex
	left  time.Duration
	since time.Time
	timer *time.Timer
}

func newClock(d time.Duration, over func()) *clock {
	return &clock{left: d, since: time.Now(), timer: time.AfterFunc(d, over)}
}

func (c *clock) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer.Stop() {
		c.left -= time.Since(c.since)
	}
}

func (c *clock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since = time.Now()
	c.timer.Reset(max(c.left, 0))
}
