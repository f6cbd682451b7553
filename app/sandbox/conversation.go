package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// conversation is what a parent and one child say to each other.
type conversation struct {
	in     io.Writer // of the child
	out    io.Reader
	from   server
	clock  *clock
	at     string  // what the child said last that it is at
	failed *failed // what it said in the end
}

// mostNews is how often a child may say what it is at.
const mostNews = 100_000

// longestPlace is how many bytes are kept of what a child is at.
const longestPlace = 300

// hold gives the task, and talks until there is a result. An error is that of the pipe, or of a child that does not keep to the
// protocol; a child that fails as it should is in failed.
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

// answer serves one ask. The child's time does not run meanwhile.
func (c *conversation) answer(ctx context.Context, a ask) error {
	c.clock.pause()
	defer c.clock.resume()
	got, err := c.from.serve(ctx, a)
	if err != nil {
		return err
	}
	return send(c.in, message{Answer: &got})
}

// failure is the error that the child told of.
func (c *conversation) failure() error {
	switch {
	case c.failed.Asked && c.from.failed != nil:
		return c.from.failed
	case c.failed.Refused:
		return &RefusedError{clip(c.failed.Text)}
	}
	return errors.New(clip(c.failed.Text))
}

// longestProblem is how many bytes of an error are kept.
const longestProblem = 4 << 10

func clip(text string) string { return text[:min(len(text), longestProblem)] }

// clock calls a function when a time is over, and can be stopped meanwhile.
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
