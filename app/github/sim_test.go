package github

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/githubsim"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
)

// world is a simulated GitHub with one repository, and a client of it as the App has.
type world struct {
	*Client
	t     *testing.T
	sim   *githubsim.Server
	repo  *githubsim.Repository
	app   *App
	clock *clock

	installation int64
	seen         int // requests that wrote has counted
}

var writing = Permissions{"contents": "write", "pull_requests": "write", "checks": "write", "metadata": "read"}

func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel() // worlds share nothing, and git takes its time
	sim, err := githubsim.New(githubsim.Options{})
	must(t, err)
	t.Cleanup(func() {
		if got := sim.Violations(); len(got) > 0 {
			t.Errorf("outside of what GitHub describes:\n%s", strings.Join(got, "\n"))
		}
		must(t, sim.Close())
	})
	w := &world{t: t, sim: sim, clock: &clock{now: start}}
	w.repo, err = sim.CreateRepository("octo/shop", githubsim.FromFiles(map[string]string{"main.go": "package main\n", "docs/old.md": "old\n"}))
	must(t, err)
	w.installation, err = sim.Install(w.repo)
	must(t, err)
	w.through(nil)
	return w
}

// through reopens the client with another transport; nil is the default.
func (w *world) through(network http.RoundTripper) {
	w.t.Helper()
	var err error
	w.app, err = NewApp(Config{
		ID: w.sim.App().ID, PrivateKey: []byte(w.sim.App().PEM()),
		Options: Options{BaseURL: w.sim.URL(), Sleep: w.clock.Sleep, Transport: network},
	})
	must(w.t, err)
	w.Client = w.open(writing)
}

func (w *world) open(permissions Permissions) *Client {
	w.t.Helper()
	c, err := w.app.Installation(w.t.Context(), w.installation, w.repo.ID(), permissions)
	must(w.t, err)
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wrote counts the requests to change something that came in since the last call.
func (w *world) wrote() int {
	all, before := len(w.sim.Writes(w.repo)), w.seen
	w.seen = all
	return all - before
}

func TestRenamedRepositoryIsFollowed(t *testing.T) {
	w := newWorld(t)
	w.repo.Rename("store")
	w.app.Forget(w.repo.ID())
	c := w.open(writing)
	if c.FullName() != "octo/store" {
		t.Errorf("the repository is called %s", c.FullName())
	}
	commit := w.docs()
	if _, err := c.Publish(t.Context(), commit); err != nil {
		t.Error(err)
	}
}

func TestRepositoryBranchAndPull(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	found, err := w.Repository(ctx)
	must(t, err)
	if found.ID != w.repo.ID() || found.DefaultBranch != "main" || !found.Private || found.Archived || found.Empty || found.GitURL != w.GitURL() {
		t.Errorf("repository %+v, fetched from %s", found, w.GitURL())
	}
	_, err = w.repo.Push("fix/the/thing", githubsim.Change{Message: "Fix", Login: "mona", Write: map[string]string{"fix.go": "package main\n"}})
	must(t, err)
	w.repo.Protect("main")
	for name, protected := range map[string]bool{"main": true, "refs/heads/fix/the/thing": false} {
		branch, err := w.Branch(ctx, name)
		if err != nil || branch.Name != branchName(name) || branch.Head != w.repo.Head(branch.Name) || branch.Protected != protected {
			t.Errorf("branch %+v, %v", branch, err)
		}
	}
	fix := w.repo.Head("fix/the/thing")
	list, err := w.Ancestors(ctx, fix)
	if err != nil || len(list) != 2 || list[0].ID != fix || list[0].Message != "Fix" || !slices.Equal(list[0].Parents, []string{w.repo.Head("main")}) || len(list[1].Parents) > 0 {
		t.Errorf("ancestors %+v, %v", list, err)
	}
	if _, err := w.Branch(ctx, "nowhere"); !errors.Is(err, ErrGone) {
		t.Error(problem(err, ErrGone))
	}
	number, err := w.repo.OpenPull("fix/the/thing", "main", "Fix the thing", "mona")
	must(t, err)
	pull, err := w.Pull(ctx, number)
	must(t, err)
	if pull.Number != number || pull.State != "open" || pull.Author != "mona" || pull.Base != "main" || pull.Head != "fix/the/thing" ||
		pull.HeadSHA != w.repo.Head("fix/the/thing") || pull.BaseSHA != w.repo.Head("main") || pull.Fork || pull.Merged {
		t.Errorf("pull request %+v", pull)
	}
	files, more, err := w.PullFiles(ctx, number)
	if err != nil || more || len(files) != 1 || files[0] != "fix.go" {
		t.Errorf("files %+v, %v, %v", files, more, err)
	}
	_, err = w.repo.MergePull(number, "mona")
	must(t, err)
	if pull, err := w.Pull(ctx, number); err != nil || !pull.Merged || pull.State != "closed" {
		t.Errorf("after the merge %+v, %v", pull, err)
	}
	fork, err := w.repo.Fork("hubot")
	must(t, err)
	_, err = fork.Push("idea", githubsim.Change{Message: "Idea", Login: "hubot", Write: map[string]string{"idea.go": "package main\n"}})
	must(t, err)
	_, err = w.repo.OpenPull("hubot:idea", "main", "Idea", "hubot")
	must(t, err)
	open, err := w.Pulls(ctx)
	if err != nil || len(open) != 1 || !open[0].Fork {
		t.Errorf("open pull requests %+v, %v", open, err)
	}
}

// TestLatest finds the newest pull request of a branch of the repository itself, whatever others call theirs.
func TestLatest(t *testing.T) {
	w := newWorld(t)
	fork, err := w.repo.Fork("guest")
	must(t, err)
	latest := func(state string, want int) {
		t.Helper()
		p, found, err := w.Latest(t.Context(), state, "main", "mine")
		if err != nil || found != (want != 0) || p.Number != want {
			t.Errorf("%s: %+v, %v, %v, want #%d", state, p, found, err, want)
		}
	}
	open := func(head, base string) int {
		t.Helper()
		n, err := w.repo.OpenPull(head, base, "Mine", "mona")
		must(t, err)
		return n
	}
	_, err = fork.Push("mine", githubsim.Change{Message: "Theirs", Login: "guest", Write: map[string]string{"theirs.go": "package main\n"}})
	must(t, err)
	open("guest:mine", "main")
	latest("all", 0)
	w.push("mine", "mona")
	w.push("other", "mona")
	first := open("mine", "main")
	open("mine", "other")
	open("other", "main")
	latest("all", first)
	latest("closed", 0)
	must(t, w.repo.ClosePull(first, "mona"))
	second := open("mine", "main")
	latest("all", second)
	latest("closed", first)
}

func TestEmptyRepository(t *testing.T) {
	w := newWorld(t)
	empty, err := w.sim.CreateRepository("octo/empty", githubsim.Empty())
	must(t, err)
	_, err = w.sim.Install(empty)
	must(t, err)
	w.repo = empty
	w.Client = w.open(writing)
	if found, err := w.Repository(t.Context()); err != nil || !found.Empty {
		t.Errorf("repository %+v, %v", found, err)
	}
}

func TestAppLists(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	self, err := w.app.Self(ctx)
	if err != nil || self.Login != "causal[bot]" || self.Permissions["contents"] != "write" || !slices.Contains(self.Events, "push") {
		t.Errorf("self %+v, %v", self, err)
	}
	installations, err := w.app.Installations(ctx)
	if err != nil || len(installations) != 1 || installations[0].ID != w.installation || installations[0].Account != "octo" {
		t.Errorf("installations %+v, %v", installations, err)
	}
	repositories, err := w.app.Repositories(ctx, w.installation)
	if err != nil || len(repositories) != 1 || repositories[0].ID != w.repo.ID() || repositories[0].Owner != "octo" {
		t.Errorf("repositories %+v, %v", repositories, err)
	}
	problems, err := w.app.Examine(ctx, Setup{Permissions: writing, Events: []string{"push"}})
	if err != nil || len(problems) != 1 || !strings.Contains(problems[0].What, "no webhook URL") {
		t.Errorf("problems %v, %v", problems, err)
	}
}

func TestGitHubClockIsNotOurs(t *testing.T) {
	w := newWorld(t)
	w.sim.Skew(-20 * time.Minute)
	_, err := w.app.Self(t.Context())
	if !errors.Is(err, ErrCredentials) || !strings.Contains(err.Error(), "ahead of GitHub's") {
		t.Error(problem(err, ErrCredentials))
	}
	problems, err := w.app.Examine(t.Context(), wanted)
	if err != nil || len(problems) != 1 || !strings.Contains(problems[0].What, "clock") {
		t.Errorf("problems %v, %v", problems, err)
	}
}

func TestMissedDeliveryComesAgain(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	var up atomic.Bool
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !up.Load() {
			w.WriteHeader(http.StatusBadGateway)
		}
	}))
	defer receiver.Close()
	before := time.Now().Add(-time.Minute)
	w.sim.SetWebhook(receiver.URL)
	w.push("main", "mona")
	must(t, w.sim.Settle(ctx))
	up.Store(true)
	pushes := func() []Delivery {
		found, err := w.app.Deliveries(ctx, before)
		must(t, err)
		return slices.DeleteFunc(found, func(d Delivery) bool { return d.Event != "push" })
	}
	missed := pushes()
	if len(missed) != 1 || missed[0].OK() {
		t.Fatalf("deliveries %+v", missed)
	}
	must(t, w.app.Redeliver(ctx, missed[0].ID))
	must(t, w.sim.Settle(ctx))
	if again := pushes(); len(again) != 2 || !again[0].OK() || again[0].GUID != missed[0].GUID {
		t.Errorf("after the redelivery %+v", again)
	}
}

func TestUnknownManifestCode(t *testing.T) {
	w := newWorld(t)
	if _, err := ConvertManifest(t.Context(), Options{BaseURL: w.sim.URL()}, "unknown"); !errors.Is(err, ErrGone) {
		t.Error(problem(err, ErrGone))
	}
}
