// Package web has the pages of the server.
//
// Pages is the status page: repositories with their last runs, runs with frames and causal chain, and the queue. Its
// data comes through Source. Users log in with GitHub and see their repositories, or with one token and see all.
// Without a login it shows only counts, because repositories may be private.
//
// Setup is the page of an unconfigured server: it creates the GitHub App from a manifest and stores its credentials.
// All pages are rendered on the server, without scripts and external requests.
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

// shortestToken makes guessing infeasible, so logins need no rate limit.
const shortestToken = 16

// Options configure the status page.
type Options struct {
	Source Source
	URL    string // public URL of the server without a path, such as "https://causal.example.com"
	Token  string // for the login; empty shows only counts
	// TokenSetting names the setting of the token, such as "--admin-token-file", for the page without logins.
	TokenSetting string
	People       People         // login with GitHub; nil to disable it
	Key          []byte         // encrypts GitHub sessions; the same for all replicas
	Build        buildinfo.Info // shown to users with a login
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

// New returns the status page. It rejects a token that is too short.
func New(o Options) (*Pages, error) {
	address, err := publicURL(o.URL)
	if err != nil {
		return nil, err
	}
	if err := CheckToken(o.Token); err != nil {
		return nil, err
	}
	p := &Pages{
		people: newPeople(o.People, o.Key, address, o.Now),
		source: o.Source, access: newAccess(strings.TrimSpace(o.Token), address.Scheme == "https", o.Now),
		setting: o.TokenSetting, build: o.Build, now: o.Now, log: o.Logger,
	}
	p.mux = p.routes()
	return p, nil
}

// CheckToken rejects a token that is too short. An empty token is valid.
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

// ServeHTTP implements http.Handler.
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

type handler func(w http.ResponseWriter, r *http.Request) error

// guarded requires a login and sets the Source of the request. If logins are disabled, it shows counts.
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

func wanted(r *http.Request) string {
	if r.Method != http.MethodGet {
		return "/"
	}
	return r.URL.RequestURI()
}

// failures maps errors to pages. The last entry is for all other errors.
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
