// Package githubsim simulates GitHub in one server: the REST API, the GraphQL operations that the bot uses, git over
// HTTP, and signed webhook deliveries with their log. It computes answers from its state and stores repositories as
// real git.
//
// Tests run the bot against it, with injected faults; `causal demo` runs the whole loop on it, offline. REST traffic is
// validated against GitHub's official OpenAPI description if package contract is linked; Violations lists each
// deviation.
package githubsim

import (
	"cmp"
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/causaldocs/causal/app/githubsim/openapi"
)

// Options configure a simulated GitHub. The zero value is usable.
type Options struct {
	Dir   string           // empty directory for the repositories; default: a temporary one, which Close removes
	Now   func() time.Time // clock; default: time.Now
	App   *App             // registered App; default: one with everything that causal asks for
	NoApp bool             // start without an App; the manifest flow registers one
	Limit int              // requests an hour per token owner; default: 5000
}

// Server is a simulated GitHub.
type Server struct {
	contract openapi.Contract // nil: no validation
	mux      *http.ServeMux
	now      func() time.Time
	dir      string
	ownDir   bool
	url      string
	http     *http.Server
	ctx      context.Context
	stop     context.CancelFunc
	served   chan struct{}
	serving  sync.RWMutex // read-locked by requests so Close can wait for them

	mu            sync.Mutex // guards everything below, and every change of a repository
	skew          time.Duration
	lastID        int64
	app           *App
	actions       *App                // the App that workflows act as
	accounts      map[string]*account // by lower-case login
	repositories  []*Repository
	moved         map[string]*Repository // by former full name
	installations []*installation
	tokens        map[string]*principal
	manifests     map[string]*App
	person        string // the browser's user
	grants        map[string]grant
	limits        limits
	faults        []*Fault
	violations    []string
	requests      []Request
	mail          mail
}

// New starts a simulated GitHub.
func New(o Options) (s *Server, err error) {
	s = &Server{
		now: o.Now, dir: o.Dir, served: make(chan struct{}), lastID: 1000,
		accounts: map[string]*account{}, moved: map[string]*Repository{}, tokens: map[string]*principal{}, manifests: map[string]*App{},
		person: "octo", grants: map[string]grant{},
	}
	s.mux = s.routes()
	if openapi.Held != nil {
		if s.contract, err = openapi.Held(); err != nil {
			return nil, err
		}
	}
	s.limits = limits{each: cmp.Or(o.Limit, 5000), used: map[string]*spent{}}
	if s.now == nil {
		s.now = time.Now
	}
	s.actions = &App{Slug: "github-actions", Owner: "github", Events: []string{}, Permissions: map[string]string{}}
	if err := errors.Join(s.actions.complete(s.id()), s.register(o)); err != nil {
		return nil, err
	}
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "githubsim"); err != nil {
			return nil, err
		}
		s.ownDir = true
	}
	if s.dir, err = filepath.Abs(s.dir); err != nil {
		return nil, err
	}
	return s, s.listen()
}

func (s *Server) register(o Options) error {
	if o.NoApp {
		return nil
	}
	s.app = cmp.Or(o.App, &App{})
	return s.app.complete(s.id())
}

// listen serves on a free loopback port.
func (s *Server) listen() error {
	s.ctx, s.stop = context.WithCancel(context.Background())
	listener, err := (&net.ListenConfig{}).Listen(s.ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(fmt.Errorf("listen: %w", err), s.removeDir())
	}
	s.url = "http://" + listener.Addr().String()
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute, BaseContext: func(net.Listener) context.Context { return s.ctx }}
	s.mail.start(s)
	go func() {
		defer close(s.served)
		_ = s.http.Serve(listener)
	}()
	return nil
}

// Close stops the server and its child processes and removes its temporary directory.
func (s *Server) Close() error {
	s.stop()
	err := s.http.Close()
	<-s.served
	<-s.mail.ended
	s.serving.Lock() // a running git would prevent the removal of the directory
	defer s.serving.Unlock()
	return errors.Join(err, s.removeDir())
}

func (s *Server) removeDir() error {
	if !s.ownDir {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// URL returns the server's base URL, without a trailing slash. It takes the place of https://github.com.
func (s *Server) URL() string { return s.url }

// APIURL returns the base URL of the REST API, with the path of a GitHub Enterprise Server.
func (s *Server) APIURL() string { return s.url + apiPath }

// GraphQLURL returns the GraphQL endpoint.
func (s *Server) GraphQLURL() string { return s.url + "/api/graphql" }

// App returns a copy of the registered App, or nil.
func (s *Server) App() *App {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.app == nil {
		return nil
	}
	app := *s.app
	return &app
}

// PrivateKey returns the private key of the registered App.
func (s *Server) PrivateKey() *rsa.PrivateKey { return s.App().Key }

// Violations lists the deviations from GitHub's API, oldest first.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

func (s *Server) violate(format string, args ...any) {
	s.violations = append(s.violations, fmt.Sprintf(format, args...))
}

// id returns a number unique across all kinds of objects, which exposes ids used for the wrong kind.
func (s *Server) id() int64 {
	s.lastID++
	return s.lastID
}

// time returns the server's time, skewed and in whole seconds, as GitHub reports times.
func (s *Server) time() time.Time { return s.now().Add(s.skew).UTC().Truncate(time.Second) }

// ServeHTTP routes a request to the API, git or the pages.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.serving.RLock()
	defer s.serving.RUnlock()
	if path := r.URL.Path; !strings.HasPrefix(path, "/api/") && strings.Contains(path, ".git/") {
		s.serveGit(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}
