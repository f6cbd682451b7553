package server

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// crowd is a GitHub with very many installations, which counts the requests that it would be asked. Each installation has one repository,
// that of the last one has moved, and the delivery of that was lost.
type crowd struct {
	installations int
	now           time.Time
	rate          float64 // deliveries a second

	mu        sync.Mutex
	requests  map[string]int
	busy      int
	most      int
	full      chan struct{} // closed when as many installations are looked at as may be at once
	redeliver []int64
	asked     []queue.Subject
}

const page = 100

func (c *crowd) count(part string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests[part] += n
}

func (c *crowd) Deliveries(_ context.Context, since time.Time) ([]github.Delivery, error) {
	const longest = 20_000 // the limit of the client
	c.count(webhooks.SweepDeliveries, 1+min(longest, int(c.rate*c.now.Sub(since).Seconds()))/page)
	return []github.Delivery{{ID: 5, GUID: "lost", At: c.now.Add(-time.Minute), StatusCode: 502}}, nil
}

func (c *crowd) Redeliver(_ context.Context, id int64) error {
	c.count(webhooks.SweepDeliveries, 1)
	c.redeliver = append(c.redeliver, id)
	return nil
}

func (c *crowd) Installations(context.Context) ([]github.Installation, error) {
	c.count("list", c.installations/page)
	out := make([]github.Installation, c.installations)
	for i := range out {
		out[i].ID = int64(i + 1)
	}
	return out, nil
}

// Repositories waits until as many are asked for at once as may be.
func (c *crowd) Repositories(_ context.Context, id int64) ([]github.Repository, error) {
	c.count(webhooks.SweepHeads, 2) // a token, and the list
	c.mu.Lock()
	c.busy++
	if c.busy > c.most {
		if c.most = c.busy; c.most == installationsAtOnce {
			close(c.full)
		}
	}
	c.mu.Unlock()
	<-c.full
	c.mu.Lock()
	c.busy--
	c.mu.Unlock()
	return []github.Repository{{ID: id, Owner: "octo", Name: "shop"}}, nil
}

func (c *crowd) Heads(_ context.Context, id int64, list []github.Repository, _ time.Time) ([]github.Heads, error) {
	c.count(webhooks.SweepHeads, 2) // a token, and the query
	head := "known"
	if id == int64(c.installations) {
		head = "moved"
	}
	return []github.Heads{{Repository: list[0].ID, Branch: "main", Head: head, Pulls: map[int]string{1: "known"}}}, nil
}

func (*crowd) Wanted(context.Context, string) (bool, error) { return true, nil }
func (*crowd) Wake(context.Context, int64) error            { return nil }
func (*crowd) Head(context.Context, string) (string, error) { return "known", nil }

func (c *crowd) Ask(_ context.Context, _ string, s queue.Subject) error {
	c.asked = append(c.asked, s)
	return nil
}

// TestSweepOfManyInstallations: with ten thousand installations, a lost delivery and a moved head are found within ten minutes, also just
// after the start, when no token is known, and at the busiest time of the day.
func TestSweepOfManyInstallations(t *testing.T) {
	t.Parallel()
	const (
		installations = 10_000
		request       = 150 * time.Millisecond
		bound         = 10 * time.Minute
	)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := &crowd{installations: installations, now: now, rate: 36, requests: map[string]int{}, full: make(chan struct{})}
	s := &sweeper{app: c, queue: c, now: func() time.Time { return now }, log: slog.New(slog.DiscardHandler), looked: now.Add(-everySweep)}
	if err := s.deliveries(t.Context()); err != nil || len(c.redeliver) != 1 {
		t.Errorf("asked for again: %v, %v", c.redeliver, err)
	}
	if err := s.heads(t.Context()); err != nil || len(c.asked) != 1 || c.asked[0].Repository != installations {
		t.Errorf("asked for: %+v, %v", c.asked, err)
	}
	if c.most != installationsAtOnce {
		t.Errorf("%d installations were looked at at once, want %d", c.most, installationsAtOnce)
	}
	deliveries := everySweep + time.Duration(c.requests[webhooks.SweepDeliveries])*request
	heads := everySweep + time.Duration(c.requests["list"]+c.requests[webhooks.SweepHeads]/installationsAtOnce)*request
	t.Logf("a lost delivery is found after %s at most, a head after %s; requests: %v", deliveries, heads, c.requests)
	if deliveries > bound || heads > bound {
		t.Errorf("a lost delivery is found after %s, a head after %s, want %s at most", deliveries, heads, bound)
	}
}
