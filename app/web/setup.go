package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// stateLasts is how long a person has to create the App on GitHub's page.
const stateLasts = 10 * time.Minute

// SetupOptions say what the set-up of a new server is made of.
type SetupOptions struct {
	URL     string // the public address of the server, without a path
	Webhook string // where GitHub sends deliveries
	// GitHub is the GitHub server that this one was started for, and the only one then; empty lets the person choose.
	GitHub string
	// Convert exchanges the code that GitHub gives for the App's credentials. A code works once.
	Convert func(ctx context.Context, host, code string) (Credentials, error)
	// Keeper keeps the credentials. Without one, and when the person prefers it, they are shown once.
	Keeper Keeper
	// Activate makes the running server the new App. It is called once.
	Activate func(ctx context.Context, c Credentials) error
	Random   io.Reader
	Now      func() time.Time
	Logger   *slog.Logger
}

// Setup creates the GitHub App of a server that has none. Whoever holds its link is let in. The link works until the App
// is there, so that a closed tab or a way to GitHub that was given up costs nothing; then all of it answers 404.
type Setup struct {
	o       SetupOptions
	server  *url.URL
	only    *url.URL // the GitHub server, when there is no choice
	link    string   // the token of the link
	session string   // the value of the cookie that follows the link
	mux     http.Handler

	finish sync.Mutex // held while an App is made, so that there is never a second one
	mu     sync.Mutex
	states map[string]attempt // by state
	done   bool
}

// attempt is one way to GitHub and back.
type attempt struct {
	host string
	show bool // the credentials, instead of keeping them
	ends time.Time
}

// NewSetup makes the set-up of a server.
func NewSetup(o SetupOptions) (*Setup, error) {
	server, err := publicURL(o.URL)
	if err != nil {
		return nil, err
	}
	s := &Setup{o: o, server: server, states: map[string]attempt{}}
	if o.GitHub != "" {
		if s.only, err = GitHubServer(o.GitHub); err != nil {
			return nil, err
		}
	}
	for _, secret := range []*string{&s.link, &s.session} {
		if *secret, err = s.secret(); err != nil {
			return nil, err
		}
	}
	s.mux = s.routes()
	return s, nil
}

func (s *Setup) secret() (string, error) {
	var b [24]byte
	if _, err := io.ReadFull(s.o.Random, b[:]); err != nil {
		return "", fmt.Errorf("make a secret for the set-up: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// Link is the address to begin at, for the person who started the server and nobody else.
func (s *Setup) Link() string {
	return s.server.JoinPath("/setup").String() + "?" + url.Values{"token": {s.link}}.Encode()
}

// Done reports whether the App is there.
func (s *Setup) Done() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done
}

// ServeHTTP answers one request.
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

// open closes a page once the App is there.
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

// refuse says why it goes no further, and how it does.
func (s *Setup) refuse(w http.ResponseWriter, r *http.Request, status int, text string) {
	s.show(w, r, status, view{Template: "setup_refused", Title: "Set-up", Content: text})
}

// waiting is what a server without an App says to everybody else.
func (s *Setup) waiting(w http.ResponseWriter, r *http.Request) {
	s.refuse(w, r, http.StatusOK, "This server has no GitHub App yet. Its output has a link that creates one.")
}

const (
	notInvited = "This link is not valid. Each start of the server prints a new link; use the last one."
	tooLate    = "This set-up has been used already, was started in another browser, or took longer than 10 minutes. If GitHub has created an App, you can delete it there."
)

// admit lets in who holds the link, and who came by it before: GitHub sends people back without it.
func (s *Setup) admit(r *http.Request, token string) bool {
	if c, err := r.Cookie(s.cookie("session").Name); err == nil && equal(c.Value, s.session) {
		return true
	}
	return equal(token, s.link)
}

// equal compares secrets in constant time, whatever their length.
func equal(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// cookie is a cookie of the set-up, for its own pages only. Lax, because it has to be there when GitHub sends people back.
func (s *Setup) cookie(name string) http.Cookie {
	return http.Cookie{ //nolint:gosec // without encryption a browser keeps no secure cookie
		Name: "causal-setup-" + name, Path: "/setup", HttpOnly: true, Secure: s.server.Scheme == "https", SameSite: http.SameSiteLaxMode,
	}
}

// enter gives the cookies that follow the link.
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

// take uses up a state. It counts only for the browser that it was given to, once, and not for long.
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

// remember keeps an attempt under its state, and forgets those that have ended.
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
