package web

import (
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
)

// hub is a GitHub that gives everybody one token, for which it shows one source.
type hub struct {
	source Source
	err    error // what it fails with
	asked  string
}

const secretToken = "ghu_secret"

func (*hub) Authorize(redirect, state string) string {
	return "https://github.example.com/authorize?" + url.Values{"redirect_uri": {redirect}, "state": {state}}.Encode()
}

func (h *hub) Exchange(_ context.Context, code, redirect string) (string, error) {
	h.asked = code + " " + redirect
	if code != "good" {
		return "", errors.New("bad_verification_code")
	}
	return secretToken, nil
}

func (h *hub) Source(_ context.Context, token string) (Source, error) {
	if token != secretToken {
		return nil, ErrLoggedOut
	}
	return h.source, h.err
}

// clock is a time that tests move.
type clock struct{ time.Time }

func pagesFor(t *testing.T, h *hub, token, address string, c *clock) *Pages {
	t.Helper()
	p, err := New(Options{
		Source: shop(), URL: address, Token: token, People: h, Key: []byte("key"), Now: func() time.Time { return c.Time }, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// begin begins a login, and returns the state and the cookie of it.
func begin(t *testing.T, p *Pages, next string) (string, *http.Cookie) {
	t.Helper()
	r := ask(p, "GET", "/login/github?next="+url.QueryEscape(next), nil)
	to, err := url.Parse(r.header.Get("Location"))
	if err != nil || r.status != 303 || to.Host != "github.example.com" || len(r.cookies) != 1 {
		t.Fatalf("%d to %v, %v, %v", r.status, to, err, r.cookies)
	}
	return to.Query().Get("state"), r.cookies[0]
}

func TestLoginWithGitHub(t *testing.T) {
	t.Parallel()
	mine := &fake{runs: []Run{{queue.RunRow{ID: 5, Started: noon}, Subject{Repository: "octo/mine", Branch: "main"}}}}
	h, c := &hub{source: mine}, &clock{noon}
	p := pagesFor(t, h, token, "https://causal.example.com", c)
	if r := ask(p, "GET", "/login?next=%2Fruns", nil); !strings.Contains(r.text, `href="/login/github?next=%2Fruns"`) || !strings.Contains(r.text, `name="token"`) {
		t.Errorf("the login page is\n%s", r.text)
	}
	state, trip := begin(t, p, "/runs")
	r := ask(p, "GET", "/login/github/callback?code=good&state="+state, nil, trip)
	if r.status != 303 || r.header.Get("Location") != "/runs" || h.asked != "good https://causal.example.com/login/github/callback" {
		t.Fatalf("%d to %s, asked %s:\n%s", r.status, r.header.Get("Location"), h.asked, r.text)
	}
	var session *http.Cookie
	for _, k := range r.cookies {
		if k.Name == "__Host-causal-person" {
			session = k
		}
	}
	if session == nil || !session.HttpOnly || !session.Secure || session.SameSite != http.SameSiteLaxMode || session.MaxAge != 8*60*60 {
		t.Fatalf("the cookies are %v", r.cookies)
	}
	raw, _ := base64.RawURLEncoding.DecodeString(session.Value)
	if strings.Contains(session.Value+string(raw), secretToken) {
		t.Error("the token stands in the cookie")
	}
	if r := ask(p, "GET", "/runs", nil, session); !strings.Contains(r.text, "octo/mine") || strings.Contains(r.text, "octo/shop") || !strings.Contains(r.text, "Log out") {
		t.Errorf("the runs are\n%s", r.text)
	}
	if r := ask(p, "POST", "/logout", nil, session); len(r.cookies) != 2 || r.cookies[1].Name != session.Name || r.cookies[1].MaxAge >= 0 {
		t.Errorf("after the way out the cookies are %v", r.cookies)
	}
}

// TestSessionsEnd: a session counts for its time, its key and its purpose, and while GitHub says so.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	h, c := &hub{source: shop()}, &clock{noon}
	const address = "http://causal.example.com"
	p := pagesFor(t, h, "", address, c)
	state, trip := begin(t, p, "/")
	session := ask(p, "GET", "/login/github/callback?code=good&state="+state, nil, trip).cookies[1]
	shown := func(p *Pages, cookie *http.Cookie) int { return ask(p, "GET", "/runs", nil, cookie).status }
	if got := shown(p, session); got != 200 {
		t.Fatalf("a new session answers %d", got)
	}
	other := pagesFor(t, h, "", address, c)
	other.people.seal = newSeal([]byte("another key"), false)
	if got := shown(other, session); got != 303 {
		t.Errorf("with another key: %d", got)
	}
	if got := shown(p, &http.Cookie{Name: session.Name, Value: trip.Value}); got != 303 {
		t.Errorf("with what is sealed for another purpose: %d", got)
	}
	if got := shown(p, &http.Cookie{Name: session.Name, Value: session.Value[:len(session.Value)-2] + "AA"}); got != 303 {
		t.Errorf("with a changed cookie: %d", got)
	}
	h.err = ErrLoggedOut
	if got := shown(p, session); got != 303 {
		t.Errorf("when GitHub does not know it: %d", got)
	}
	h.err = ErrSilent
	if r := ask(p, "GET", "/runs", nil, session); r.status != 502 || strings.Contains(r.text, "octo/shop") {
		t.Errorf("when GitHub is silent: %d\n%s", r.status, r.text)
	}
	h.err = nil
	c.Time = noon.Add(personSession)
	if got := shown(p, session); got != 303 {
		t.Errorf("after its time: %d", got)
	}
}

// TestLoginsOfOthers: who is sent to the callback by somebody else is not logged in as them.
func TestLoginsOfOthers(t *testing.T) {
	t.Parallel()
	h, c := &hub{source: shop()}, &clock{noon}
	p := pagesFor(t, h, "", "http://causal.example.com", c)
	state, trip := begin(t, p, "https://evil.example/")
	late := &clock{noon.Add(agreeing)}
	for name, r := range map[string]answer{
		"without a cookie":  ask(p, "GET", "/login/github/callback?code=good&state="+state, nil),
		"another state":     ask(p, "GET", "/login/github/callback?code=good&state=x", nil, trip),
		"no state":          ask(p, "GET", "/login/github/callback?code=good", nil, trip),
		"no code":           ask(p, "GET", "/login/github/callback?error=access_denied&state="+state, nil, trip),
		"too late":          ask(pagesFor(t, h, "", "http://causal.example.com", late), "GET", "/login/github/callback?code=good&state="+state, nil, trip),
		"a code of nobody":  ask(p, "GET", "/login/github/callback?code=bad&state="+state, nil, trip),
		"without a login":   ask(pagesOver(t, shop(), token), "GET", "/login/github/callback?code=good&state="+state, nil, trip),
		"nowhere to log in": ask(pagesOver(t, shop(), token), "GET", "/login/github", nil),
	} {
		for _, k := range r.cookies {
			if k.MaxAge >= 0 {
				t.Errorf("%s: got %v", name, k)
			}
		}
		if r.status < 400 {
			t.Errorf("%s: %d", name, r.status)
		}
	}
	if r := ask(p, "GET", "/login/github/callback?code=good&state="+state, nil, trip); r.header.Get("Location") != "/" {
		t.Errorf("it leads to %q", r.header.Get("Location"))
	}
	if r := ask(p, "GET", "/queue", nil); r.status != 303 || !strings.HasPrefix(r.header.Get("Location"), "/login?") {
		t.Errorf("without a login: %d to %s", r.status, r.header.Get("Location"))
	}
}

func FuzzSeal(f *testing.F) {
	s := newSeal([]byte("key"), false)
	good := s.close("a", person{Token: "x"})
	f.Add(good)
	f.Add("")
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, text string) {
		var who person
		raw, _ := base64.RawURLEncoding.DecodeString(text)
		want, _ := base64.RawURLEncoding.DecodeString(good)
		if s.open("a", text, &who) && string(raw) != string(want) {
			t.Errorf("%q opens as %+v", text, who)
		}
	})
}
