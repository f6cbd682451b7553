package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

const session = 12 * time.Hour

// access checks logins with the token. A login is an expiry time in a cookie that is encrypted with the token, so a new token
// ends all logins.
type access struct {
	token string
	seal  *seal
	now   func() time.Time
}

// accessCookie has the login.
const accessCookie = "causal-session"

func newAccess(token string, secure bool, now func() time.Time) *access {
	return &access{token, newSeal([]byte("causal status page "+token), secure), now}
}

func (a *access) possible() bool { return a.token != "" }

func (a *access) matches(token string) bool {
	return a.possible() && equal(a.token, token)
}

func (a *access) allows(r *http.Request) bool {
	var until time.Time
	return a.possible() && a.seal.read(r, accessCookie, &until) && a.now().Before(until)
}

func (a *access) grant() *http.Cookie {
	return a.seal.keep(accessCookie, a.now().Add(session), session)
}

type loginForm struct {
	Next   string
	Wrong  bool
	Token  bool
	GitHub string // URL of the login with GitHub; empty if disabled
}

func (p *Pages) loginForm(next string, wrong bool) loginForm {
	f := loginForm{Next: next, Wrong: wrong, Token: p.access.possible()}
	if p.people.possible() {
		f.GitHub = "/login/github?" + url.Values{"next": {next}}.Encode()
	}
	return f
}

func (p *Pages) showLogin(w http.ResponseWriter, r *http.Request) {
	if !p.access.possible() && !p.people.possible() {
		p.closed(w, r)
		return
	}
	if source, err := p.visible(r); err == nil && source != nil {
		http.Redirect(w, r, local(r.URL.Query().Get("next")), http.StatusSeeOther) //nolint:gosec // local keeps it here
		return
	}
	p.show(w, r, http.StatusOK, view{Template: "login", Title: "Log in", Content: p.loginForm(local(r.URL.Query().Get("next")), false)})
}

func (p *Pages) login(w http.ResponseWriter, r *http.Request) {
	if !p.access.possible() {
		p.closed(w, r)
		return
	}
	next := local(formValue(w, r, "next"))
	if !p.access.matches(strings.TrimSpace(formValue(w, r, "token"))) {
		p.log.WarnContext(r.Context(), "status page: wrong token", "from", r.RemoteAddr)
		p.show(w, r, http.StatusForbidden, view{Template: "login", Title: "Log in", Content: p.loginForm(next, true)})
		return
	}
	http.SetCookie(w, p.access.grant())
	http.Redirect(w, r, next, http.StatusSeeOther)
}

func (p *Pages) logout(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, p.access.seal.end(accessCookie))
	if p.people.possible() {
		http.SetCookie(w, p.people.seal.end(personCookie))
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// largestForm limits the bytes of a form.
const largestForm = 64 << 10

func formValue(w http.ResponseWriter, r *http.Request, name string) string {
	r.Body = http.MaxBytesReader(w, r.Body, largestForm)
	return r.PostFormValue(name)
}

// local returns a path on this server for the redirect after a login, never another site.
func local(next string) string {
	ours := strings.HasPrefix(next, "/") && !strings.HasPrefix(next, "//") && !strings.ContainsAny(next, "\\\r\n\t")
	if !ours || strings.HasPrefix(next, "/login") {
		return "/"
	}
	return next
}
