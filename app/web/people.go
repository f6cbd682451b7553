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

// The cookies of users: for the time of the authorization on GitHub, and for the login.
const (
	tripCookie   = "causal-trip"
	personCookie = "causal-person"
)

// people are users with a GitHub login. Their token is in an encrypted cookie.
type people struct {
	from     People
	seal     *seal
	redirect string
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

func newPeople(from People, key []byte, address *url.URL, now func() time.Time) *people {
	if from == nil {
		return nil
	}
	return &people{from, newSeal(key, address.Scheme == "https"), address.JoinPath(callbackPath).String(), now}
}

func (p *people) possible() bool { return p != nil }

func (p *people) of(r *http.Request) (person, bool) {
	var who person
	if !p.possible() || !p.seal.read(r, personCookie, &who) {
		return person{}, false
	}
	return who, p.now().Before(who.Until)
}

func (p *Pages) toGitHub(w http.ResponseWriter, r *http.Request) {
	if !p.people.possible() {
		p.fail(w, r, ErrNotFound)
		return
	}
	a := trip{State: rand.Text(), Next: local(r.URL.Query().Get("next")), Until: p.now().Add(agreeing)}
	http.SetCookie(w, p.people.seal.keep(tripCookie, a, agreeing))
	http.Redirect(w, r, p.people.from.Authorize(p.people.redirect, a.State), http.StatusSeeOther)
}

func (p *Pages) fromGitHub(w http.ResponseWriter, r *http.Request) {
	if !p.people.possible() {
		p.fail(w, r, ErrNotFound)
		return
	}
	var a trip
	begun := p.people.seal.read(r, tripCookie, &a)
	http.SetCookie(w, p.people.seal.end(tripCookie))
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
	http.SetCookie(w, p.people.seal.keep(personCookie, person{Token: token, Until: p.now().Add(personSession)}, personSession))
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
