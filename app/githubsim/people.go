package githubsim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"
)

type grant struct {
	login, redirect string
	until           time.Time
}

// SetPerson sets the user of the browser. The default is octo.
func (s *Server) SetPerson(login string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.account(login)
	s.person = login
}

// Revoke revokes all user tokens of the App.
func (s *Server) Revoke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for token, p := range s.tokens {
		if p.user {
			delete(s.tokens, token)
		}
	}
}

// Invite gives a user read or push access to a private repository. Its owner has both.
func (r *Repository) Invite(login string, push bool) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.s.account(login)
	if r.invited == nil {
		r.invited = map[string]bool{}
	}
	r.invited[login] = push
}

func (r *Repository) member(login string) (reads, pushes bool) {
	push, invited := r.invited[login]
	return invited || r.owner == login, push || r.owner == login
}

// authorize redirects the browser with a code, as GitHub does once the user authorizes the App.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	to, err := url.Parse(query.Get("redirect_uri"))
	if s.app == nil || query.Get("client_id") != s.app.ClientID || err != nil || !s.app.calls(to.String()) {
		http.Error(w, "The redirect_uri is not associated with this application.", http.StatusNotFound)
		return
	}
	code := fmt.Sprintf("%020x", s.id())
	s.grants[code] = grant{login: s.person, redirect: to.String(), until: s.time().Add(10 * time.Minute)}
	back := to.Query()
	back.Set("code", code)
	back.Set("state", query.Get("state"))
	to.RawQuery = back.Encode()
	http.Redirect(w, r, to.String(), http.StatusFound) //nolint:gosec // to where the App is
}

// calls reports whether a URL is a callback URL of the App. An App that was not created from a manifest accepts any.
func (a *App) calls(address string) bool {
	return a.Callbacks == nil || slices.Contains(a.Callbacks, address)
}

// exchange exchanges a code for a token. Errors have status 200, as on GitHub.
func (s *Server) exchange(w http.ResponseWriter, r *http.Request) {
	code := r.PostFormValue("code")
	given, known := s.grants[code]
	delete(s.grants, code)
	out := object{}
	switch {
	case s.app == nil || r.PostFormValue("client_id") != s.app.ClientID || r.PostFormValue("client_secret") != s.app.ClientSecret:
		out["error"], out["error_description"] = "incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect."
	case !known || s.time().After(given.until):
		out["error"], out["error_description"] = "bad_verification_code", "The code passed is incorrect or expired."
	case r.PostFormValue("redirect_uri") != given.redirect:
		out["error"], out["error_description"] = "redirect_uri_mismatch", "The redirect_uri MUST match the registered callback URL for this application."
	default:
		out["access_token"] = s.issue("ghu_", &principal{login: given.login, user: true, expires: s.time().Add(8 * time.Hour)})
		out["token_type"], out["scope"] = "bearer", ""
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(out)
}

func listMine(c *call) reply {
	mine := only(c.s.installations, func(in *installation) bool { return len(c.mine(in)) > 0 })
	return reply{status: http.StatusOK, items: views(mine, c.s.viewInstallation), under: "installations"}
}

func (c *call) mine(in *installation) []*Repository {
	return only(in.repos, func(repo *Repository) bool {
		reads, _ := repo.member(c.who.login)
		return reads
	})
}

func listMyInstalled(c *call) reply {
	in := c.installation()
	items := []object{}
	for _, repo := range c.mine(in) {
		view := c.s.viewRepository(repo)
		_, pushes := repo.member(c.who.login)
		view["permissions"] = object{"admin": repo.owner == c.who.login, "maintain": pushes, "push": pushes, "triage": pushes, "pull": true}
		items = append(items, view)
	}
	return reply{status: http.StatusOK, items: items, under: "repositories"}
}
