package web

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"time"
)

// People is the login with GitHub.
type People interface {
	// Authorize returns GitHub's URL for the authorization, which redirects back with a code and the state.
	Authorize(redirect, state string) string
	// Exchange exchanges a code for a token.
	Exchange(ctx context.Context, code, redirect string) (token string, err error)
	// Source returns the repositories that a user may see. The error is ErrLoggedOut for an invalid token, and
	// ErrSilent if GitHub is unavailable.
	Source(ctx context.Context, token string) (Source, error)
}

const (
	// personSession is the duration of a login with GitHub, the same as that of GitHub's expiring user tokens.
	personSession = 8 * time.Hour
	// agreeing is the time limit for the authorization, the same as that of GitHub's codes.
	agreeing = 10 * time.Minute
	// callbackPath is the redirect path in the App's settings.
	callbackPath = "/login/github/callback"
)

// people are users with a GitHub login. Their token is in an encrypted cookie, so the login needs no server state and
// is valid on every replica.
type people struct {
	from     People
	seal     *seal
	redirect string
	trip     http.Cookie // during the authorization on GitHub
	session  http.Cookie
	now      func() time.Time
}

type trip struct {
	State string    `json:"state"`
	Next  string    `json:"next"`
	Until time.Time `json:"until"`
}

type person struct {
	Token string    `json:"token"`
	Until time.Time `json:"until"`
}

func newPeople(from People, key []byte, address *url.URL, now func() time.Time) (*people, error) {
	if from == nil {
		return nil, nil
	}
	s, err := newSeal(key)
	if err != nil {
		return nil, err
	}
	encrypted := address.Scheme == "https"
	cookie := func(name string) http.Cookie {
		if encrypted {
			name = "__Host-" + name
		}
		// Lax: GitHub redirects here.
		return http.Cookie{Name: name, Path: "/", HttpOnly: true, Secure: encrypted, SameSite: http.SameSiteLaxMode} //nolint:gosec // without encryption a browser keeps no secure cookie
	}
	return &people{
		from: from, seal: s, redirect: address.JoinPath(callbackPath).String(), trip: cookie("causal-trip"), session: cookie("causal-person"), now: now,
	}, nil
}

func (p *people) possible() bool { return p != nil }

func (p *people) of(r *http.Request) (person, bool) {
	var who person
	if !p.possible() || !p.read(r, p.session, &who) {
		return person{}, false
	}
	return who, p.now().Before(who.Until)
}

func (p *people) read(r *http.Request, cookie http.Cookie, into any) bool {
	c, err := r.Cookie(cookie.Name)
	return err == nil && p.seal.open(cookie.Name, c.Value, into)
}

func (p *people) write(w http.ResponseWriter, kind http.Cookie, value any, lasts time.Duration) {
	c := kind //nolint:gosec // as above
	c.Value, c.MaxAge = p.seal.close(c.Name, value), int(lasts.Seconds())
	http.SetCookie(w, &c)
}

func end(w http.ResponseWriter, kind http.Cookie) {
	c := kind //nolint:gosec // as above
	c.MaxAge = -1
	http.SetCookie(w, &c)
}

func (p *Pages) toGitHub(w http.ResponseWriter, r *http.Request) {
	if !p.people.possible() {
		p.fail(w, r, ErrNotFound)
		return
	}
	a := trip{State: rand.Text(), Next: local(r.URL.Query().Get("next")), Until: p.now().Add(agreeing)}
	p.people.write(w, p.people.trip, a, agreeing)
	http.Redirect(w, r, p.people.from.Authorize(p.people.redirect, a.State), http.StatusSeeOther)
}

func (p *Pages) fromGitHub(w http.ResponseWriter, r *http.Request) {
	if !p.people.possible() {
		p.fail(w, r, ErrNotFound)
		return
	}
	var a trip
	begun := p.people.read(r, p.people.trip, &a)
	end(w, p.people.trip)
	query := r.URL.Query()
	same := subtle.ConstantTimeCompare([]byte(a.State), []byte(query.Get("state"))) == 1
	if !begun || !same || !p.now().Before(a.Until) || query.Get("code") == "" {
		p.fail(w, r, errNotBegun)
		return
	}
	token, err := p.people.from.Exchange(r.Context(), query.Get("code"), p.people.redirect)
	if err != nil {
		p.log.WarnContext(r.Context(), "status page: GitHub gave no token", "error", err)
		p.fail(w, r, errors.Join(ErrSilent, err))
		return
	}
	p.people.write(w, p.people.session, person{Token: token, Until: p.now().Add(personSession)}, personSession)
	http.Redirect(w, r, local(a.Next), http.StatusSeeOther) //nolint:gosec // local keeps it here
}

type sourceKey struct{}

func sourceOf(r *http.Request) Source { return r.Context().Value(sourceKey{}).(Source) }

func (p *Pages) visible(r *http.Request) (Source, error) {
	if p.access.allows(r) {
		return p.source, nil
	}
	who, ok := p.people.of(r)
	if !ok {
		return nil, nil
	}
	s, err := p.people.from.Source(r.Context(), who.Token)
	if errors.Is(err, ErrLoggedOut) {
		return nil, nil
	}
	return s, err
}

// loggedIn reports whether a request has a login, without asking GitHub.
func (p *Pages) loggedIn(r *http.Request) bool {
	_, ok := p.people.of(r)
	return ok || p.access.allows(r)
}
