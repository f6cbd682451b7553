package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// hub is the GitHub API of the sweeper. *github.App implements it.
type hub interface {
	Deliveries(ctx context.Context, since time.Time) ([]github.Delivery, error)
	Redeliver(ctx context.Context, id int64) error
	Installations(ctx context.Context) ([]github.Installation, error)
	Repositories(ctx context.Context, installation int64) ([]github.Repository, error)
	Heads(ctx context.Context, installation int64, list []github.Repository, since time.Time) ([]github.Heads, error)
}

// wanting is the part of the queue that the sweeper uses. *queue.Queue implements it.
type wanting interface {
	Wanted(ctx context.Context, guid string) (bool, error)
	Wake(ctx context.Context, installation int64) error
	Head(ctx context.Context, lane string) (string, error)
	Ask(ctx context.Context, cause string, s queue.Subject) error
}

// sweeper finds lost work: deliveries that did not arrive, and branches and pull requests that moved without an event.
type sweeper struct {
	app   hub
	queue wanting
	now   func() time.Time
	log   *slog.Logger
	every time.Duration
	tidy  func() error
	allow allowList
	swept func(part string, began time.Time) // called after each complete sweep

	mu sync.Mutex
	// asked has the queued heads of pull requests in this sweep, and before those of the last one. They prevent
	// repeated jobs for pull requests that always fail, possibly on purpose.
	asked, before map[string]string
	// looked is the time of the last complete sweep of deliveries.
	looked time.Time
}

// kept is how long GitHub guarantees redelivery.
const kept = 3 * 24 * time.Hour

// overlap is the time before the last sweep that is checked again: deliveries pending then may have failed, and a
// redelivery has a new time.
const overlap = 10 * time.Minute

// young is how long a delivery may still be in transit.
const young = 30 * time.Second

// installationsAtOnce limits the concurrent installations. GitHub allows a hundred concurrent requests.
const installationsAtOnce = 32

const mostFailures = 10

// run sweeps immediately and then periodically until the context ends. Deliveries do not wait for the slow check of all
// heads.
func (s *sweeper) run(ctx context.Context) {
	var parts sync.WaitGroup
	parts.Go(func() { s.repeat(ctx, webhooks.SweepDeliveries, s.deliveries) })
	parts.Go(func() {
		s.repeat(ctx, webhooks.SweepHeads, func(ctx context.Context) error { return errors.Join(s.heads(ctx), s.tidy()) })
	})
	parts.Wait()
}

func (s *sweeper) repeat(ctx context.Context, part string, sweep func(context.Context) error) {
	ticker := time.NewTicker(s.every)
	defer ticker.Stop()
	for {
		began := s.now()
		switch err := sweep(ctx); {
		case err == nil:
			s.swept(part, began)
		case ctx.Err() == nil:
			s.log.WarnContext(ctx, "the sweep is incomplete; the next one tries again", "part", part, "error", github.Redact(err.Error()))
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (s *sweeper) deliveries(ctx context.Context) error {
	now, since := s.now(), s.now().Add(-kept)
	if again := s.looked.Add(-overlap); again.After(since) {
		since = again
	}
	list, err := s.app.Deliveries(ctx, since)
	if err != nil {
		return err
	}
	var refused error
	arrived := map[string]bool{}
	for _, d := range list {
		arrived[d.GUID] = arrived[d.GUID] || d.OK() || s.now().Sub(d.At) < young
	}
	for _, d := range list { // the latest attempt first
		if arrived[d.GUID] {
			continue
		}
		arrived[d.GUID] = true
		if wanted, err := s.queue.Wanted(ctx, d.GUID); err != nil {
			return err
		} else if !wanted {
			continue // it arrived, but the response was lost
		}
		if err := s.app.Redeliver(ctx, d.ID); hopeless(ctx, err) {
			return err
		} else if err != nil {
			refused = cmp.Or(refused, fmt.Errorf("delivery %s: %w", d.GUID, err))
			continue
		}
		s.log.InfoContext(ctx, "asked for a delivery again", "delivery", d.GUID, "event", d.Event)
	}
	if refused == nil {
		s.looked = now
	}
	return refused
}

// hopeless reports whether the next request would fail too. Failures of one repository or delivery must not stop the
// sweep, or later ones would never be reached.
func hopeless(ctx context.Context, err error) bool {
	var limited github.RateLimited
	return err != nil && (ctx.Err() != nil || errors.As(err, &limited) || errors.Is(err, github.ErrCredentials))
}

func (s *sweeper) heads(ctx context.Context) error {
	installations, err := s.app.Installations(ctx)
	if err != nil {
		return err
	}
	s.before, s.asked = s.asked, map[string]string{}
	var failed []error
	var workers errgroup.Group
	workers.SetLimit(installationsAtOnce)
	for _, i := range installations {
		if i.Suspended || ctx.Err() != nil {
			continue
		}
		workers.Go(func() error {
			err := errors.Join(s.queue.Wake(ctx, i.ID), s.installation(ctx, i.ID))
			if err != nil {
				s.mu.Lock()
				failed = append(failed, err)
				s.mu.Unlock()
			}
			return err
		})
	}
	_ = workers.Wait() // it has one of the errors
	if more := len(failed) - mostFailures; more > 0 {
		failed = append(failed[:mostFailures], fmt.Errorf("%d more installations failed", more))
	}
	return errors.Join(append(failed, ctx.Err())...)
}

func (s *sweeper) installation(ctx context.Context, id int64) error {
	all, err := s.app.Repositories(ctx, id)
	if err != nil {
		return fmt.Errorf("list the repositories of installation %d: %w", id, err)
	}
	byID := map[int64]github.Repository{}
	for _, r := range all {
		byID[r.ID] = r
	}
	wanted := slices.DeleteFunc(all, func(r github.Repository) bool { return r.Archived || r.Empty || !s.allow.allows(r.Owner, r.Name) })
	found, failed := s.app.Heads(ctx, id, wanted, s.now().Add(-kept))
	for _, h := range found { // also after a rate limit: the next sweep starts over and may get no further
		r := byID[h.Repository]
		if err := s.ask(ctx, queue.Subject{Installation: id, Repository: r.ID, Owner: r.Owner, Name: r.Name}, h); err != nil {
			return err
		}
	}
	return failed
}

func (s *sweeper) ask(ctx context.Context, subject queue.Subject, h github.Heads) error {
	if h.Head != "" {
		branch := subject
		branch.Ref = "refs/heads/" + h.Branch
		if last, err := s.queue.Head(ctx, branch.Key()); err != nil {
			return err
		} else if last != h.Head {
			if err := s.queue.Ask(ctx, queue.Sweep, branch); err != nil {
				return err
			}
		}
	}
	for _, number := range slices.Sorted(maps.Keys(h.Pulls)) {
		pull := subject
		pull.Pull, pull.Fork = number, queue.UnknownFork // costs a pull request of the repository itself only its priority
		last, err := s.queue.Head(ctx, pull.Key())
		if err != nil {
			return err
		}
		if last == h.Pulls[number] {
			continue
		}
		s.mu.Lock()
		s.asked[pull.Key()] = h.Pulls[number]
		s.mu.Unlock()
		if s.before[pull.Key()] == h.Pulls[number] {
			continue
		}
		if err := s.queue.Ask(ctx, queue.Sweep, pull); err != nil {
			return err
		}
	}
	return nil
}
