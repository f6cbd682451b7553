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

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// hub is GitHub as the sweeper uses it. *github.App is one.
type hub interface {
	Deliveries(ctx context.Context, since time.Time) ([]github.Delivery, error)
	Redeliver(ctx context.Context, id int64) error
	Installations(ctx context.Context) ([]github.Installation, error)
	Repositories(ctx context.Context, installation int64) ([]github.Repository, error)
	Heads(ctx context.Context, installation int64, list []github.Repository, since time.Time) ([]github.Heads, error)
}

// wanting is the queue as the sweeper uses it. *queue.Queue is one.
type wanting interface {
	Wanted(ctx context.Context, guid string) (bool, error)
	Wake(ctx context.Context, installation int64) error
	Head(ctx context.Context, lane string) (string, error)
	Ask(ctx context.Context, cause string, s queue.Subject) error
}

// sweeper finds what got lost on the way: deliveries that did not arrive, and branches and pull requests that moved while nobody looked.
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
	// asked are the heads of pull requests that this sweep has asked for, and before those of the last one. What fails is not asked
	// for again and again: what a stranger proposes may be made to fail.
	asked, before map[string]string
	// looked is when deliveries were last looked at and nothing was left.
	looked time.Time
}

// kept is how long GitHub is sure to keep deliveries for redelivery.
const kept = 3 * 24 * time.Hour

// overlap is how far back deliveries are looked at that were looked at before: a redelivery has a time of its own, and what was on
// its way then has failed by now.
const overlap = 10 * time.Minute

// young is how long a delivery may still be on its way.
const young = 30 * time.Second

// installationsAtOnce is how many installations are looked at at once. GitHub allows a hundred requests at a time.
const installationsAtOnce = 32

// mostFailures is how many failures of one sweep are logged.
const mostFailures = 10

// run sweeps at once and then again and again until the context ends. Lost deliveries do not wait for the heads of
// all repositories, which take long.
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

// deliveries asks GitHub to deliver again what our server never took.
func (s *sweeper) deliveries(ctx context.Context) error {
	now, since := s.now(), s.now().Add(-kept)
	if again := s.looked.Add(-overlap); again.After(since) {
		since = again
	}
	list, err := s.app.Deliveries(ctx, since)
	if err != nil {
		return err
	}
	var refused error // the first
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
			continue // it came, and the answer got lost
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

// hopeless reports whether what comes next would fail as well. A failure that is one repository's, or one delivery's, must
// not keep the sweep from all that come after it: they would never be reached.
func hopeless(ctx context.Context, err error) bool {
	var limited github.RateLimited
	return err != nil && (ctx.Err() != nil || errors.As(err, &limited) || errors.Is(err, github.ErrCredentials))
}

// heads asks for every default branch and open pull request whose head is not the one that was looked at last.
func (s *sweeper) heads(ctx context.Context) error {
	installations, err := s.app.Installations(ctx)
	if err != nil {
		return err
	}
	s.before, s.asked = s.asked, map[string]string{}
	all := make(chan int64)
	go func() {
		defer close(all)
		for _, i := range installations {
			if !i.Suspended && ctx.Err() == nil {
				all <- i.ID
			}
		}
	}()
	var failed []error
	var workers sync.WaitGroup
	for range installationsAtOnce {
		workers.Go(func() {
			for id := range all {
				if err := errors.Join(s.queue.Wake(ctx, id), s.installation(ctx, id)); err != nil {
					s.mu.Lock()
					failed = append(failed, err)
					s.mu.Unlock()
				}
			}
		})
	}
	workers.Wait()
	if more := len(failed) - mostFailures; more > 0 {
		failed = append(failed[:mostFailures], fmt.Errorf("%d more installations failed", more))
	}
	return errors.Join(append(failed, ctx.Err())...)
}

// installation asks for those of one installation. A rate limit is one installation's too.
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
	for _, h := range found { // also before a rate limit: the next sweep begins where this one did, and may come no further
		r := byID[h.Repository]
		if err := s.ask(ctx, queue.Subject{Installation: id, Repository: r.ID, Owner: r.Owner, Name: r.Name}, h); err != nil {
			return err
		}
	}
	return failed
}

// ask asks for the default branch and the pull requests of a repository whose head is not the one that was looked at last.
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
		pull.Pull, pull.Fork = number, queue.UnknownFork // which costs a pull request of the repository itself no more than its turn
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
