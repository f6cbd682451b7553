package server

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/web"
	"github.com/causaldocs/causal/knowledge/buildinfo"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// activate starts the App with its credentials.
func (s *Server) activate(ctx context.Context, c web.Credentials) error {
	host := cmp.Or(c.Host, s.o.GitHubURL)
	app, err := github.NewApp(github.Config{ID: c.ID, PrivateKey: []byte(c.PrivateKey), Options: github.Options{
		BaseURL: host, Now: s.o.Now, Logger: s.log, Rate: func(r github.Rate) { s.metrics.RateRemaining(r.Installation, r.Resource, r.Remaining) },
		Answered: func(ctx context.Context, a github.Answer) {
			s.metrics.GitHubAnswered(a.Method, a.Endpoint, a.Outcome, a.Took)
			s.spans.answered(ctx, a, s.o.Now())
		},
	}})
	if err != nil {
		return err
	}
	login := ""
	if c.Slug != "" {
		login = c.Slug + "[bot]"
	}
	door, err := webhooks.New(webhooks.Config{
		Secrets: append([]string{c.WebhookSecret}, s.o.Secrets...), Inbox: s.queue, Bot: func() string { return login }, Own: own, Rules: store.Config,
		Allowed: allowList(s.o.Allow).allows,
		Now:     s.o.Now, Logger: s.log, Metrics: s.metrics,
	})
	if err != nil {
		return err
	}
	source := s.source(app, host)
	people, err := newPeople(c, source, github.Options{BaseURL: host, Now: s.o.Now, Logger: s.log})
	if err != nil {
		return err
	}
	pages, err := web.New(web.Options{
		Source: source, People: people, Key: derived(c, "sessions of people"), URL: s.o.PublicURL, Token: s.o.StatusToken, TokenSetting: TokenSetting, Build: buildinfo.Read(), Now: s.o.Now, Logger: s.log,
	})
	if err != nil {
		return err
	}
	analyse := s.o.analyse
	if analyse == nil {
		children, err := sandbox.Self(s.o.Limits, func(ctx context.Context, text string) {
			s.log.WarnContext(ctx, "an analysis reported a problem", "text", text)
		})
		if err != nil {
			return err
		}
		analyse = children.Run
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	a := &active{door: door, deliveries: s.spans.door(door, s.o.Now), pages: pages, stop: stop, stopped: make(chan struct{})}
	worker := s.handler(app, c, analyse)
	if err := s.queue.Start(running, s.spans.work(allowList(s.o.Allow).only(worker))); err != nil {
		stop()
		return err
	}
	sweeper := &sweeper{app: app, queue: s.queue, now: s.o.Now, log: s.log, every: s.o.Sweep, tidy: worker.Tidy, allow: s.o.Allow, swept: s.metrics.Swept}
	go func() {
		defer close(a.stopped)
		sweeper.run(running)
	}()
	s.active.Store(a)
	return nil
}

// Examine lists the problems of the App's settings on GitHub.
func Examine(ctx context.Context, o Options) ([]github.Problem, error) {
	app, err := github.NewApp(github.Config{ID: o.Credentials.ID, PrivateKey: []byte(o.Credentials.PrivateKey), Options: github.Options{
		BaseURL: cmp.Or(o.Credentials.Host, o.GitHubURL), Now: o.Now,
	}})
	if err != nil {
		return nil, err
	}
	want := github.Setup{Permissions: github.Permissions{}}
	for _, g := range web.Grants {
		want.Permissions[g.Name] = g.Level
	}
	for _, e := range webhooks.Events {
		if !e.Always() {
			want.Events = append(want.Events, e.Name)
		}
	}
	if o.PublicURL != "" {
		want.WebhookURL = o.PublicURL + webhooks.DefaultPath
	}
	return app.Examine(ctx, want)
}

func opener(app *github.App) func(context.Context, int64, int64, github.Permissions) (bot.Client, error) {
	return func(ctx context.Context, installation, repository int64, p github.Permissions) (bot.Client, error) {
		return app.Installation(ctx, installation, repository, p)
	}
}

// derived returns a secret for one purpose, derived from the App's private key: signed comments and encrypted cookies
// must be valid on every replica and after a restart.
func derived(c web.Credentials, purpose string) []byte {
	key := hmac.New(sha256.New, []byte(c.PrivateKey))
	key.Write([]byte(purpose))
	return key.Sum(nil)
}

func (s *Server) handler(app *github.App, c web.Credentials, analyse analysed) *bot.Bot {
	return bot.New(bot.Config{
		Open: s.spans.open(opener(app)), Dir: s.o.Data, Secret: derived(c, "state of pull requests"), Commits: s.commits, Last: s.queue.Head, Ask: s.queue.Ask,
		Lacks: (&lacks{ask: app.Lacks, now: s.o.Now}).of, Forget: app.Forget, Reopen: app.Reopen, Now: s.o.Now, Sleep: github.Sleep, Logger: s.log,
		RunsURL: func(q queue.Subject) string { return runsURL(s.o.PublicURL, q) }, Run: s.spans.run(analyse),
		Model:  s.modelOf(&model.Quota{Tokens: s.o.Model.Tokens, Now: s.o.Now}),
		Signer: func(repository int64) (*ledger.Signer, error) { return signer(c, repository) },
	})
}

// signer returns the signer for the log of one repository. Each repository has a separate key.
func signer(c web.Credentials, repository int64) (*ledger.Signer, error) {
	return ledger.SignerOf(derived(c, fmt.Sprintf("checkpoints of repository %d", repository)), cmp.Or(c.Slug, "causal")+"[bot]")
}

func (s *Server) commits(ctx context.Context, lane string, since time.Time) (int, error) {
	n := 0
	rows, err := s.queue.Runs(ctx, queue.Filter{Lane: lane, Limit: 100, Brief: true})
	for _, r := range rows {
		if r.Conclusion == bot.Updated && r.Started.After(since) {
			n++
		}
	}
	return n, err
}

// lists is how long the status page caches the list of repositories.
const lists = time.Minute

func (s *Server) source(app *github.App, host string) *source {
	list := func(ctx context.Context) ([]github.Repository, error) {
		installations, err := app.Installations(ctx)
		var out []github.Repository
		for _, i := range installations {
			if i.Suspended || err != nil {
				continue
			}
			var some []github.Repository
			some, err = app.Repositories(ctx, i.ID)
			out = append(out, some...)
		}
		return out, err
	}
	return &source{queue: s.queue, listed: remembered(s.o.Now, lists, list), log: s.log, scope: queue.Scope{Names: s.o.Allow}, web: strings.TrimSuffix(cmp.Or(host, "https://github.com"), "/")}
}
