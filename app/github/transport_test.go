package github

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

const getRepository = "GET /repos/octo/shop"

var shop = object{"id": 5, "name": "shop", "owner": object{"login": "octo"}, "size": 9, "default_branch": "main"}

func unix(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

func TestReadsAreTriedAgain(t *testing.T) {
	const quick = "You have exceeded a secondary rate limit"
	for name, test := range map[string]struct {
		answers []http.HandlerFunc
		asked   int
		slept   time.Duration
		err     error
		until   time.Duration // of a RateLimited
	}{
		"at once":         {[]http.HandlerFunc{says(200, shop)}, 1, 0, nil, 0},
		"502 twice":       {[]http.HandlerFunc{says(502, nil), says(502, nil), says(200, shop)}, 3, 1500 * time.Millisecond, nil, 0},
		"cut short":       {[]http.HandlerFunc{cutShort, says(200, shop)}, 2, 500 * time.Millisecond, nil, 0},
		"502 forever":     {[]http.HandlerFunc{says(502, nil)}, 4, 3500 * time.Millisecond, ErrUnavailable, 0},
		"not found":       {[]http.HandlerFunc{says(404, message("Not Found"))}, 1, 0, ErrGone, 0},
		"short limit":     {[]http.HandlerFunc{says(403, message(quick), "Retry-After", "3"), says(200, shop)}, 2, 3 * time.Second, nil, 0},
		"long limit":      {[]http.HandlerFunc{says(403, message(quick), "Retry-After", "90")}, 1, 0, nil, 90 * time.Second},
		"without a time":  {[]http.HandlerFunc{says(403, message(quick))}, 1, 0, nil, time.Minute},
		"abuse detection": {[]http.HandlerFunc{says(403, message("You have triggered an abuse detection mechanism"))}, 1, 0, nil, time.Minute},
		"429":             {[]http.HandlerFunc{says(429, message("Too many"))}, 1, 0, nil, time.Minute},
		"maintenance":     {[]http.HandlerFunc{says(503, nil, "Retry-After", "600")}, 1, 0, nil, 10 * time.Minute},
		"hour used up": {[]http.HandlerFunc{says(403, message("API rate limit exceeded"), "X-RateLimit-Remaining", "0",
			"X-RateLimit-Reset", unix(start.Add(20*time.Minute)))}, 1, 0, nil, 20 * time.Minute},
		"hour used up, clock an hour ahead": {[]http.HandlerFunc{says(403, message("API rate limit exceeded"), "X-RateLimit-Remaining", "0",
			"X-RateLimit-Reset", unix(start.Add(-40*time.Minute)), "Date", start.Add(-time.Hour).Format(http.TimeFormat))}, 1, 0, nil, 20 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on(getRepository, test.answers...)
			_, err := f.client().Repository(t.Context())
			var limited RateLimited
			if errors.As(err, &limited) {
				if got := limited.Until.Sub(start); got != test.until {
					t.Errorf("limited for %s, want %s", got, test.until)
				}
			} else if !errors.Is(err, test.err) || test.until != 0 {
				t.Error(problem(err, test.err))
			}
			if got := f.times(getRepository); got != test.asked {
				t.Errorf("asked %d times, want %d", got, test.asked)
			}
			if got := f.clock.now.Sub(start); got != test.slept {
				t.Errorf("slept %s, want %s", got, test.slept)
			}
		})
	}
}

func TestContextEndsWaiting(t *testing.T) {
	f := newFake(t)
	ctx, cancel := context.WithCancel(t.Context())
	f.on(getRepository, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		says(502, nil)(w, r)
	})
	if _, err := f.client().Repository(ctx); !errors.Is(err, context.Canceled) {
		t.Error(problem(err, context.Canceled))
	}
	if got := f.times(getRepository); got != 1 {
		t.Errorf("asked %d times after the context ended", got)
	}
}

func TestRedirects(t *testing.T) {
	elsewhere := newFake(t)
	for name, test := range map[string]struct {
		target string
		err    error
	}{
		"renamed":      {"/api/v3/repositories/5", nil},
		"another host": {elsewhere.server.URL + "/api/v3/repositories/5", ErrGone},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on(getRepository, func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, test.target, http.StatusMovedPermanently)
			})
			f.on("GET /repositories/5", says(200, shop))
			if _, err := f.client().Repository(t.Context()); !errors.Is(err, test.err) {
				t.Error(problem(err, test.err))
			}
		})
	}
}

// redirecting answers everything with one address.
type redirecting struct {
	to    string
	asked []string
}

func (r *redirecting) RoundTrip(req *http.Request) (*http.Response, error) {
	r.asked = append(r.asked, req.URL.String())
	header := http.Header{"Location": {r.to}}
	return &http.Response{StatusCode: http.StatusMovedPermanently, Header: header, Body: http.NoBody, Request: req}, nil
}

func TestTokenIsNotSentInTheClear(t *testing.T) {
	network := &redirecting{to: "http://ghe.example/api/v3/repositories/5"}
	c, err := NewTokenClient(TokenConfig{Token: "t", Repository: "octo/shop", Options: Options{BaseURL: "https://ghe.example", Transport: network}})
	must(t, err)
	if _, err := c.Repository(t.Context()); !errors.Is(err, ErrGone) || len(network.asked) != 1 {
		t.Errorf("%s, asked %q", problem(err, ErrGone), network.asked)
	}
}

// A PATCH that is redirected with 301 would be sent as a GET, and its answer taken for success.
func TestRedirectedWriteIsNoSuccess(t *testing.T) {
	f := newFake(t)
	f.on("GET /repos/octo/shop/git/ref/heads/main", refTo(parent))
	f.on("PATCH /repos/octo/shop/git/refs/heads/main", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/api/v3/repositories/5/git/refs/heads/main", http.StatusMovedPermanently)
	})
	if err := f.client().move(t.Context(), "main", parent, child, false); !errors.Is(err, ErrGone) {
		t.Error(problem(err, ErrGone))
	}
}

func TestAnswersAreConditional(t *testing.T) {
	f := newFake(t)
	f.on(getRepository, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"one"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		says(200, shop, "ETag", `"one"`)(w, r)
	})
	c, other := f.client(), f.client()
	for range 2 {
		if found, err := c.Repository(t.Context()); err != nil || found.Name != "shop" {
			t.Fatalf("got %+v, %v", found, err)
		}
	}
	if got := f.last().header.Get("If-None-Match"); got != `"one"` {
		t.Errorf("the second request asked if-none-match %q", got)
	}
	if _, err := other.Repository(t.Context()); err != nil || f.last().header.Get("If-None-Match") != "" {
		t.Errorf("another client was given what it had not asked for (%v)", err)
	}
}

func TestAnswersAreBounded(t *testing.T) {
	a := newAnswers(5000)
	for _, key := range []string{"a", "b", "c", "d"} {
		a.put(key, &answer{body: make([]byte, 500)})
	}
	if len(a.byKey) != 1 || a.byKey["d"] == nil || a.bytes != 500+1024 {
		t.Errorf("kept %d answers in %d bytes, want the last alone", len(a.byKey), a.bytes)
	}
}

func TestErrorsHoldNoSecret(t *testing.T) {
	const token = "ghs_secretsecret"
	f := newFake(t)
	f.on(getRepository, says(403, message("Bad token "+token+" for this")))
	_, err := f.client().Repository(t.Context())
	if err == nil || strings.Contains(err.Error(), token) || !strings.Contains(err.Error(), "[redacted]") {
		t.Errorf("error %v shows the token or hides that it does not", err)
	}
	for text, want := range map[string]string{
		"ghs_abc123 is":                             "[redacted] is",
		"ghs_12_eyJhbGciOi.eyJpc3M-_.sig_na x":      "[redacted] x",
		"github_pat_11AA_bb":                        "[redacted]",
		"Bearer eyJhbGciOi.eyJpc3Mi.c2ln!":          "Bearer [redacted]!",
		"https://x-access-token:pw@ghe.example/o/r": "https://[redacted]@ghe.example/o/r",
		"https://ghe.example:8443/o/r":              "https://ghe.example:8443/o/r",
		"highs_and_lows, ghostly":                   "highs_and_lows, ghostly",
	} {
		if got := Redact(text); got != want {
			t.Errorf("Redact(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestEndpoints(t *testing.T) {
	for base, want := range map[string][3]string{
		"":                                 {"https://api.github.com/", "https://api.github.com/graphql", "https://github.com"},
		"https://github.com/":              {"https://api.github.com/", "https://api.github.com/graphql", "https://github.com"},
		"https://api.github.com":           {"https://api.github.com/", "https://api.github.com/graphql", "https://github.com"},
		"https://octo.ghe.com":             {"https://api.octo.ghe.com/", "https://api.octo.ghe.com/graphql", "https://octo.ghe.com"},
		"https://api.octo.ghe.com/":        {"https://api.octo.ghe.com/", "https://api.octo.ghe.com/graphql", "https://octo.ghe.com"},
		"https://git.example.com":          {"https://git.example.com/api/v3/", "https://git.example.com/api/graphql", "https://git.example.com"},
		"https://git.example.com/api/v3/":  {"https://git.example.com/api/v3/", "https://git.example.com/api/graphql", "https://git.example.com"},
		"https://api.example.com/api/v3":   {"https://api.example.com/api/v3/", "https://api.example.com/api/graphql", "https://api.example.com"},
		"http://127.0.0.1:8080":            {"http://127.0.0.1:8080/api/v3/", "http://127.0.0.1:8080/api/graphql", "http://127.0.0.1:8080"},
		"git.example.com":                  {},
		"https://user:pw@git.example.com":  {},
		"ftp://git.example.com":            {},
		"https://git.example.com/?token=a": {},
	} {
		at, err := endpointsOf(base)
		if want[0] == "" {
			if err == nil || strings.Contains(err.Error(), "pw") {
				t.Errorf("%q: error %v, want one that holds no password", base, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", base, err)
		} else if got := [3]string{at.rest.String(), at.graphql, at.web}; got != want {
			t.Errorf("%q: got %v, want %v", base, got, want)
		}
	}
}

// broken is a transport whose errors repeat the request.
type broken struct{}

func (broken) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, errors.New("proxy refuses " + r.Header.Get("Authorization"))
}

func TestLogHoldsNoSecret(t *testing.T) {
	var log strings.Builder
	c, err := NewTokenClient(TokenConfig{Token: "ghs_secretsecret", Repository: "octo/shop", Options: Options{
		Transport: broken{}, Sleep: (&clock{}).Sleep, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Repository(t.Context())
	if !errors.Is(err, ErrUnavailable) || strings.Contains(err.Error()+log.String(), "secretsecret") || strings.Count(log.String(), "[redacted]") != 3 {
		t.Errorf("%s, log:\n%s", problem(err, ErrUnavailable), &log)
	}
}

func TestAnswersAreNotSharedBetweenTokens(t *testing.T) {
	f, a := newInstallation(t)
	f.on(getRepository, says(200, shop, "ETag", `"one"`))
	for _, permissions := range []Permissions{reading, writing} {
		c, err := a.Installation(t.Context(), 3, 5, permissions)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Repository(t.Context()); err != nil || f.last().header.Get("If-None-Match") != "" {
			t.Errorf("%s was given what others had asked for (%v)", permissions, err)
		}
	}
}
