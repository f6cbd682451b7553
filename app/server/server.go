// Package server runs a GitHub App: the webhook endpoint, the queue, the bot and the status pages.
package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/web"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/buildinfo"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/logctx"
	"github.com/causaldocs/causal/webhooks/queue"
)

// Options configure a Server.
type Options struct {
	Listen, Admin string // addresses; an empty Admin opens no admin port
	Data          string // data directory
	Database      string // URL; empty for SQLite in Data
	PublicURL     string // public URL of Listen
	GitHubURL     string // empty for github.com
	Credentials   *web.Credentials
	Secrets       []string // additional webhook secrets, during a rotation
	StatusToken   string
	Workers       int
	Allow         []string // accepted owners and repositories, as CheckAllow expects; empty for all
	Model         ModelOptions
	Traces        trace.TracerProvider // traces deliveries and jobs; may be nil
	LogLevel      slog.Level           // the minimum level of the log
	Limits        sandbox.Limits       // of each run; zero values are those of sandbox.DefaultLimits
	Sweep         time.Duration        // between two sweeps
	Grace         time.Duration        // time for running jobs when the server stops
	Out           io.Writer            // receives the link of the set-up
	Log           io.Writer            // JSON lines
	Now           func() time.Time
	Finished      func(queue.RunRow) // called for each finished run; may be nil

	analyse analysed // runs the bot's tasks; nil for child processes of this program
}

// TokenSetting is the environment variable with the token of the status page.
const TokenSetting = "CAUSAL_STATUS_TOKEN" //nolint:gosec // the name of a setting

// Defaults of Options.
const (
	everySweep = 5 * time.Minute
	grace      = 25 * time.Second
	// ModelTokens is the daily token limit of one repository.
	ModelTokens = 2_000_000
)

// Server is a running GitHub App.
type Server struct {
	o       Options
	log     *slog.Logger
	metrics *webhooks.Metrics
	spans   spans
	queue   *queue.Queue
	public  net.Listener
	admin   net.Listener
	setup   *web.Setup
	active  atomic.Pointer[active]
	failed  chan error
}

type active struct {
	door       *webhooks.Door
	deliveries http.Handler // the webhook endpoint, with traces
	pages      http.Handler
	stopped    chan struct{}
	stop       context.CancelFunc
}

// New opens the database and the ports. Without credentials the server starts with the set-up.
func New(ctx context.Context, o Options) (*Server, error) {
	usual := sandbox.DefaultLimits()
	o.Limits = sandbox.Limits{Time: cmp.Or(o.Limits.Time, usual.Time), Memory: cmp.Or(o.Limits.Memory, usual.Memory)}
	o.Sweep, o.Grace, o.Workers = cmp.Or(o.Sweep, everySweep), cmp.Or(o.Grace, grace), cmp.Or(o.Workers, Workers)
	o.Model.Tokens = cmp.Or(o.Model.Tokens, ModelTokens)
	s := &Server{o: o, failed: make(chan error, 3)}
	s.log = slog.New(logctx.Handler(slog.NewJSONHandler(o.Log, &slog.HandlerOptions{Level: o.LogLevel, ReplaceAttr: plain.Attr})))
	s.metrics, s.spans = webhooks.NewMetrics(), newSpans(o.Traces)
	if err := s.open(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *Server) open(ctx context.Context) (err error) {
	if s.o.Data, err = filepath.Abs(s.o.Data); err != nil { // runs have another working directory
		return fmt.Errorf("find the data directory: %w", err)
	}
	if err := openData(s.o.Data); err != nil {
		return err
	}
	if s.public, err = listen(ctx, s.o.Listen); err != nil {
		return err
	}
	if s.o.PublicURL == "" {
		s.o.PublicURL = "http://" + reachable(s.public.Addr())
	}
	if s.o.Admin != "" {
		if s.admin, err = listen(ctx, s.o.Admin); err != nil {
			return err
		}
	}
	if s.queue, err = s.openQueue(ctx); err != nil {
		return err
	}
	if s.o.Credentials != nil {
		return s.activate(ctx, *s.o.Credentials)
	}
	return s.begin()
}

func listen(ctx context.Context, address string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return l, nil
}

func reachable(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

func (s *Server) openQueue(ctx context.Context) (*queue.Queue, error) {
	database := s.o.Database
	if database == "" {
		database = (&url.URL{Scheme: "sqlite", Path: filepath.ToSlash(filepath.Join(s.o.Data, "queue.db"))}).String()
	}
	return queue.Open(ctx, database, queue.Options{Logger: s.log, Now: s.o.Now, Workers: s.o.Workers, Finished: func(r queue.RunRow) {
		s.metrics.RunFinished(r)
		if s.o.Finished != nil {
			s.o.Finished(r)
		}
	}})
}

// URL returns the public URL of the server.
func (s *Server) URL() string { return s.o.PublicURL }

// WebhookURL returns the URL for GitHub's webhook deliveries.
func (s *Server) WebhookURL() string { return s.o.PublicURL + webhooks.DefaultPath }

// CredentialsFile returns the file for the App's credentials. Its path is absolute, because the user sees it in a
// browser on another machine.
func CredentialsFile(data string) web.CredentialsFile {
	if full, err := filepath.Abs(data); err == nil {
		data = full
	}
	return web.CredentialsFile(filepath.Join(data, "credentials.env"))
}

func (s *Server) begin() error {
	var err error
	s.setup, err = web.NewSetup(web.SetupOptions{
		URL: s.o.PublicURL, Webhook: s.WebhookURL(), GitHub: s.o.GitHubURL, Keeper: CredentialsFile(s.o.Data), Now: s.o.Now, Logger: s.log,
		Convert: func(ctx context.Context, host, code string) (web.Credentials, error) {
			made, err := github.ConvertManifest(ctx, github.Options{BaseURL: host, Now: s.o.Now, Logger: s.log}, code)
			if err != nil {
				return web.Credentials{}, err
			}
			return web.Credentials{Host: host, ID: made.ID, Slug: made.Slug, URL: made.URL, WebhookSecret: made.WebhookSecret, PrivateKey: made.PrivateKey,
				ClientID: made.ClientID, ClientSecret: made.ClientSecret}, nil
		},
		Activate: func(ctx context.Context, c web.Credentials) error { return s.activate(context.WithoutCancel(ctx), c) },
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.o.Out, "There is no GitHub App yet. This link creates it, and is valid until it exists:\n\n  %s\n\n", s.setup.Link())
	return err
}

// Serve runs until the context ends. It then accepts nothing new, waits for running jobs until the grace period ends,
// and requeues the others.
func (s *Server) Serve(ctx context.Context) error {
	defer s.close()
	var servers []*http.Server
	serve := func(l net.Listener, h http.Handler) {
		server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn)}
		servers = append(servers, server)
		go func() {
			if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				s.failed <- err
			}
		}()
	}
	serve(s.public, http.HandlerFunc(s.route))
	if s.admin != nil {
		admin, err := webhooks.Admin(webhooks.AdminConfig{Queue: s.queue, Metrics: s.metrics, Draining: s.draining, Now: s.o.Now})
		if err != nil {
			return err
		}
		serve(s.admin, admin)
	}
	s.warn(ctx, machineMemory(os.DirFS("/")))
	build := buildinfo.Read()
	s.log.InfoContext(ctx, "serving", "url", s.o.PublicURL, "version", build.Version, "commit", build.Commit)
	var err error
	select {
	case <-ctx.Done():
	case err = <-s.failed:
	}
	return errors.Join(err, s.shutDown(context.WithoutCancel(ctx), servers))
}

func (s *Server) draining() bool {
	a := s.active.Load()
	return a != nil && a.door.Draining()
}

// route sends a request to the set-up before there is an App, and to webhooks and pages afterwards.
func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	a := s.active.Load()
	switch {
	case a == nil && s.setup != nil:
		s.setup.ServeHTTP(w, r)
	case a == nil:
		http.NotFound(w, r)
	case strings.TrimSuffix(r.URL.Path, "/") == webhooks.DefaultPath:
		a.deliveries.ServeHTTP(w, r)
	case s.setup != nil && strings.HasPrefix(r.URL.Path, "/setup"):
		s.setup.ServeHTTP(w, r) // its last page shows the next steps
	default:
		a.pages.ServeHTTP(w, r)
	}
}

func (s *Server) shutDown(ctx context.Context, servers []*http.Server) error {
	ctx, cancel := context.WithTimeout(ctx, s.o.Grace)
	defer cancel()
	s.log.InfoContext(ctx, "stopping")
	var err error
	if a := s.active.Load(); a != nil {
		a.door.Drain()
		a.stop()
		<-a.stopped
		err = s.queue.Stop(ctx)
	}
	for _, server := range servers {
		err = errors.Join(err, server.Shutdown(ctx))
	}
	return err
}

func (s *Server) close() {
	for _, l := range []net.Listener{s.public, s.admin} {
		if l != nil {
			_ = l.Close()
		}
	}
	if s.queue != nil {
		_ = s.queue.Close()
	}
}

// own reports whether the App writes a path under the default configuration. The App's pushes that touch only such
// paths queue nothing.
func own(p string) bool {
	layout, beside := store.Layout{Docs: config.Default().Docs.Dir}, store.Layout{Docs: workspace.BesideSite}
	return (layout.Owns(p) || beside.Owns(p)) && p != store.Config
}
