// Package demo runs causal's whole loop on one machine: a simulated GitHub, the real server, a small repository, a
// push, a pull request and its merge. It needs no account, key or network.
package demo

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/server"
	"github.com/causaldocs/causal/app/web"
	"github.com/causaldocs/causal/webhooks/queue"
)

//go:embed shop.txtar
var shop []byte

// Options of a demonstration.
type Options struct {
	Dir   string // the output directory
	Serve bool   // keep the server and the simulated GitHub running until the context ends
	Self  string // the program's file, for the suggested commands
	Out   io.Writer
	Now   func() time.Time
}

// patience is the time limit of one step.
const patience = time.Minute

type show struct {
	o      Options
	github *githubsim.Server
	repo   *githubsim.Repository
	server *server.Server
	token  string
	runs   chan queue.RunRow
}

// Run runs the demonstration.
func Run(ctx context.Context, o Options) (err error) {
	s := &show{o: o, token: rand.Text(), runs: make(chan queue.RunRow, 100)}
	if s.github, err = githubsim.New(githubsim.Options{
		Dir: filepath.Join(o.Dir, "github"), Now: o.Now, App: &githubsim.App{ID: 1, Slug: "causal", Name: "causal", Owner: "demo", Secret: rand.Text()},
	}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.github.Close()) }()
	if s.repo, err = s.github.CreateRepository("demo/shop", githubsim.FromFiles(files())); err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	served := make(chan error, 1)
	if err := s.start(running, served); err != nil {
		stop()
		return err
	}
	err = s.play(ctx)
	if err == nil && o.Serve {
		s.say("\nThe status page is open until you press Ctrl-C. Log in with the token %s:\n\n  %s\n", s.token, s.server.URL())
		s.idle(ctx)
	}
	stop()
	return errors.Join(err, <-served)
}

// idle keeps the server running until the context ends, and drops the runs that its sweeper starts.
func (s *show) idle(ctx context.Context) {
	for {
		select {
		case <-s.runs:
		case <-ctx.Done():
			return
		}
	}
}

func files() map[string]string {
	content := map[string]string{}
	for _, f := range txtar.Parse(shop).Files {
		content[f.Name] = string(f.Data)
	}
	return content
}

func (s *show) start(ctx context.Context, served chan<- error) error {
	log, err := os.Create(filepath.Join(s.o.Dir, "server.log"))
	if err != nil {
		return fmt.Errorf("keep the log of the server: %w", err)
	}
	app := s.github.App()
	s.server, err = server.New(ctx, server.Options{
		Listen: "127.0.0.1:0", Data: filepath.Join(s.o.Dir, "server"), StatusToken: s.token, Out: io.Discard, Log: log, Now: s.o.Now,
		Workers:     1, // with more, the runs of the merge and of its pull request end in any order
		Credentials: &web.Credentials{Host: s.github.URL(), ID: app.ID, Slug: app.Slug, WebhookSecret: app.Secret, PrivateKey: app.PEM()},
		Finished:    func(r queue.RunRow) { s.runs <- r },
	})
	if err != nil {
		return errors.Join(err, log.Close())
	}
	s.github.SetWebhook(s.server.WebhookURL())
	go func() { served <- errors.Join(s.server.Serve(ctx), log.Close()) }()
	return nil
}

func (s *show) say(format string, args ...any) { _, _ = fmt.Fprintf(s.o.Out, format, args...) }

func (s *show) play(ctx context.Context) error {
	for _, step := range []struct {
		title string
		do    func(context.Context) error
	}{
		{"The App is installed on demo/shop", s.install},
		{"A push: Parse takes a currency", s.push},
		{"A pull request gives amounts a new type", s.propose},
		{"It is merged", s.merge},
	} {
		s.say("\n── %s\n\n", step.title)
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", strings.ToLower(step.title), err)
		}
	}
	return s.leave(ctx)
}

func (s *show) install(ctx context.Context) error {
	if _, err := s.github.Install(s.repo); err != nil {
		return err
	}
	return s.published(ctx)
}

func (s *show) push(ctx context.Context) error {
	money, _ := s.repo.Read("main", "money/money.go")
	cart, _ := s.repo.Read("main", "cart/cart.go")
	_, err := s.repo.Push("main", githubsim.Change{Message: "Let Parse take a currency", Write: map[string]string{
		"money/money.go": strings.NewReplacer("func Parse(s string)", "func Parse(s, currency string)", `Parse reads an amount such as "12.50".`, `Parse reads an amount of a currency, such as "12.50" of "EUR".`,
			"	whole, cents", "	if len(currency) != 3 {\n		return 0, ErrSyntax\n	}\n	whole, cents").Replace(money),
		"cart/cart.go": strings.Replace(cart, "money.Parse(s)", `money.Parse(s, "EUR")`, 1),
	}})
	if err != nil {
		return err
	}
	return s.published(ctx)
}

func (s *show) propose(ctx context.Context) error {
	money, _ := s.repo.Read("main", "money/money.go")
	if _, err := s.repo.Push("wider", githubsim.Change{Message: "Hold larger amounts", Write: map[string]string{
		"money/money.go": strings.Replace(money, "type Amount int64", "type Amount uint64", 1),
	}}); err != nil {
		return err
	}
	number, err := s.repo.OpenPull("wider", "main", "Hold larger amounts", "demo")
	if err != nil {
		return err
	}
	if _, err := s.wait(ctx, func(r queue.RunRow) bool { return r.Subject.Pull == number && r.Conclusion == bot.Told }); err != nil {
		return err
	}
	for _, c := range s.repo.Comments(number) {
		s.say("The App comments on #%d:\n\n", number)
		for line := range strings.Lines(c.Body) {
			if !strings.HasPrefix(line, "<!--") {
				s.say("  │ %s", line)
			}
		}
		s.say("\n")
	}
	return nil
}

func (s *show) merge(ctx context.Context) error {
	if _, err := s.repo.MergePull(1, "demo"); err != nil {
		return err
	}
	if err := s.published(ctx); err != nil {
		return err
	}
	_, err := s.wait(ctx, func(r queue.RunRow) bool { return r.Conclusion == bot.Completed })
	return err
}

// published waits until the bot has published, and prints the outcome with its reason.
func (s *show) published(ctx context.Context) error {
	r, err := s.wait(ctx, func(r queue.RunRow) bool { return r.Conclusion == bot.Updated })
	if err != nil {
		return err
	}
	var d bot.Detail
	if err := json.Unmarshal(r.Detail, &d); err != nil {
		return fmt.Errorf("read the run: %w", err)
	}
	s.say("The App commits %s (%s):\n\n", d.Commit[:10], r.Title)
	for _, i := range d.Reasons {
		s.say("  %-10s %s\n", i.Node, i)
	}
	s.say("\n  %d of %d nodes re-evaluated; %d bytes fetched, %.1f s\n", d.Rerun, max(d.Rerun, d.Unchanged+d.Updated), d.Fetched, r.Ended.Sub(r.Started).Seconds())
	return nil
}

// wait consumes ended runs until one matches. A permanently failed run ends the demonstration.
func (s *show) wait(ctx context.Context, is func(queue.RunRow) bool) (queue.RunRow, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		select {
		case r := <-s.runs:
			if is(r) {
				return r, nil
			}
			if r.State == queue.Dead {
				return r, errors.New(r.Error)
			}
		case <-ctx.Done():
			return queue.RunRow{}, fmt.Errorf("the bot did not get there; %s says why: %w", filepath.Join(s.o.Dir, "server.log"), ctx.Err())
		}
	}
}

// leave clones the repository for the user.
func (s *show) leave(ctx context.Context) error {
	clone := filepath.Join(s.o.Dir, "shop")
	cmd := exec.CommandContext(ctx, "git", "clone", "--quiet", s.repo.Dir(), clone)
	cmd.Stderr = s.o.Out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("clone the repository: %w", err)
	}
	causal, err := program(s.o.Self, s.o.Dir)
	if err != nil {
		return err
	}
	writes := len(s.github.Writes(s.repo))
	s.say("\n── To look at\n\n  %s   the repository, with its pages in docs/causal\n  %s   the log of the server\n\n  %d writes to GitHub in all. Try:\n\n  cd %s && %s why money.Parse\n",
		clone, filepath.Join(s.o.Dir, "server.log"), writes, word(clone), causal)
	return nil
}
