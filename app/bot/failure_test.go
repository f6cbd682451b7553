package bot_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/webhooks/queue"
)

// failing is a client whose check runs fail, once for each error.
type failing struct {
	bot.Client
	with *[]error
}

func (f failing) Repository(ctx context.Context) (github.Repository, error) {
	if len(*f.with) == 0 {
		return f.Client.Repository(ctx)
	}
	err := (*f.with)[0]
	*f.with = (*f.with)[1:]
	return github.Repository{}, err
}

// TestFailuresAreClassed runs each failure through all its attempts.
func TestFailuresAreClassed(t *testing.T) {
	t.Parallel()
	said := func(kind error) error {
		return fmt.Errorf("look at it: %w", &github.Error{Kind: kind, Doing: "look up the repository"})
	}
	for name, tt := range map[string]struct {
		err    error
		class  queue.Class
		forget int
		asked  int
	}{
		"credentials":          {said(github.ErrCredentials), queue.Denied, 1, 2},
		"suspended":            {said(github.ErrInstallation), queue.Parked, 0, 1},
		"no permission":        {said(github.ErrForbidden), queue.Fatal, 0, 1},
		"GitHub is down":       {said(github.ErrUnavailable), queue.Away, 0, 1},
		"git is down":          {fmt.Errorf("fetch: %w", gitstore.ErrUnavailable), queue.Away, 0, 1},
		"a replica lags":       {fmt.Errorf("fetch: %w", gitstore.ErrUnknownObject), queue.Away, 0, 1},
		"a child was killed":   {fmt.Errorf("%w: signal: killed", sandbox.ErrKilled), queue.Away, 0, 1},
		"the disk is full":     {&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, queue.Away, 0, 1},
		"a limit":              {github.RateLimited{Until: time.Now().Add(7 * 24 * time.Hour)}, queue.Limited, 0, 1},
		"nobody knows what":    {errors.New("name is not valid UTF-8"), queue.Unknown, 0, 1},
		"what was classed":     {queue.Fail(queue.Fatal, said(github.ErrUnavailable)), queue.Fatal, 0, 1},
		"refused without kind": {said(github.ErrRefused), queue.Unknown, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var forgotten, opened int
			errs := slices.Repeat([]error{tt.err}, 9)
			b := bot.New(bot.Config{
				Open: func(context.Context, int64, int64, github.Permissions) (bot.Client, error) {
					opened++
					return failing{with: &errs}, nil
				},
				Forget: func(int64) { forgotten++ }, Reopen: func(int64) { t.Error("nobody asked by hand") },
				Now: time.Now, Logger: slog.New(slog.DiscardHandler),
			})
			// A job that dies writes a check run, which fails here in the same way.
			_, err := b.Handle(t.Context(), queue.Job{Subject: queue.Subject{Repository: 1, Ref: "HEAD"}, Attempt: 1, Attempts: 12})
			if got := queue.ClassOf(err); got != tt.class || forgotten != tt.forget || !errors.Is(err, tt.err) {
				t.Errorf("got %s (%v), want %s; the token was thrown away %d times", got, err, tt.class, forgotten)
			}
			if asked := 9 - len(errs); asked < tt.asked {
				t.Errorf("asked %d times, want %d", asked, tt.asked)
			}
		})
	}
}

// TestOneRefusalIsNoFailure checks that a revoked token is renewed within the run.
func TestOneRefusalIsNoFailure(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	errs := []error{&github.Error{Kind: github.ErrCredentials}}
	f.through = func(c bot.Client) bot.Client { return failing{c, &errs} }
	f.concludes(bot.Updated)
}

// TestToldOnce checks that the head of a reported failure is stored, so no sweep requests it again.
func TestToldOnce(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.sim.Permit("octo", "contents", "read")
	out, err := f.branch()
	if head := f.repo.Head("main"); queue.ClassOf(err) != queue.Fatal || out.Head != head {
		t.Errorf("failed at %q with %v, want %q", out.Head, err, head)
	}
}

// TestWhoAsksByHandIsHeard: GitHub is asked again although it wants no requests yet.
func TestWhoAsksByHandIsHeard(t *testing.T) {
	t.Parallel()
	for event, want := range map[string]int{"restart": 1, "check_run.rerequested": 1, "check_suite.rerequested": 1, "push": 0, "sweep": 0} {
		reopened := 0
		b := bot.New(bot.Config{
			Open: func(context.Context, int64, int64, github.Permissions) (bot.Client, error) {
				return nil, github.RateLimited{Until: time.Now().Add(time.Hour)}
			},
			Reopen: func(int64) { reopened++ }, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
		})
		_, err := b.Handle(t.Context(), queue.Job{Attempt: 1, Attempts: 12, Causes: []queue.Cause{{Event: "push"}, {Event: event}}})
		if reopened != want || queue.ClassOf(err) != queue.Limited {
			t.Errorf("%s: asked %d times more, want %d; %v", event, reopened, want, err)
		}
	}
}
