package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestLogin(t *testing.T) {
	t.Parallel()
	p := pagesOver(t, shop(), token)
	for _, c := range []struct {
		name, token, next string
		status            int
		location          string
	}{
		{"the token", token, "/runs/412?x=1", 303, "/runs/412?x=1"},
		{"the token with the line break of a copy", token + "\n", "", 303, "/"},
		{"another token", token + "x", "/runs", 403, ""},
		{"the beginning of the token", token[:16], "/runs", 403, ""},
		{"no token", "", "/runs", 403, ""},
		{"to another site", token, "https://evil.example/", 303, "/"},
		{"to another site without a scheme", token, "//evil.example/", 303, "/"},
		{"to another site as browsers read it", token, `/\evil.example/`, 303, "/"},
		{"to another site around a tab", token, "/\t/evil.example/", 303, "/"},
		{"to the login again", token, "/login?next=/login", 303, "/"},
	} {
		r := ask(p, "POST", "/login", url.Values{"token": {c.token}, "next": {c.next}})
		if r.status != c.status || r.header.Get("Location") != c.location {
			t.Errorf("%s: status %d, location %q", c.name, r.status, r.header.Get("Location"))
		}
		if granted := len(r.cookies) == 1; granted != (c.status == 303) {
			t.Errorf("%s: cookies %v", c.name, r.cookies)
		}
		if text := r.text; c.status == 403 && !strings.Contains(text, "not the token of this server") {
			t.Errorf("%s: says %s", c.name, text)
		}
	}
}

// TestATokenWithALineBreak: secrets that come out of files have one at their end, and nobody types it.
func TestATokenWithALineBreak(t *testing.T) {
	t.Parallel()
	p := pagesOver(t, shop(), token+"\n")
	if r := ask(p, "POST", "/login", url.Values{"token": {token}}); r.status != 303 {
		t.Errorf("status %d", r.status)
	}
	if r := ask(pagesOver(t, shop(), " \n"), "GET", "/", nil); !strings.Contains(r.text, "Only counts are shown") {
		t.Errorf("an empty token: status %d, %s", r.status, r.text)
	}
}

func TestWhoIsNotLoggedInIsAskedForTheToken(t *testing.T) {
	t.Parallel()
	p := pagesOver(t, shop(), token)
	for target, next := range map[string]string{
		"/": "/login?next=%2F", "/runs?after=2": "/login?next=%2Fruns%3Fafter%3D2", "/nothing": "/login?next=%2Fnothing",
	} {
		if r := ask(p, "GET", target, nil); r.status != 303 || r.header.Get("Location") != next {
			t.Errorf("%s: status %d, location %s", target, r.status, r.header.Get("Location"))
		}
	}
	text := ask(p, "GET", "/login?next=/runs", nil).text
	if !strings.Contains(text, `name="next" value="/runs"`) || strings.Contains(text, "octo") || strings.Contains(text, "Queue") {
		t.Errorf("the login page says %s", text)
	}
	if r := ask(p, "GET", "/login?next=/runs", nil, p.access.grant()); r.header.Get("Location") != "/runs" {
		t.Errorf("who is logged in is sent to %q", r.header.Get("Location"))
	}
}

func TestSession(t *testing.T) {
	t.Parallel()
	now := noon
	a := newAccess(token, true, func() time.Time { return now })
	other := newAccess(token+"!", true, func() time.Time { return now })
	valid := a.grant()
	for _, c := range []struct {
		name, value string
		after       time.Duration
		allowed     bool
	}{
		{"a new one", valid.Value, 0, true},
		{"a minute before its end", valid.Value, session - time.Minute, true},
		{"at its end", valid.Value, session, false},
		{"changed", valid.Value[:len(valid.Value)-2] + "AA", 0, false},
		{"sealed for another purpose", a.seal.close("x", noon.Add(session)), 0, false},
		{"sealed with another token", other.grant().Value, 0, false},
		{"nothing", "", 0, false},
		{"no time", a.seal.close(valid.Name, "x"), 0, false},
	} {
		now = noon.Add(c.after)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.AddCookie(&http.Cookie{Name: valid.Name, Value: c.value})
		if a.allows(r) != c.allowed {
			t.Errorf("%s: allowed is %v", c.name, !c.allowed)
		}
	}
	none := newAccess("", true, func() time.Time { return noon })
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.AddCookie(none.grant())
	if none.matches("") || none.allows(r) {
		t.Error("who has no token is let in where there is none")
	}
	if !valid.HttpOnly || !valid.Secure || valid.SameSite != http.SameSiteLaxMode || valid.Path != "/" || !strings.HasPrefix(valid.Name, "__Host-") {
		t.Errorf("the cookie is %+v", valid)
	}
}

func TestLogout(t *testing.T) {
	t.Parallel()
	p := pagesOver(t, shop(), token)
	r := ask(p, "POST", "/logout", nil, p.access.grant())
	if c := r.cookies; r.status != 303 || len(c) != 1 || c[0].MaxAge >= 0 || c[0].Value != "" {
		t.Errorf("status %d, cookies %v", r.status, c)
	}
	if r := ask(p, "GET", "/logout", nil, p.access.grant()); r.status != 404 {
		t.Errorf("a link can log people out: status %d", r.status)
	}
}
