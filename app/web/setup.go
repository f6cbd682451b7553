package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// stateLasts is the time limit for the creation of the App on GitHub.
const stateLasts = 10 * time.Minute

// SetupOptions configure the set-up of a new server.
type SetupOptions struct {
	URL     string // public URL of the server, without a path
	Webhook string // URL for webhook deliveries
	// GitHub is the only allowed GitHub server; empty lets the user choose.
	GitHub string
	// Convert exchanges GitHub's code for the App's credentials. A code is valid once.
	Convert func(ctx context.Context, host, code string) (Credentials, error)
	// Keeper stores the credentials. Without one, or on request, the page shows them once.
	Keeper Keeper
	// Activate makes the running server the new App. It is called once.
	Activate func(ctx context.Context, c Credentials) error
	Now      func() time.Time
	Logger   *slog.Logger
}

// Setup creates the GitHub App of a server that has none, for the user with the link. The link is valid until the App
// exists, so an aborted attempt can be repeated; after that all pages return 404.
type Setup struct {
	o       SetupOptions
	server  *url.URL
	only    *url.URL // the only GitHub server; nil if there is a choice
	link    string
	session string // of the cookie that replaces the link
	mux     http.Handler

	finish sync.Mutex // held during the creation, so there is never a second App
	mu     sync.Mutex
	states map[string]attempt
	done   bool
}

// attempt is one round trip to GitHub.
type attempt struct {
	host string
	show bool // show the credentials and do not store them
	ends time.Time
}

// NewSetup returns the set-up of a server.
func NewSetup(o SetupOptions) (*Setup, error) {
	server, err := publicURL(o.URL)
	if err != nil {
		return nil, err
	}
	s := &Setup{o: o, server: server, link: rand.Text(), session: rand.Text(), states: map[string]attempt{}}
	if o.GitHub != "" {
		if s.only, err = GitHubServer(o.GitHub); err != nil {
			return nil, err
		}
	}
	s.mux = s.routes()
	return s, nil
}

// Link returns the URL of the set-up, for the operator only.
func (s *Setup) Link() string {
	return s.server.JoinPath("/setup").String() + "?" + url.Values{"token": {s.link}}.Encode()
}

// Done reports whether the App exists.
func (s *Setup) Done() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done
}

// ServeHTTP implements http.Handler.
func (s *Setup) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *Setup) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /static/", assets()) // the last page still needs them
	mux.HandleFunc("GET /{$}", s.open(s.waiting))
	mux.HandleFunc("GET /setup", s.open(s.form))
	mux.HandleFunc("POST /setup", s.open(s.begin))
	mux.HandleFunc("GET /setup/callback", s.open(s.callback))
	return secured(sameOrigin(mux))
}

func (s *Setup) open(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.Done() {
			http.NotFound(w, r)
			return
		}
		h(w, r)
	}
}

func (s *Setup) show(w http.ResponseWriter, r *http.Request, status int, v view) {
	v.Path, v.Now = r.URL.Path, s.o.Now()
	if err := render(w, status, v); err != nil {
		s.o.Logger.ErrorContext(r.Context(), "set-up page", "path", r.URL.Path, "error", err)
	}
}

func (s *Setup) refuse(w http.ResponseWriter, r *http.Request, status int, text string) {
	s.show(w, r, status, view{Template: "setup_refused", Title: "Set-up", Content: text})
}

func (s *Setup) waiting(w http.ResponseWriter, r *http.Request) {
	s.refuse(w, r, http.StatusOK, "This server has no GitHub App yet. Its output has a link that creates one.")
}

const (
	notInvited = "This link is not valid. Each start of the server prints a new link; use the last one."
	tooLate    = "This set-up has been used already, was started in another browser, or took longer than 10 minutes. If GitHub has created an App, you can delete it there."
)

// admit accepts the link's token or the session cookie: GitHub redirects back without the token.
func (s *Setup) admit(r *http.Request, token string) bool {
	if c, err := r.Cookie(s.cookie("session").Name); err == nil && equal(c.Value, s.session) {
		return true
	}
	return equal(token, s.link)
}

func equal(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// cookie returns a cookie for the set-up pages. Lax, because it must survive GitHub's redirect.
func (s *Setup) cookie(name string) http.Cookie {
	return http.Cookie{ //nolint:gosec // without encryption a browser keeps no secure cookie
		Name: "causal-setup-" + name, Path: "/setup", HttpOnly: true, Secure: s.server.Scheme == "https", SameSite: http.SameSiteLaxMode,
	}
}

func (s *Setup) enter(w http.ResponseWriter, state string) {
	for name, value := range map[string]string{"session": s.session, "state": state} {
		c := s.cookie(name) //nolint:gosec // as above
		c.Value = value
		if name == "state" {
			c.MaxAge = int(stateLasts.Seconds())
		}
		http.SetCookie(w, &c)
	}
}

func (s *Setup) take(r *http.Request, state string) (attempt, bool) {
	c, err := r.Cookie(s.cookie("state").Name)
	if err != nil || !equal(c.Value, state) {
		return attempt{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.states[state]
	delete(s.states, state)
	return a, ok && s.o.Now().Before(a.ends)
}

func (s *Setup) remember(state string, a attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for other, old := range s.states {
		if !s.o.Now().Before(old.ends) {
			delete(s.states, other)
		}
	}
	s.states[state] = a
}
