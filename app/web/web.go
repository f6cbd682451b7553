// Package web shows people what the server did and why, and sets a new server up.
//
// Pages is the status page: repositories with what last happened to each branch, runs with their frames and their causal
// chain, the queue with restart of jobs that are dead or wait. What it shows comes in through Source. All of it stands behind a login: with
// GitHub, which says what a person sees, or with one token, whose bearers see all. Without either there is nothing to see but
// counts, because repositories may be private.
//
// Setup is what an unconfigured server shows instead: it creates the GitHub App from a manifest, keeps its credentials,
// and closes itself.
//
// Everything is rendered on the server and embedded in the program: no script, no request to anywhere else, and a content
// security policy that would stop both.
package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/buildinfo"
)

// shortestToken keeps the token out of reach of guessing, which is why attempts to log in need no limit.
const shortestToken = 16

// Options say what the status page is made of.
type Options struct {
	Source Source
	URL    string // the public address of the server, as in "https://causal.example.com"; without a path
	Token  string // what people log in with; empty: nothing but counts is shown
	// TokenSetting is how a token is set, for the page that misses one, as in "--admin-token-file".
	TokenSetting string
	People       People         // who logs in with GitHub; nil for nobody
	Key          []byte         // what their sessions are encrypted with: the same for all replicas
	Build        buildinfo.Info // that the pages show to who is logged in
	Now          func() time.Time
	Logger       *slog.Logger
}

// Pages serves the status page.
type Pages struct {
	source  Source
	access  *access
	people  *people
	setting string
	build   buildinfo.Info
	now     func() time.Time
	log     *slog.Logger
	mux     http.Handler
}

// New makes the status page. It refuses a token that could be guessed.
func New(o Options) (*Pages, error) {
	address, err := publicURL(o.URL)
	if err != nil {
		return nil, err
	}
	if err := CheckToken(o.Token); err != nil {
		return nil, err
	}
	people, err := newPeople(o.People, o.Key, address, o.Now)
	if err != nil {
		return nil, err
	}
	p := &Pages{
		people: people,
		source: o.Source, access: newAccess(strings.TrimSpace(o.Token), address.Scheme == "https", o.Now),
		setting: o.TokenSetting, build: o.Build, now: o.Now, log: o.Logger,
	}
	p.mux = p.routes()
	return p, nil
}

// CheckToken refuses a token of the status page that could be guessed. None at all is allowed.
func CheckToken(token string) error {
	if token = strings.TrimSpace(token); token != "" && len(token) < shortestToken {
		return fmt.Errorf("the token of the status page has fewer than %d characters; `openssl rand -hex 24` makes one", shortestToken)
	}
	return nil
}

func publicURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("the public URL of the server is %q; it must be a URL such as https://causal.example.com", address)
	}
	return u, nil
}

// ServeHTTP answers one request.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.mux.ServeHTTP(w, r) }

func (p *Pages) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /static/", assets())
	mux.HandleFunc("GET /login", p.showLogin)
	mux.HandleFunc("POST /login", p.login)
	mux.HandleFunc("POST /logout", p.logout)
	mux.HandleFunc("GET /login/github", p.toGitHub)
	mux.HandleFunc("GET "+callbackPath, p.fromGitHub)
	for pattern, show := range map[string]handler{
		"GET /{$}":                p.repositories,
		"GET /runs":               p.runs,
		"GET /runs/{id}":          p.run,
		"GET /queue":              p.queue,
		"POST /runs/{id}/restart": p.restart,
	} {
		mux.Handle(pattern, p.guarded(show))
	}
	mux.Handle("/", p.guarded(func(http.ResponseWriter, *http.Request) error { return ErrNotFound }))
	return secured(sameOrigin(mux))
}

// handler is a handler that leaves its failures to be shown in one place.
type handler func(w http.ResponseWriter, r *http.Request) error

// guarded lets a handler see only those who are logged in, with what they may see. Where there is no way to log in, nobody can be.
func (p *Pages) guarded(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !p.access.possible() && !p.people.possible() {
			p.closed(w, r)
			return
		}
		source, err := p.visible(r)
		if err != nil {
			p.fail(w, r, err)
			return
		}
		if source == nil {
			http.Redirect(w, r, "/login?"+url.Values{"next": {wanted(r)}}.Encode(), http.StatusSeeOther)
			return
		}
		if err := h(w, r.WithContext(context.WithValue(r.Context(), sourceKey{}, source))); err != nil {
			p.fail(w, r, err)
		}
	})
}

// wanted is where to go after the login: only what can be asked for again without changing anything.
func wanted(r *http.Request) string {
	if r.Method != http.MethodGet {
		return "/"
	}
	return r.URL.RequestURI()
}

// failures lists what can go wrong by its error, with what is said about it. The last one is for all others.
var failures = []struct {
	err    error
	status int
	title  string
	text   string
}{
	{ErrNotFound, http.StatusNotFound, "Not found", "This page does not exist. Runs are kept for 30 days; their commits stay in the history of the repository."},
	{ErrNotDead, http.StatusConflict, "Not restarted", "You can restart only dead or waiting jobs of repositories with push access. This job is queued, running, done, or in another repository."},
	{errNotBegun, http.StatusForbidden, "Not logged in", "This login was started in another browser, or took too long. Start again from the first page."},
	{ErrSilent, http.StatusBadGateway, "GitHub does not answer", "causal asks GitHub which repositories you can see, and GitHub does not answer. Reload the page later."},
	{nil, http.StatusInternalServerError, "Something failed", "The server could not render this page. The reason is in its log."},
}

func (p *Pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	for _, f := range failures {
		if f.err != nil && !errors.Is(err, f.err) {
			continue
		}
		if f.err == nil {
			p.log.ErrorContext(r.Context(), "status page", "path", r.URL.Path, "error", err)
		}
		p.show(w, r, f.status, view{Template: "message", Title: f.title, Content: f.text})
		return
	}
}
