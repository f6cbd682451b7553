package server

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/webhooks/queue"
)

// AdminAddr is where the admin port listens: tests leave the choice of it to the system.
func (s *Server) AdminAddr() string { return s.admin.Addr().String() }

// Analysing replaces the function that runs the bot's tasks.
func (o Options) Analysing(do func(context.Context, sandbox.Task, sandbox.Origin) (*sandbox.Result, error)) Options {
	o.analyse = do
	return o
}

// OpenData makes the data directory ready.
func OpenData(dir string) error { return openData(dir) }

// SweepOnce sweeps once for an App, as a server does that has kept nothing yet.
func SweepOnce(ctx context.Context, dir, url string, id int64, key string) (err error) {
	app, err := github.NewApp(github.Config{ID: id, PrivateKey: []byte(key), Options: github.Options{BaseURL: url}})
	if err != nil {
		return err
	}
	q, err := queue.Open(ctx, "sqlite://"+filepath.Join(dir, "causal.db"), queue.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, q.Close()) }()
	s := &sweeper{app: app, queue: q, now: time.Now, log: slog.New(slog.DiscardHandler)}
	return errors.Join(s.deliveries(ctx), s.heads(ctx))
}

// PublicAddr is where the server listens, whatever its public address is.
func (s *Server) PublicAddr() string { return s.public.Addr().String() }
