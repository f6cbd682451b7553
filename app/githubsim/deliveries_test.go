package githubsim_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
)

func TestDeliveriesAreSignedAndLogged(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	in := h.listen()
	if got := in.take(); len(got) != 1 || got[0].event != "ping" || got[0].header.Get("X-Github-Hook-Installation-Target-Type") != "integration" {
		t.Fatalf("received %v", got)
	}
	in.status = http.StatusServiceUnavailable
	h.push("main", githubsim.Change{Write: map[string]string{"a": "b"}, Message: "Lost on them"})
	h.settle()
	in.status = http.StatusAccepted
	first := in.take()[0]

	c, ctx := h.app(), t.Context()
	log := must[[]*github.HookDelivery](t)(c.Apps.ListHookDeliveries(ctx, nil))
	if len(log) != 2 || log[0].GetGUID() != first.guid || log[0].GetStatusCode() != http.StatusServiceUnavailable || log[0].GetRepositoryID() != h.repo.ID() {
		t.Fatalf("log: %v", log)
	}
	if _, _, err := c.Apps.RedeliverHookDelivery(ctx, log[0].GetID()); err != nil && !strings.Contains(err.Error(), "try again later") {
		t.Fatalf("redeliver: %v", err)
	}
	h.settle()
	again := in.take()
	if len(again) != 1 || again[0].guid != first.guid || string(again[0].body) != string(first.body) {
		t.Errorf("delivered again: %v", again)
	}
	log = must[[]*github.HookDelivery](t)(c.Apps.ListHookDeliveries(ctx, nil))
	if len(log) != 3 || !log[0].GetRedelivery() || log[0].GetStatusCode() != http.StatusAccepted || log[0].GetID() == log[1].GetID() {
		t.Errorf("log: %v", log)
	}
}

func TestDeliveryLogTurnsPagesByCursor(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	h.listen()
	for range 4 {
		h.push("main", githubsim.Change{Message: "Again"})
	}
	h.settle()
	seen := map[int64]bool{}
	options := &github.ListCursorOptions{PerPage: 2}
	for {
		log, response, err := h.app().Apps.ListHookDeliveries(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range log {
			seen[d.GetID()] = true
		}
		if response.Cursor == "" {
			break
		}
		options.Cursor = response.Cursor
	}
	if len(seen) != 5 {
		t.Errorf("%d deliveries", len(seen))
	}
}

func TestDeliveriesGoAstray(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	in := h.listen()
	in.take()
	push := func() string { return h.push("main", githubsim.Change{Message: "Push"}) }
	afters := func() string {
		events, _ := h.next(in)
		var out []string
		for _, e := range events {
			out = append(out, e.(*github.PushEvent).GetAfter())
		}
		return strings.Join(out, " ")
	}
	h.LoseDeliveries(1)
	push()
	if got := afters(); got != "" {
		t.Errorf("lost: %s", got)
	}
	if log := h.Deliveries(); log[len(log)-1].Code != http.StatusBadGateway {
		t.Errorf("log of the lost one: %v", log[len(log)-1])
	}
	h.DuplicateDeliveries(1)
	first := push()
	if got := afters(); got != first+" "+first {
		t.Errorf("twice: %s, want %s twice", got, first)
	}
	h.Hold()
	one, two := push(), push()
	if got := afters(); got != "" {
		t.Errorf("held: %s", got)
	}
	h.Release(true)
	if got := afters(); got != two+" "+one {
		t.Errorf("released: %s, want %s %s", got, two, one)
	}
}

func TestOnlyWhatIsWantedIsDelivered(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{App: &githubsim.App{Events: []string{"pull_request"}}})
	defer h.clean()
	in := h.listen()
	in.take()
	h.push("x", githubsim.Change{Write: map[string]string{"x": "x"}, Message: "Push"})
	number := h.pull("x", "X")
	other, err := h.CreateRepository("octo/other", githubsim.FromFiles(files))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Push("main", githubsim.Change{Message: "Not installed"}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Install(other); err != nil {
		t.Fatal(err)
	}
	h.Uninstall(other)
	if err := h.repo.ClosePull(number, "ann"); err != nil {
		t.Fatal(err)
	}
	h.Uninstall(h.repo)
	_, names := h.next(in)
	want := "pull_request.opened installation_repositories.added installation_repositories.removed pull_request.closed installation.deleted"
	if got := strings.Join(names, " "); got != want {
		t.Fatalf("events\n%s, want\n%s", got, want)
	}
}

func TestBranchesTellWhatHappens(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	first := h.repo.Head("main")
	h.push("main", githubsim.Change{Write: map[string]string{"a": "1"}, Message: "One"})
	in := h.listen()
	in.take()
	forced, err := h.repo.ForcePush("main", first, githubsim.Change{Write: map[string]string{"cart/price.go": "x"}, Message: "Instead"})
	if err != nil {
		t.Fatal(err)
	}
	for _, do := range []func() error{
		func() error { return h.repo.Point("release", forced, "ann") },
		func() error { return h.repo.Tag("v1", first, "ann") },
		func() error { return h.repo.DeleteBranch("release", "ann") },
		func() error { return h.repo.SetDefaultBranch("main") },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	h.push("feature", githubsim.Change{Message: "Only here"})
	events, names := h.next(in)
	if got, want := strings.Join(names, " "), "push push create push create push delete repository.edited push create"; got != want {
		t.Fatalf("events %s, want %s", got, want)
	}
	if push := events[0].(*github.PushEvent); !push.GetForced() || push.Commits[0].Modified[0] != "cart/price.go" || len(push.Commits) != 1 {
		t.Errorf("forced: %v", push)
	}
	if push := events[1].(*github.PushEvent); !push.GetCreated() || len(push.Commits) != 0 || push.GetHeadCommit().GetID() != forced {
		t.Errorf("created: %v", push)
	}
	if push := events[8].(*github.PushEvent); len(push.Commits) != 1 || push.Commits[0].GetMessage() != "Only here" {
		t.Errorf("created with a commit: %v", push)
	}
	if push := events[3].(*github.PushEvent); push.GetRef() != "refs/tags/v1" {
		t.Errorf("tag: %v", push)
	}
	if push := events[5].(*github.PushEvent); !push.GetDeleted() || push.HeadCommit != nil || push.GetSender().GetLogin() != "ann" {
		t.Errorf("deleted: %v", push)
	}
}
