package github

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"
)

func TestNothingIsSentWhileLimited(t *testing.T) {
	f := newFake(t)
	f.on(getRepository, says(403, message("secondary rate limit"), "Retry-After", "60"), says(200, shop))
	c := f.client()
	for range 3 {
		if _, err := c.Repository(t.Context()); !errors.As(err, new(RateLimited)) {
			t.Fatal(problem(err, RateLimited{}))
		}
	}
	if got := f.times(getRepository); got != 1 {
		t.Errorf("%d requests reached GitHub, want 1", got)
	}
	f.clock.pass(time.Minute)
	if _, err := c.Repository(t.Context()); err != nil {
		t.Errorf("after the limit: %v", err)
	}
}

func TestLastRequestOfTheHourShutsTheGate(t *testing.T) {
	f := newFake(t)
	f.on(getRepository, says(200, shop, "X-RateLimit-Limit", "5000", "X-RateLimit-Remaining", "0",
		"X-RateLimit-Reset", unix(start.Add(time.Minute)), "X-RateLimit-Resource", "core"))
	var rates []Rate
	options := f.options()
	options.Rate = func(r Rate) { rates = append(rates, r) }
	c, err := NewTokenClient(TokenConfig{Token: "t", Repository: "octo/shop", Options: options})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Repository(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Repository(t.Context()); !errors.As(err, new(RateLimited)) {
		t.Error(problem(err, RateLimited{}))
	}
	want := Rate{Resource: "core", Limit: 5000, Reset: start.Add(time.Minute)}
	if len(rates) != 1 || rates[0] != want {
		t.Errorf("reported %v, want %v", rates, want)
	}
}

func TestShorterLimitOpensNoGate(t *testing.T) {
	g := newGate()
	g.shut("core", RateLimited{Until: start.Add(time.Hour)})
	g.shut("core", RateLimited{Until: start.Add(time.Minute)})
	for resource, after := range map[string]time.Duration{"core": time.Hour, "graphql": 0} {
		_, before := g.check(resource, start.Add(after-time.Second))
		_, then := g.check(resource, start.Add(after))
		if before != (after > 0) || then {
			t.Errorf("%s: shut before %s %v, then %v", resource, after, before, then)
		}
	}
}

// TestGateIsBounded: whatever an answer says and whatever becomes of the clock, GitHub is asked again within the hour.
func TestGateIsBounded(t *testing.T) {
	f := newFake(t)
	f.on(getRepository, says(403, message("You have exceeded a secondary rate limit"), "Retry-After", "604800"), says(200, shop))
	c := f.client()
	_, err := c.Repository(t.Context())
	if limited, ok := errors.AsType[RateLimited](err); !ok || limited.Until.Sub(start) != longestWait {
		t.Errorf("got %v", err)
	}
	f.clock.now = start.Add(-24 * time.Hour) // it was a day ahead, and was set
	if _, err := c.Repository(t.Context()); err != nil {
		t.Errorf("a clock that was set back keeps the gate shut: %v", err)
	}
	f.clock.now = start
	f.on(getRepository, says(403, message("API rate limit exceeded"), "X-RateLimit-Remaining", "0",
		"X-RateLimit-Reset", unix(start.Add(20*time.Minute))), says(200, shop))
	if _, err := c.Repository(t.Context()); !errors.As(err, new(RateLimited)) {
		t.Fatal(problem(err, RateLimited{}))
	}
	f.clock.now = start.Add(-24 * time.Hour)
	if _, err := c.Repository(t.Context()); err != nil {
		t.Errorf("something else than the gate goes by the clock: %v", err)
	}
}

// TestReopen checks that reopening asks GitHub at once, and at most once a minute.
func TestReopen(t *testing.T) {
	g := newGate()
	shut := func() bool {
		_, is := g.check("core", start)
		return is
	}
	for i, step := range []struct {
		after time.Duration
		open  bool
	}{{0, true}, {time.Second, false}, {between, true}, {-time.Hour, true}} {
		g.shut("core", RateLimited{Until: start.Add(time.Hour)})
		g.open(start.Add(step.after))
		if shut() == step.open {
			t.Errorf("step %d, after %s: open %v", i, step.after, !step.open)
		}
	}
}

func TestAnswers(t *testing.T) {
	for path, want := range map[string]string{
		"/repos/octo/shop": "repos/{owner}/{repo}", "/api/v3/repos/octo/secret/branches/my/branch": "repos/{owner}/{repo}/branches",
		"/repos/octo/shop/issues/4/comments": "repos/{owner}/{repo}/issues", "/graphql": "graphql", "/api/graphql": "graphql",
		"/app/installations/3/access_tokens": "app", "/installation/repositories": "installation",
		"/repos/octo/shop/forks": "repos/{owner}/{repo}/other", "/octo/secret": "other", "/": "other", "/repos": "other",
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://api.github.com"+path, nil)
		must(t, err)
		if got := endpointOf(req); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	f := newFake(t)
	f.on(getRepository, says(200, shop), says(404, nil), says(401, nil), says(403, nil), says(429, nil), says(422, nil), cutShort)
	var got []string
	options := f.options()
	options.Answered = func(_ context.Context, a Answer) { got = append(got, a.Method+" "+a.Outcome) }
	c, err := NewTokenClient(TokenConfig{Token: "t", Repository: "octo/shop", Options: options})
	must(t, err)
	for range 6 {
		f.clock.now = f.clock.now.Add(time.Hour)
		_, _ = c.Repository(t.Context()) // what becomes of it is looked at elsewhere
	}
	want := []string{"GET ok", "GET missing", "GET credentials", "GET forbidden", "GET limited", "GET refused"}
	if len(got) != len(want) || !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestInstallationsHaveLimitsOfTheirOwn(t *testing.T) {
	f, a := newInstallation(t)
	f.on("POST /app/installations/4/access_tokens", f.mints())
	open := func(installation, repository int64) *Client {
		t.Helper()
		c, err := a.Installation(t.Context(), installation, repository, reading)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	f.on(getRepository, says(429, nil), says(200, shop))
	for _, step := range []struct {
		client  *Client
		limited bool
	}{{open(3, 5), true}, {open(3, 6), true}, {open(4, 7), false}} {
		_, err := step.client.Repository(t.Context())
		if got := errors.As(err, new(RateLimited)); got != step.limited || !got && err != nil {
			t.Errorf("limited: %v (%v), want %v", got, err, step.limited)
		}
	}
}

func TestRepositoryMayBeCalledGraphQL(t *testing.T) {
	for what, want := range map[[2]string]string{
		{http.MethodGet, "/api/v3/repos/octo/graphql"}: "core", {http.MethodPost, "/api/graphql"}: "graphql",
		{http.MethodPost, "/graphql"}: "graphql", {http.MethodGet, "/repos/octo/shop/git/ref/heads/graphql"}: "core",
	} {
		req, err := http.NewRequestWithContext(t.Context(), what[0], "https://api.github.com"+what[1], nil)
		must(t, err)
		if got := resourceOf(req); got != want {
			t.Errorf("%s counts against %s, want %s", what, got, want)
		}
	}
}
