package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/webhooks/queue"
)

// sweeper finds what got lost on the way: deliveries that did not arrive, and branches that moved while nobody looked.
type sweeper struct {
	app   *github.App
	queue *queue.Queue
	now   func() time.Time
	log   *slog.Logger
	every time.Duration
	open  func(ctx context.Context, installation, repository int64, p github.Permissions) (bot.Client, error)
	tidy  func() error
	allow allowList
}

// reading is all that the sweeper may do with a repository.
var reading = github.Permissions{"contents": "read", "metadata": "read"}

// kept is how long GitHub is sure to keep deliveries for redelivery.
const kept = 3 * 24 * time.Hour

// young is how long a delivery may still be on its way.
const young = 30 * time.Second

// run sweeps at once and then again and again until the context ends.
func (s *sweeper) run(ctx context.Context) {
	ticker := time.NewTicker(s.every)
	defer ticker.Stop()
	for {
		if err := s.sweep(ctx); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "the sweep could not look at everything; the next one tries again", "error", github.Redact(err.Error()))
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (s *sweeper) sweep(ctx context.Context) error {
	return errors.Join(s.deliveries(ctx), s.heads(ctx), s.tidy())
}

// deliveries asks GitHub to deliver again what our server never took.
func (s *sweeper) deliveries(ctx context.Context) error {
	list, err := s.app.Deliveries(ctx, s.now().Add(-kept))
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
	return refused
}

// hopeless reports whether what comes next would fail as well. A failure that is one repository's, or one delivery's, must
// not keep the sweep from all that come after it: they would never be reached.
func hopeless(ctx context.Context, err error) bool {
	var limited github.RateLimited
	return err != nil && (ctx.Err() != nil || errors.As(err, &limited) || errors.Is(err, github.ErrCredentials))
}

// heads asks for every default branch whose head is not the one that was looked at last.
func (s *sweeper) heads(ctx context.Context) error {
	installations, err := s.app.Installations(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, i := range installations {
		if !i.Suspended {
			failed = errors.Join(failed, s.installation(ctx, i.ID))
		}
	}
	return failed
}

// installation asks for those of one installation. A rate limit is one installation's too.
func (s *sweeper) installation(ctx context.Context, id int64) error {
	repositories, err := s.app.Repositories(ctx, id)
	if err != nil {
		return fmt.Errorf("list the repositories of installation %d: %w", id, err)
	}
	var failed error // the first
	for _, r := range repositories {
		err := s.head(ctx, id, r)
		if hopeless(ctx, err) {
			return err
		}
		if err != nil {
			failed = cmp.Or(failed, fmt.Errorf("look at %s/%s: %w", r.Owner, r.Name, err))
		}
	}
	return failed
}

func (s *sweeper) head(ctx context.Context, installation int64, r github.Repository) error {
	if r.Archived || r.Empty || !s.allow.allows(r.Owner, r.Name) {
		return nil
	}
	subject := queue.Subject{Installation: installation, Repository: r.ID, Owner: r.Owner, Name: r.Name, Ref: "refs/heads/" + r.DefaultBranch}
	last, err := s.queue.Head(ctx, subject.Key())
	if err != nil {
		return err
	}
	client, err := s.open(ctx, installation, r.ID, reading)
	if err != nil {
		return err
	}
	branch, err := client.Branch(ctx, r.DefaultBranch)
	if errors.Is(err, github.ErrGone) || errors.Is(err, github.ErrEmpty) {
		return nil
	}
	if err != nil || branch.Head == last {
		return err
	}
	return s.queue.Ask(ctx, "sweep", subject)
}
