// Package githubsim is a simulated GitHub: one server with the REST API, held in both directions to GitHub's official
// OpenAPI description, the GraphQL that the bot publishes and reviews with, real git over HTTP, and signed webhook
// deliveries with their log. What it answers is computed from its state; what lies in its repositories is real git.
//
// Tests run the bot against it, with faults on demand; `causal demo` runs the whole loop on it, offline. A request or
// an answer outside the description is a violation, which Violations lists.
package githubsim

import (
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

// Options say how the simulated GitHub is set up. The zero value will do.
type Options struct {
	Dir     string           // an empty directory for the repositories; none: a temporary one, which Close removes
	Address string           // where to listen; empty: any free port of the loopback interface
	Now     func() time.Time // what time it is; nil: the real one
	App     *App             // the App that is registered; nil: one with everything that causal asks for
	NoApp   bool             // no App is registered: the manifest flow registers one
	Limit   int              // requests an hour for each token's owner; 0: 5000
}

// Server is a simulated GitHub.
type Server struct {
	described *openapi.Description
	contract  openapi.Contract // nil: nothing is held to the description
	now       func() time.Time
	dir       string
	ownDir    bool
	url       string
	http      *http.Server
	ctx       context.Context
	stop      context.CancelFunc
	served    chan struct{}
	serving   sync.RWMutex // read-held by every request, so that Close can wait for them

	mu            sync.Mutex // guards everything below, and every change of a repository
	skew          time.Duration
	lastID        int64
	app           *App
	actions       *App                // that workflows act as
	accounts      map[string]*account // by lower-case login
	repositories  []*Repository
	moved         map[string]*Repository // by former full name
	installations []*installation
	tokens        map[string]*principal
	manifests     map[string]*App  // by the code that stands for them
	person        string           // who uses the browser
	grants        map[string]grant // by the code that stands for them
	limits        limits
	faults        []*Fault
	violations    []string
	requests      []Request
	mail          mail
}

// New starts a simulated GitHub.
func New(o Options) (*Server, error) {
	described, err := openapi.Load()
	if err != nil {
		return nil, err
	}
	s := &Server{
		described: described, now: o.Now, dir: o.Dir, served: make(chan struct{}), lastID: 1000,
		accounts: map[string]*account{}, moved: map[string]*Repository{}, tokens: map[string]*principal{}, manifests: map[string]*App{},
		person: "octo", grants: map[string]grant{},
	}
	if openapi.Held != nil {
		if s.contract, err = openapi.Held(); err != nil {
			return nil, err
		}
	}
	s.limits = limits{each: max(o.Limit, 0), used: map[string]*spent{}}
	if s.limits.each == 0 {
		s.limits.each = 5000
	}
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
	return s, s.listen(o.Address)
}

// register puts the App in that the options ask for.
func (s *Server) register(o Options) error {
	if o.NoApp {
		return nil
	}
	app := o.App
	if app == nil {
		app = &App{}
	}
	if err := app.complete(s.id()); err != nil {
		return err
	}
	s.app = app
	return nil
}

func (s *Server) listen(address string) error {
	if address == "" {
		address = "127.0.0.1:0"
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	listener, err := (&net.ListenConfig{}).Listen(s.ctx, "tcp", address)
	if err != nil {
		return errors.Join(fmt.Errorf("listen on %s: %w", address, err), s.removeDir())
	}
	s.url = "http://" + listener.Addr().String()
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute, BaseContext: func(net.Listener) context.Context { return s.ctx }}
	s.mail.start(s)
	go func() {
		defer close(s.served)
		_ = s.http.Serve(listener) // ends with Close
	}()
	return nil
}

// Close ends the server and what it has running, and removes its temporary directory.
func (s *Server) Close() error {
	s.stop()
	err := s.http.Close()
	<-s.served
	<-s.mail.ended
	s.serving.Lock() // what git still writes would be in the way of removing the directory
	defer s.serving.Unlock()
	return errors.Join(err, s.removeDir())
}

func (s *Server) removeDir() error {
	if !s.ownDir {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// URL is where the server is, without a slash at the end: what github.com is to the real one.
func (s *Server) URL() string { return s.url }

// APIURL is the base of the REST API, as that of a GitHub Enterprise Server.
func (s *Server) APIURL() string { return s.url + "/api/v3" }

// GraphQLURL is where GraphQL is asked.
func (s *Server) GraphQLURL() string { return s.url + "/api/graphql" }

// App returns the App that is registered; nil when there is none.
func (s *Server) App() *App {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.app == nil {
		return nil
	}
	app := *s.app
	return &app
}

// PrivateKey is the key of the registered App.
func (s *Server) PrivateKey() *rsa.PrivateKey { return s.App().Key }

// Violations lists, in their order, what was outside of what GitHub promises.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

func (s *Server) violate(format string, args ...any) {
	s.violations = append(s.violations, fmt.Sprintf(format, args...))
}

// id gives the next number; all things share one count, so that no two are mixed up unnoticed.
func (s *Server) id() int64 {
	s.lastID++
	return s.lastID
}

// time is the moment at the server: with the skew that a fault gave it, in whole seconds as GitHub tells them.
func (s *Server) time() time.Time { return s.now().Add(s.skew).UTC().Truncate(time.Second) }

// ServeHTTP hands a request to the API, to git or to the pages.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.serving.RLock()
	defer s.serving.RUnlock()
	switch path := r.URL.Path; {
	case path == "/api/graphql":
		s.serveGraphQL(w, r)
	case strings.HasPrefix(path, "/api/v3/"):
		s.serveREST(w, r)
	case strings.Contains(path, ".git/"):
		s.serveGit(w, r)
	default:
		s.servePage(w, r)
	}
}
