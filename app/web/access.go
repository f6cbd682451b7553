package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const session = 12 * time.Hour

// access checks logins. A login is a cookie with an expiry time, signed with the token: it needs no server state, is
// valid on every replica, and a new token ends all logins.
type access struct {
	token  string
	cookie http.Cookie
	now    func() time.Time
}

func newAccess(token string, encrypted bool, now func() time.Time) *access {
	// Lax: users follow links from pull requests. Forms of other sites are rejected separately.
	a := &access{token: token, now: now, cookie: http.Cookie{ //nolint:gosec // without encryption a browser keeps no secure cookie
		Name: "causal-session", Path: "/", HttpOnly: true, Secure: encrypted, SameSite: http.SameSiteLaxMode,
	}}
	if encrypted {
		a.cookie.Name = "__Host-causal-session" //nolint:gosec // as above
	}
	return a
}

func (a *access) possible() bool { return a.token != "" }

func (a *access) matches(token string) bool {
	want, got := sha256.Sum256([]byte(a.token)), sha256.Sum256([]byte(token))
	return a.possible() && hmac.Equal(want[:], got[:])
}

func (a *access) allows(r *http.Request) bool {
	c, err := r.Cookie(a.cookie.Name)
	if err != nil || !a.possible() {
		return false
	}
	until, signature, _ := strings.Cut(c.Value, ".")
	if !hmac.Equal([]byte(signature), []byte(a.sign(until))) {
		return false
	}
	end, err := strconv.ParseInt(until, 10, 64)
	return err == nil && a.now().Before(time.Unix(end, 0))
}

func (a *access) sign(until string) string {
	mac := hmac.New(sha256.New, []byte(a.token))
	mac.Write([]byte("causal status page until " + until))
	return hex.EncodeToString(mac.Sum(nil))
}

func (a *access) grant() *http.Cookie {
	c := a.cookie //nolint:gosec // as above
	until := strconv.FormatInt(a.now().Add(session).Unix(), 10)
	c.Value, c.MaxAge = until+"."+a.sign(until), int(session.Seconds())
	return &c
}

func (a *access) end() *http.Cookie {
	c := a.cookie //nolint:gosec // as above
	c.MaxAge = -1
	return &c
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
	http.SetCookie(w, p.access.end())
	if p.people.possible() {
		end(w, p.people.session)
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
