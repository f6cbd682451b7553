package githubsim_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	ref := func(h *hub) (*github.Client, *github.Reference) {
		return h.user("octo"), &github.Reference{Ref: new("refs/heads/x"), Object: &github.GitObject{SHA: new(h.repo.Head("main"))}}
	}
	for name, trial := range map[string]struct {
		effect githubsim.Effect
		check  func(*github.Response, error) bool
		done   bool // although it looked otherwise
	}{
		"secondary limit": {githubsim.SecondaryLimit(time.Minute), func(_ *github.Response, err error) bool {
			var e *github.AbuseRateLimitError
			return errors.As(err, &e) && e.GetRetryAfter() == time.Minute
		}, false},
		"secondary limit without a time": {githubsim.SecondaryLimit(0), func(r *github.Response, err error) bool {
			var e *github.AbuseRateLimitError
			return errors.As(err, &e) && e.RetryAfter == nil && r.Header.Get("Retry-After") == "" && strings.Contains(err.Error(), "secondary rate limit")
		}, false},
		"bad gateway": {githubsim.BadGateway(), func(_ *github.Response, err error) bool { return status(err) == http.StatusBadGateway }, false},
		"lost answer": {githubsim.LostAnswer(), func(_ *github.Response, err error) bool { return status(err) == http.StatusBadGateway }, true},
		"cut":         {githubsim.Cut(), func(_ *github.Response, err error) bool { return err != nil && status(err) == 0 }, true},
		"refused": {githubsim.Refuse(http.StatusForbidden, "Resource not accessible by integration"), func(_ *github.Response, err error) bool {
			return status(err) == http.StatusForbidden
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := start(t, githubsim.Options{})
			defer h.clean()
			c, want := ref(h)
			h.Faults(githubsim.Fault{Operation: "git/create-*", Effect: trial.effect})
			must[*github.Repository](t)(c.Repositories.Get(t.Context(), "octo", "shop"))
			_, response, err := c.Git.CreateRef(t.Context(), "octo", "shop", want)
			if !trial.check(response, err) {
				t.Errorf("answer: %v", err)
			}
			if got := h.repo.Head("x") != ""; got != trial.done {
				t.Errorf("done: %t, want %t", got, trial.done)
			}
			if got := len(h.Writes(h.repo)); got != map[bool]int{true: 1}[trial.done] {
				t.Errorf("%d writes", got)
			}
			// Another client, since one that saw a limit keeps to it by itself; the fault was for one request.
			want.Ref = new("refs/heads/y")
			must[*github.Reference](t)(h.user("ann").Git.CreateRef(t.Context(), "octo", "shop", want))
		})
	}
}

func TestFaultWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	c := h.user("octo")
	h.Faults(githubsim.Fault{Operation: "repos/get", Skip: 1, Times: 2, Effect: githubsim.BadGateway()})
	var got []int
	for range 4 {
		_, _, err := c.Repositories.Get(t.Context(), "octo", "shop")
		got = append(got, status(err))
	}
	if want := []int{0, 502, 502, 0}; !equal(got, want) {
		t.Errorf("statuses %v, want %v", got, want)
	}
	h.Faults(githubsim.Fault{Times: -1, Effect: githubsim.BadGateway()})
	for range 3 {
		if _, _, err := c.RateLimit.Get(t.Context()); status(err) != http.StatusBadGateway {
			t.Errorf("for ever: %v", err)
		}
	}
	h.Heal()
	must[*github.RateLimits](t)(c.RateLimit.Get(t.Context()))
}

func equal(a, b []int) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

func TestSlowAnswerWaitsForItsRelease(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	until := make(chan struct{})
	h.Faults(githubsim.Fault{Operation: "repos/get", Times: 2, Effect: githubsim.Slow(until)})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, _, err := h.user("octo").Repositories.Get(ctx, "octo", "shop"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a client that does not wait: %v", err)
	}
	done := make(chan error)
	go func() {
		_, _, err := h.user("octo").Repositories.Get(t.Context(), "octo", "shop")
		done <- err
	}()
	close(until)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestLimitsCount(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{Limit: 3})
	defer h.clean()
	c := h.user("octo")
	get := func() (*github.Response, error) {
		_, r, err := c.Repositories.Get(t.Context(), "octo", "shop")
		return r, err
	}
	for want := 2; want >= 0; want-- {
		if r, err := get(); err != nil || r.Rate.Remaining != want || r.Rate.Limit != 3 {
			t.Errorf("%d left: %v, %v", want, r.Rate, err)
		}
	}
	if _, _, err := h.user("octo").Repositories.Get(t.Context(), "octo", "shop"); status(err) != http.StatusForbidden || !strings.Contains(err.Error(), "rate limit") {
		t.Errorf("one too many: %v", err)
	}
	if _, _, err := h.user("ann").Repositories.Get(t.Context(), "octo", "shop"); err != nil {
		t.Errorf("another user: %v", err)
	}
	h.clock.Add(time.Hour)
	if _, _, err := h.user("octo").Repositories.Get(t.Context(), "octo", "shop"); err != nil {
		t.Errorf("an hour later: %v", err)
	}
}

func TestUnchangedAnswerCostsNothing(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	token := h.Token("octo")
	get := func(tag string) (int, http.Header) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.APIURL()+"/repos/octo/shop", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("If-None-Match", tag)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		return response.StatusCode, response.Header
	}
	_, first := get("")
	if status, again := get(first.Get("ETag")); status != http.StatusNotModified || again.Get("X-Ratelimit-Used") != "1" {
		t.Errorf("again: %d, used %s", status, again.Get("X-Ratelimit-Used"))
	}
	h.repo.Archive(true)
	if status, _ := get(first.Get("ETag")); status != http.StatusOK {
		t.Errorf("changed: %d", status)
	}
}

func TestListsHavePages(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	for i := range 6 {
		h.push("main", githubsim.Change{Message: string(rune('a' + i))})
	}
	c := h.user("octo")
	var names []string
	options := &github.CommitsListOptions{ListOptions: github.ListOptions{PerPage: 3}}
	for {
		commits, response, err := c.Repositories.ListCommits(t.Context(), "octo", "shop", options)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range commits {
			names = append(names, one.GetCommit().GetMessage())
		}
		if response.NextPage == 0 {
			break
		}
		options.Page = response.NextPage
	}
	if got := strings.Join(names, " "); got != "f e d c b a Initial commit" {
		t.Errorf("commits: %s", got)
	}
}

func TestFormerNameLeadsToTheRepository(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	in := h.listen()
	in.take()
	h.repo.Rename("store")
	c, ctx := h.bot(), t.Context()
	if repo := must[*github.Repository](t)(c.Repositories.Get(ctx, "octo", "shop")); repo.GetFullName() != "octo/store" {
		t.Errorf("by the former name: %v", repo.GetFullName())
	}
	if repo := must[*github.Repository](t)(c.Repositories.GetByID(ctx, h.repo.ID())); repo.GetFullName() != "octo/store" {
		t.Errorf("by number: %v", repo.GetFullName())
	}
	must[*github.Branch](t)(c.Repositories.GetBranch(ctx, "octo", "shop", "main", 1))
	if _, names := h.next(in); strings.Join(names, " ") != "repository.renamed" {
		t.Errorf("events: %v", names)
	}
	if out := h.ask(h.token(nil), `{ repository(owner: "octo", name: "shop") { nameWithOwner } }`, nil); out["errors"] != nil {
		t.Errorf("GraphQL: %v", out)
	}
}

func TestArchivedRepositoryRefusesChanges(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	number := func() int {
		h.push("x", githubsim.Change{Message: "x", Write: map[string]string{"x": "x"}})
		return h.pull("x", "X")
	}()
	h.repo.Archive(true)
	if _, _, err := h.bot().Issues.CreateComment(t.Context(), "octo", "shop", number, &github.IssueComment{Body: new("x")}); status(err) != http.StatusForbidden ||
		!strings.Contains(err.Error(), "archived") {
		t.Errorf("comment: %v", err)
	}
	out := h.ask(h.token(nil), commitMutation, commitInput("octo/shop", "main", h.repo.Head("main"), map[string]string{"a": "b"}))
	if out["errors"].([]any)[0].(object)["type"] != "FORBIDDEN" {
		t.Errorf("commit: %v", out)
	}
}

func TestActionsTokenIsForItsRepository(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	c := h.client(nil).WithAuthToken(h.ActionsToken(h.repo, map[string]string{"contents": "read", "checks": "write"}))
	run := must[*github.CheckRun](t)(c.Checks.CreateCheckRun(t.Context(), "octo", "shop", github.CreateCheckRunOptions{Name: "causal", HeadSHA: h.repo.Head("main")}))
	if run.GetApp().GetSlug() != "github-actions" {
		t.Errorf("check: %v", run.GetApp())
	}
	if _, _, err := c.Git.CreateBlob(t.Context(), "octo", "shop", &github.Blob{Content: new("x")}); status(err) != http.StatusForbidden {
		t.Errorf("writing: %v", err)
	}
}
