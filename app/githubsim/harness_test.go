package githubsim_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
)

// clock stands still until it is told to go on.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// hub is a simulated GitHub with one repository that the App is installed on.
type hub struct {
	*githubsim.Server
	t            *testing.T
	repo         *githubsim.Repository
	installation int64
	clock        *clock
}

var files = map[string]string{
	"README.md":      "# Shop\n",
	"cart/cart.go":   "package cart\n\nfunc Add() {}\n",
	"cart/price.go":  "package cart\n\nfunc Price() int { return 1 }\n",
	"docs/a file.md": "blanks and ünicode\n",
}

// quiet is without the checks, of which GitHub tells with every push.
var quiet = []string{"push", "pull_request", "repository", "create", "delete"}

// start makes a simulated GitHub and, at the end, asks it for violations.
func start(t *testing.T, o githubsim.Options) *hub {
	t.Helper()
	h := &hub{t: t, clock: &clock{now: time.Now().UTC().Truncate(time.Second)}}
	if o.App == nil && !o.NoApp {
		o.App = &githubsim.App{Events: quiet}
	}
	o.Now, o.Dir = h.clock.Now, t.TempDir()
	s, err := githubsim.New(o)
	if err != nil {
		t.Fatal(err)
	}
	h.Server = s
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if h.repo, err = s.CreateRepository("octo/shop", githubsim.FromFiles(files)); err != nil {
		t.Fatal(err)
	}
	if o.NoApp {
		return h
	}
	if h.installation, err = s.Install(h.repo); err != nil {
		t.Fatal(err)
	}
	return h
}

// clean fails the test for what was outside the description.
func (h *hub) clean() {
	h.t.Helper()
	for _, v := range h.Violations() {
		h.t.Errorf("violation: %s", v)
	}
}

// app is a client that signs as the App.
func (h *hub) app() *github.Client {
	h.t.Helper()
	transport := ghinstallation.NewAppsTransportFromPrivateKey(http.DefaultTransport, h.App().ID, h.PrivateKey())
	return h.client(&http.Client{Transport: transport})
}

// bot is a client with a token of the installation.
func (h *hub) bot() *github.Client {
	h.t.Helper()
	apps := ghinstallation.NewAppsTransportFromPrivateKey(http.DefaultTransport, h.App().ID, h.PrivateKey())
	apps.BaseURL = h.APIURL()
	transport := ghinstallation.NewFromAppsTransport(apps, h.installation)
	transport.InstallationTokenOptions = &github.InstallationTokenOptions{
		RepositoryIDs: []int64{h.repo.ID()},
		Permissions: &github.InstallationPermissions{
			Contents: new("write"), PullRequests: new("write"), Checks: new("write"), Issues: new("write"),
		},
	}
	return h.client(&http.Client{Transport: transport})
}

// user is a client with a person's own token.
func (h *hub) user(login string) *github.Client {
	h.t.Helper()
	return h.client(nil).WithAuthToken(h.Token(login))
}

func (h *hub) client(c *http.Client) *github.Client {
	h.t.Helper()
	client, err := github.NewClient(c).WithEnterpriseURLs(h.URL(), h.URL())
	if err != nil {
		h.t.Fatal(err)
	}
	return client
}

func (h *hub) push(branch string, c githubsim.Change) string {
	h.t.Helper()
	id, err := h.repo.Push(branch, c)
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

func (h *hub) pull(head, title string) int {
	h.t.Helper()
	number, err := h.repo.OpenPull(head, "main", title, "octo")
	if err != nil {
		h.t.Fatal(err)
	}
	return number
}

// received is a webhook that arrived.
type received struct {
	guid, event string
	header      http.Header
	body        []byte
}

// inbox receives webhooks.
type inbox struct {
	mu     sync.Mutex
	all    []received
	status int
	secret string
	t      *testing.T
}

// listen points the App at an inbox, which has the ping when it returns.
func (h *hub) listen() *inbox {
	h.t.Helper()
	in := &inbox{status: http.StatusAccepted, t: h.t, secret: h.App().Secret}
	server := httptest.NewServer(in)
	h.t.Cleanup(server.Close)
	h.SetWebhook(server.URL + "/webhooks")
	h.settle()
	return in
}

func (in *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := github.ValidatePayload(r, []byte(in.secret))
	if err != nil {
		in.t.Errorf("a delivery is not signed: %v", err)
	}
	if _, err := github.ParseWebHook(github.WebHookType(r), body); err != nil {
		in.t.Errorf("a delivery cannot be read: %v", err)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.all = append(in.all, received{guid: github.DeliveryID(r), event: github.WebHookType(r), header: r.Header, body: body})
	w.WriteHeader(in.status)
}

// take returns what arrived since the last time.
func (in *inbox) take() []received {
	in.mu.Lock()
	defer in.mu.Unlock()
	out := in.all
	in.all = nil
	return out
}

// next returns the events that arrived since the last time, in go-github's types, and their names.
func (h *hub) next(in *inbox) ([]any, []string) {
	h.t.Helper()
	h.settle()
	var events []any
	var names []string
	for _, d := range in.take() {
		event, err := github.ParseWebHook(d.event, d.body)
		if err != nil {
			h.t.Fatal(err)
		}
		name := d.event
		if about, ok := event.(interface{ GetAction() string }); ok && about.GetAction() != "" {
			name += "." + about.GetAction()
		}
		events, names = append(events, event), append(names, name)
	}
	return events, names
}

func (h *hub) settle() {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 30*time.Second)
	defer cancel()
	if err := h.Settle(ctx); err != nil {
		h.t.Fatal(err)
	}
}
