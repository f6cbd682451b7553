package github

import (
	"errors"
	"net/http"
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
