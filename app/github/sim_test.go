package github

import (
	"errors"
	"fmt"
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

// through opens the client anew, over another network; nil is the usual one.
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

// writes counts what was sent since the last call.
func (w *world) wrote() int64 {
	n := w.writes.Load()
	w.writes.Store(0)
	return n
}

func (w *world) docs() Commit {
	return Commit{
		Branch: "main", ExpectedHead: w.repo.Head("main"), Headline: "Update docs", Body: "Causal-Session: abc\n",
		Write: map[string][]byte{"docs/new.md": []byte("new\n"), "docs/picture.png": {0x89, 'P', 0, 0xff}}, Delete: []string{"docs/old.md"},
	}
}

// holds compares the files of a branch.
func (w *world) holds(branch string, want ...string) {
	w.t.Helper()
	got, err := w.repo.Files(branch)
	must(w.t, err)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		w.t.Errorf("%s has %v, want %v", branch, got, want)
	}
}

// effects are all ways in which an answer can be lost.
var effects = map[string]githubsim.Effect{
	"done, 502": githubsim.LostAnswer(), "done, cut": githubsim.Cut(), "not done, 502": githubsim.BadGateway(),
}

func TestPublish(t *testing.T) {
	for way, largest := range map[string]int{"mutation": largestCommit, "objects": 0} {
		t.Run(way, func(t *testing.T) {
			w := newWorld(t)
			w.largest = largest
			before := w.repo.Head("main")
			made, err := w.Publish(t.Context(), w.docs())
			must(t, err)
			w.holds("main", "docs/new.md", "docs/picture.png", "main.go")
			if content, _ := w.repo.Read("main", "docs/picture.png"); content != "\x89P\x00\xff" {
				t.Errorf("a picture became %q", content)
			}
			history, err := w.repo.Log("main")
			must(t, err)
			if made != w.repo.Head("main") || len(history) != 2 || strings.TrimSpace(history[0][1]) != "Update docs\n\nCausal-Session: abc" {
				t.Errorf("made %s, history %q", made, history)
			}
			stale := w.docs()
			stale.ExpectedHead, stale.Delete = before, nil
			if _, err := w.Publish(t.Context(), stale); !errors.Is(err, ErrHeadMoved) {
				t.Error(problem(err, ErrHeadMoved))
			}
		})
	}
}

// Whatever answer is lost, one commit is made, and it is found.
func TestPublishWithLostAnswers(t *testing.T) {
	operations := map[int][]string{
		largestCommit: {"graphql/createCommitOnBranch"},
		0:             {"git/create-blob", "git/create-tree", "git/create-commit", "git/update-ref"},
	}
	for largest, names := range operations {
		for _, operation := range names {
			for how, effect := range effects {
				t.Run(operation+" "+how, func(t *testing.T) {
					w := newWorld(t)
					w.largest = largest
					w.sim.Faults(githubsim.Fault{Operation: operation, Effect: effect})
					made, err := w.Publish(t.Context(), w.docs())
					must(t, err)
					if history, err := w.repo.Log("main"); err != nil || len(history) != 2 || history[0][0] != made {
						t.Errorf("made %s, history %q, %v", made, history, err)
					}
				})
			}
		}
	}
}

func TestPublishGoesAnotherWay(t *testing.T) {
	for name, fault := range map[string]githubsim.Fault{
		"too large":            {Effect: githubsim.Refuse(http.StatusRequestEntityTooLarge, "Payload too large")},
		"never answered":       {Times: -1, Effect: githubsim.BadGateway()},
		"no GraphQL":           {Effect: githubsim.Refuse(http.StatusNotFound, "Not Found")},
		"refused then allowed": {Effect: githubsim.Refuse(http.StatusMethodNotAllowed, "Method Not Allowed")},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			fault.Operation = "graphql/*"
			w.sim.Faults(fault)
			made, err := w.Publish(t.Context(), w.docs())
			must(t, err)
			if made != w.repo.Head("main") {
				t.Errorf("made %s, main is at %s", made, w.repo.Head("main"))
			}
		})
	}
}

func TestPublishManyFiles(t *testing.T) {
	w := newWorld(t)
	w.largest = 0
	commit := w.docs()
	for i := range 250 {
		commit.Write[fmt.Sprintf("docs/%03d.md", i)] = []byte(strings.Repeat("x", i*10))
	}
	for i := range 5 {
		commit.Write[fmt.Sprintf("more/%d.md", i)] = []byte(strings.Repeat("x", inlineBytes))
	}
	commit.Write["docs/nul.txt"] = []byte("a\x00b")
	commit.Write["docs/large.md"] = []byte(strings.Repeat("line\n", inlineBytes))
	w.wrote()
	_, err := w.Publish(t.Context(), commit)
	must(t, err)
	files, err := w.repo.Files("main")
	must(t, err)
	for name, content := range commit.Write {
		if got, _ := w.repo.Read("main", name); got != string(content) {
			t.Fatalf("%s has %d bytes, want %d", name, len(got), len(content))
		}
	}
	// Three blobs, three trees of up to 100 entries and one more for what is over 1 MB, a commit and a ref.
	if got := w.wrote(); len(files) != 260 || got != 9 {
		t.Errorf("%d files in %d writes", len(files), got)
	}
}

func TestPublishWhereItCannotBe(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(*world) error
		want    error
	}{
		"protected": {func(w *world) error { return w.repo.Protect("main") }, ErrProtected},
		"rule set":  {func(w *world) error { return w.repo.ProtectByRuleset("main") }, ErrProtected},
		"archived":  {func(w *world) error { w.repo.Archive(true); return nil }, ErrArchived},
		"deleted":   {func(w *world) error { return w.sim.Delete(w.repo) }, ErrGone},
		"no such branch": {func(w *world) error {
			if _, err := w.repo.Push("trunk", githubsim.Change{Message: "x", Write: map[string]string{"a": "b"}}); err != nil {
				return err
			}
			if err := w.repo.SetDefaultBranch("trunk"); err != nil {
				return err
			}
			return w.repo.DeleteBranch("main", "octo")
		}, ErrGone},
		"no permission": {func(w *world) error { w.Client = w.open(Permissions{"contents": "read"}); return nil }, ErrForbidden},
	} {
		for way, largest := range map[string]int{"mutation": largestCommit, "objects": 0} {
			t.Run(name+" "+way, func(t *testing.T) {
				w := newWorld(t)
				commit := w.docs()
				must(t, test.prepare(w))
				w.largest = largest
				_, err := w.Publish(t.Context(), commit)
				if !errors.Is(err, test.want) {
					t.Error(problem(err, test.want))
				}
			})
		}
	}
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
	must(t, w.repo.Protect("main"))
	for name, protected := range map[string]bool{"main": true, "refs/heads/fix/the/thing": false} {
		branch, err := w.Branch(ctx, name)
		if err != nil || branch.Name != branchName(name) || branch.Head != w.repo.Head(branch.Name) || branch.Protected != protected {
			t.Errorf("branch %+v, %v", branch, err)
		}
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
	if err != nil || more || len(files) != 1 || files[0] != (PullFile{Path: "fix.go", Status: "added"}) {
		t.Errorf("files %+v, %v, %v", files, more, err)
	}
	merge, err := w.repo.MergePull(number, "mona")
	must(t, err)
	if pull, err := w.Pull(ctx, number); err != nil || !pull.Merged || pull.State != "closed" || pull.MergeCommit != merge {
		t.Errorf("after the merge %+v, %v", pull, err)
	}
	fork, err := w.repo.Fork("hubot")
	must(t, err)
	_, err = fork.Push("idea", githubsim.Change{Message: "Idea", Login: "hubot", Write: map[string]string{"idea.go": "package main\n"}})
	must(t, err)
	_, err = w.repo.OpenPull("hubot:idea", "main", "Idea", "hubot")
	must(t, err)
	open, err := w.Pulls(ctx)
	if err != nil || len(open) != 1 || !open[0].Fork || open[0].HeadFullName != "hubot/shop" {
		t.Errorf("open pull requests %+v, %v", open, err)
	}
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
	if len(missed) != 1 || missed[0].OK() || missed[0].Repository != w.repo.ID() || missed[0].Installation != w.installation {
		t.Fatalf("deliveries %+v", missed)
	}
	must(t, w.app.Redeliver(ctx, missed[0].ID))
	must(t, w.sim.Settle(ctx))
	if again := pushes(); len(again) != 2 || !again[0].OK() || !again[0].Redelivery || again[0].GUID != missed[0].GUID {
		t.Errorf("after the redelivery %+v", again)
	}
}

func TestUnknownManifestCode(t *testing.T) {
	w := newWorld(t)
	if _, err := ConvertManifest(t.Context(), Options{BaseURL: w.sim.URL()}, "unknown"); !errors.Is(err, ErrGone) {
		t.Error(problem(err, ErrGone))
	}
}
