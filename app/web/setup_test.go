package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/webhooks"
)

// stage is a server that is being set up, with what the set-up did to it.
type stage struct {
	*Setup

	now        time.Time
	log        bytes.Buffer
	converted  []string // "<host> <code>"
	kept       []Credentials
	active     []Credentials
	convertErr error
	keepErr    error
	activeErr  error
}

func (s *stage) Keep(_ context.Context, c Credentials) error {
	s.kept = append(s.kept, c)
	return s.keepErr
}

func (s *stage) String() string { return "/var/lib/causal/app.env" }

func newStage(t *testing.T, change func(*SetupOptions)) *stage {
	t.Helper()
	s := &stage{now: noon}
	o := SetupOptions{
		URL: "https://causal.example.com", Webhook: "https://causal.example.com/webhooks", Keeper: s,
		Convert: func(ctx context.Context, host, code string) (Credentials, error) {
			s.converted = append(s.converted, host+" "+code)
			return octoapp(), errors.Join(s.convertErr, ctx.Err())
		},
		Activate: func(_ context.Context, c Credentials) error {
			s.active = append(s.active, c)
			return s.activeErr
		},
		Now: func() time.Time { return s.now }, Logger: slog.New(slog.NewTextHandler(&s.log, nil)),
	}
	if change != nil {
		change(&o)
	}
	var err error
	if s.Setup, err = NewSetup(o); err != nil {
		t.Fatal(err)
	}
	return s
}

// token is the one in the link.
func (s *stage) token(t *testing.T) string {
	t.Helper()
	u, err := url.Parse(s.Link())
	if err != nil || u.Path != "/setup" {
		t.Fatalf("the link is %s, %v", s.Link(), err)
	}
	return u.Query().Get("token")
}

var (
	actionOf   = regexp.MustCompile(`action="(https://[^"]+)"`)
	manifestOf = regexp.MustCompile(`name="manifest" value="([^"]+)"`)
)

// depart fills the form and goes as far as GitHub's page.
func (s *stage) depart(t *testing.T, form url.Values, cookies ...*http.Cookie) (action string, m manifest, got []*http.Cookie) {
	t.Helper()
	r := ask(s, "POST", "/setup", form, cookies...)
	text := r.text
	if r.status != 200 {
		t.Fatalf("status %d: %s", r.status, text)
	}
	action = html.UnescapeString(actionOf.FindStringSubmatch(text)[1])
	if err := json.Unmarshal([]byte(html.UnescapeString(manifestOf.FindStringSubmatch(text)[1])), &m); err != nil {
		t.Fatal(err)
	}
	host, err := url.Parse(action)
	if err != nil {
		t.Fatal(err)
	}
	if csp := r.header.Get("Content-Security-Policy"); !strings.Contains(csp, "form-action 'self' https://"+host.Host+";") {
		t.Errorf("the policy is %q", csp)
	}
	return action, m, r.cookies
}

// arrive is how GitHub sends people back.
func arrive(action string) string {
	u, err := url.Parse(action)
	if err != nil {
		panic(err)
	}
	return "/setup/callback?code=c0de&state=" + u.Query().Get("state")
}

func TestSetupFromLinkToApp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		form         url.Values
		action, host string
		app          string
	}{
		{"of a user", url.Values{"owner": {"user"}, "host": {"https://github.com"}}, "https://github.com/settings/apps/new?", "https://github.com", "causal-example-com"},
		{"of an organisation", url.Values{"owner": {"organisation"}, "organisation": {" octo "}, "host": {""}}, "https://github.com/organizations/octo/settings/apps/new?", "https://github.com", "causal-octo"},
		{"on a GitHub server", url.Values{"owner": {"user"}, "host": {"https://github.corp.example:8443/"}}, "https://github.corp.example:8443/settings/apps/new?", "https://github.corp.example:8443", "causal-example-com"},
	} {
		s := newStage(t, nil)
		if text := ask(s, "GET", s.Link(), nil).text; !strings.Contains(text, "What the App may do, and why") || !strings.Contains(text, "/var/lib/causal/app.env") {
			t.Errorf("%s: the form says %s", c.name, text)
		}
		c.form.Set("token", s.token(t))
		action, m, cookies := s.depart(t, c.form)
		if !strings.HasPrefix(action, c.action) || m.Name != c.app {
			t.Errorf("%s: %s is made at %s", c.name, m.Name, action)
		}
		r := ask(s, "GET", arrive(action), nil, cookies...)
		text := r.text
		want := octoapp()
		want.Host = c.host
		if r.status != 200 || !slices.Equal(s.converted, []string{c.host + " c0de"}) || !slices.Equal(s.kept, []Credentials{want}) || !slices.Equal(s.active, []Credentials{want}) {
			t.Errorf("%s: status %d, converted %v, kept %v, active %v", c.name, r.status, s.converted, s.kept, s.active)
		}
		if !strings.Contains(text, "https://github.com/apps/causal-octo/installations/new") || strings.Contains(text, "s3cret") || strings.Contains(text, "CAUSAL_GITHUB_PRIVATE_KEY") {
			t.Errorf("%s: the last page says %s", c.name, text)
		}
		if log := s.log.String(); strings.Contains(log, "s3cret") || strings.Contains(log, "RSA") || strings.Contains(log, "c0de") {
			t.Errorf("%s: the log says %s", c.name, log)
		}
		if !s.Done() {
			t.Errorf("%s: not done", c.name)
		}
		for _, target := range []string{"/", "/setup", s.Link(), arrive(action)} {
			if r := ask(s, "GET", target, nil, cookies...); r.status != 404 {
				t.Errorf("%s: afterwards %s answers %d", c.name, target, r.status)
			}
		}
		if r := ask(s, "POST", "/setup", c.form, cookies...); r.status != 404 {
			t.Errorf("%s: afterwards the form answers %d", c.name, r.status)
		}
	}
}

func TestManifest(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	_, m, _ := s.depart(t, url.Values{"token": {s.token(t)}, "owner": {"user"}})
	got, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "manifest.json", string(got)+"\n")
	for _, e := range webhooks.Events {
		if e.Why == "" || e.Always() == slices.Contains(m.Events, e.Name) {
			t.Errorf("event %s: reason %q, asked for: %v", e.Name, e.Why, !e.Always())
		}
	}
	for _, g := range Grants {
		if g.Reason == "" || m.Permissions[g.Name] != g.Level {
			t.Errorf("permission %s: reason %q, asked for: %q", g.Name, g.Reason, m.Permissions[g.Name])
		}
	}
	server, err := publicURL("https://a-host-with-a-very-long-name.example.com")
	if err != nil {
		t.Fatal(err)
	}
	if name := newManifest(server, "", "").Name; len(name) > longestName || strings.HasSuffix(name, "-") {
		t.Errorf("the name is %q", name)
	}
}

func TestSetupFormRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, owner, organisation, host string
		want                            string
	}{
		{"no organisation", "organisation", "", gitHub, "Write the organisation"},
		{"a path as organisation", "organisation", "octo/../x", gitHub, "Write the organisation"},
		{"a server without a scheme", "user", "", "github.example.com", "is not the URL of"},
		{"a server without encryption", "user", "", "http://github.example.com", "must begin with https"},
		{"a server with a path", "user", "", "https://github.example.com/x", "is not the URL of"},
		{"a server with a user", "user", "", "https://me@github.example.com", "is not the URL of"},
		{"a script", "user", "", "javascript:alert(1)", "is not the URL of"},
		{"a server that adds to the policy", "user", "", "https://a;script-src", "is not the URL of"},
		{"a server that adds a word to the policy", "user", "", "https://*", "is not the URL of"},
	} {
		s := newStage(t, nil)
		r := ask(s, "POST", "/setup", url.Values{"token": {s.token(t)}, "owner": {c.owner}, "organisation": {c.organisation}, "host": {c.host}})
		text := r.text
		if r.status != 422 || !strings.Contains(text, c.want) || !strings.Contains(text, html.EscapeString(c.host)) {
			t.Errorf("%s: status %d, %s", c.name, r.status, text)
		}
		if len(r.cookies) > 0 {
			t.Errorf("%s: cookies %v", c.name, r.cookies)
		}
		// The link still works.
		s.depart(t, url.Values{"token": {s.token(t)}, "owner": {"user"}})
	}
}

func TestSetupIsForWhoHoldsTheLink(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	form := url.Values{"token": {s.token(t)}, "owner": {"user"}}
	for _, token := range []string{"", "x", s.token(t) + "x"} {
		if r := ask(s, "GET", "/setup?token="+token, nil); r.status != 403 {
			t.Errorf("token %q: status %d", token, r.status)
		}
		if r := ask(s, "POST", "/setup", url.Values{"token": {token}, "owner": {"user"}}); r.status != 403 {
			t.Errorf("form with token %q: status %d", token, r.status)
		}
	}
	if text := ask(s, "GET", "/", nil).text; strings.Contains(text, s.token(t)) || !strings.Contains(text, "no GitHub App yet") {
		t.Errorf("everybody is told %s", text)
	}
	_, _, cookies := s.depart(t, form)
	if r := ask(s, "GET", "/setup", nil, cookies...); r.status != 200 {
		t.Errorf("who used it cannot go back: %d", r.status)
	}
	if other := newStage(t, nil); other.Link() == s.Link() {
		t.Error("two servers have one link")
	}
}

// TestTheLinkWorksUntilThereIsAnApp: neither looking at it, as programs do that show where links lead, nor a form that led
// nowhere uses it up. The App does.
func TestTheLinkWorksUntilThereIsAnApp(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	form := url.Values{"token": {s.token(t)}, "owner": {"user"}}
	ask(s, "GET", s.Link(), nil)
	s.depart(t, form) // the browser is closed on GitHub's page
	if r := ask(s, "GET", s.Link(), nil); r.status != 200 {
		t.Fatalf("the link answers %d in another browser", r.status)
	}
	action, _, cookies := s.depart(t, form)
	if r := ask(s, "GET", arrive(action), nil, cookies...); r.status != 200 || len(s.active) != 1 {
		t.Fatalf("status %d, active %v", r.status, s.active)
	}
	for method, target := range map[string]string{"GET": s.Link(), "POST": "/setup"} {
		if r := ask(s, method, target, form); r.status != 404 {
			t.Errorf("with an App %s %s answers %d", method, target, r.status)
		}
	}
}

func TestCallbackRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(s *stage, target string, cookies []*http.Cookie) (string, []*http.Cookie)
		status int
	}{
		{"from another browser", func(_ *stage, target string, _ []*http.Cookie) (string, []*http.Cookie) { return target, nil }, 403},
		{"with another state", func(_ *stage, target string, cookies []*http.Cookie) (string, []*http.Cookie) {
			return target + "0", cookies
		}, 403},
		{"with a state of one's own", func(*stage, string, []*http.Cookie) (string, []*http.Cookie) {
			return "/setup/callback?code=c0de&state=mine", []*http.Cookie{{Name: "causal-setup-state", Value: "mine"}}
		}, 403},
		{"with the state of an earlier way", func(s *stage, target string, cookies []*http.Cookie) (string, []*http.Cookie) {
			later := ask(s, "POST", "/setup", url.Values{"owner": {"user"}}, cookies...)
			return target, later.cookies
		}, 403},
		{"without a state", func(*stage, string, []*http.Cookie) (string, []*http.Cookie) {
			return "/setup/callback?code=c0de", []*http.Cookie{{Name: "causal-setup-state"}}
		}, 403},
		{"too late", func(s *stage, target string, cookies []*http.Cookie) (string, []*http.Cookie) {
			s.now = s.now.Add(stateLasts)
			return target, cookies
		}, 403},
		{"without a code", func(_ *stage, target string, cookies []*http.Cookie) (string, []*http.Cookie) {
			return strings.Replace(target, "c0de", "", 1), cookies
		}, 400},
	} {
		s := newStage(t, nil)
		action, _, cookies := s.depart(t, url.Values{"token": {s.token(t)}, "owner": {"user"}})
		target, cookies := c.change(s, arrive(action), cookies)
		if r := ask(s, "GET", target, nil, cookies...); r.status != c.status || len(s.converted) > 0 || s.Done() {
			t.Errorf("%s: status %d, converted %v, done %v", c.name, r.status, s.converted, s.Done())
		}
	}
}

func TestAStateCountsOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	s.convertErr = errors.New("404 from GitHub")
	action, _, cookies := s.depart(t, url.Values{"token": {s.token(t)}, "owner": {"user"}})
	if r := ask(s, "GET", arrive(action), nil, cookies...); r.status != 502 || !strings.Contains(r.text, "404 from GitHub") || s.Done() {
		t.Errorf("status %d, done %v", r.status, s.Done())
	}
	s.convertErr = nil
	if r := ask(s, "GET", arrive(action), nil, cookies...); r.status != 403 || len(s.converted) != 1 {
		t.Errorf("the second time: status %d, converted %v", r.status, s.converted)
	}
	again, _, cookies := s.depart(t, url.Values{"owner": {"user"}}, cookies...)
	if r := ask(s, "GET", arrive(again), nil, cookies...); r.status != 200 || !s.Done() || len(s.active) != 1 {
		t.Errorf("after beginning again: status %d, done %v", r.status, s.Done())
	}
}

func TestCredentialsAreNeverLost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*SetupOptions, *stage)
		keep   string
		says   []string
		shown  bool
		kept   int
	}{
		{name: "kept", says: []string{"/var/lib/causal/app.env"}, kept: 1},
		{name: "shown because the person wants it", keep: "show", says: []string{"shown once"}, shown: true},
		{name: "shown because nothing keeps them", change: func(o *SetupOptions, _ *stage) { o.Keeper = nil }, says: []string{"shown once"}, shown: true},
		{name: "shown because they could not be kept", change: func(_ *SetupOptions, s *stage) { s.keepErr = errors.New("disk full") }, says: []string{"disk full"}, shown: true, kept: 1},
		{name: "kept though the server did not start", change: func(_ *SetupOptions, s *stage) { s.activeErr = errors.New("no route") }, says: []string{"no route", "Start the server again"}, kept: 1},
	} {
		var options SetupOptions
		s := newStage(t, func(o *SetupOptions) { options = *o })
		if c.change != nil {
			c.change(&options, s)
			s.o.Keeper = options.Keeper
		}
		action, _, cookies := s.depart(t, url.Values{"token": {s.token(t)}, "owner": {"user"}, "keep": {c.keep}})
		// The person closes the page while GitHub is asked.
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithCancel(r.Context())
			cancel()
			s.ServeHTTP(w, r.WithContext(ctx))
		})
		r := ask(h, "GET", arrive(action), nil, cookies...)
		text := r.text
		if shown := strings.Contains(text, "CAUSAL_GITHUB_WEBHOOK_SECRET=s3cret="); r.status != 200 || shown != c.shown || len(s.kept) != c.kept || len(s.active) != 1 {
			t.Errorf("%s: status %d, shown %v, kept %d, activated %d", c.name, r.status, shown, len(s.kept), len(s.active))
		}
		for _, say := range c.says {
			if !strings.Contains(text, say) {
				t.Errorf("%s: does not say %q", c.name, say)
			}
		}
		if r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: may be kept by a cache", c.name)
		}
	}
}

func TestUnreachableServersAreToldSo(t *testing.T) {
	t.Parallel()
	for address, warned := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://localhost:8080": true, "http://[::1]:8080": true, "https://causal.example.com": false,
	} {
		s := newStage(t, func(o *SetupOptions) { o.URL = address })
		if text := ask(s, "GET", s.Link(), nil).text; strings.Contains(text, "cannot reach") != warned {
			t.Errorf("%s: warned is %v", address, !warned)
		}
	}
}

// TestTwoWaysMakeOneApp lets a second tab come back while GitHub is asked for the first.
func TestTwoWaysMakeOneApp(t *testing.T) {
	t.Parallel()
	asked, answer := make(chan bool), make(chan bool)
	s := newStage(t, func(o *SetupOptions) {
		convert := o.Convert
		o.Convert = func(ctx context.Context, host, code string) (Credentials, error) {
			asked <- true
			<-answer
			return convert(ctx, host, code)
		}
	})
	first, _, cookies := s.depart(t, url.Values{"token": {s.token(t)}, "owner": {"user"}})
	second, _, others := s.depart(t, url.Values{"owner": {"user"}}, cookies...)
	status := make(chan int, 2)
	go func() { status <- ask(s, "GET", arrive(first), nil, cookies...).status }()
	<-asked
	go func() { status <- ask(s, "GET", arrive(second), nil, others...).status }()
	for under := 1; under > 0; runtime.Gosched() {
		s.mu.Lock()
		under = len(s.states)
		s.mu.Unlock()
	}
	close(answer)
	for range 2 {
		select {
		case <-asked:
			t.Fatal("GitHub was asked twice")
		case got := <-status:
			if got != http.StatusOK && got != http.StatusNotFound {
				t.Errorf("status %d", got)
			}
		}
	}
	if len(s.active) != 1 {
		t.Errorf("%d Apps", len(s.active))
	}
}
