// Package github is causal's way to GitHub: as an App that is installed on repositories, or with the one token of a
// workflow. It publishes commits, keeps one pull request, one check run and one comment up to date, talks beside the lines
// of other pull requests, and asks what the server has to know. No type of a GitHub library leaves it.
//
// Three things hold for every call:
//
//   - A read is tried again for a moment when the network or GitHub fails. A write is not: when its answer is lost, what
//     is there is read first, so that nothing is done twice.
//   - What has to wait longer than a moment becomes a RateLimited, and nothing more is sent until then.
//   - Errors are of the kinds in errors.go, carry GitHub's own words, and never a token.
package github

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	gh "github.com/google/go-github/v66/github"
)

// Options say how GitHub is reached. The zero value reaches github.com.
type Options struct {
	BaseURL   string            // of a GitHub Enterprise server, or of its API; empty for github.com
	Transport http.RoundTripper // shared by all connections; nil for one with sane time limits
	Now       func() time.Time
	Sleep     func(context.Context, time.Duration) error // waits between attempts; returns early when the context ends
	Logger    *slog.Logger
	Rate      func(Rate)                    // told after each answer what is left of a rate limit, by many goroutines at once
	Answered  func(context.Context, Answer) // told of each answer, and of each that did not come, in the same way
}

// Rate is what is left of one of GitHub's hourly limits.
type Rate struct {
	Installation int64  // 0 for requests of the App itself and for a token client
	Resource     string // "core", "graphql", …
	Limit        int
	Remaining    int
	Reset        time.Time
}

// filled replaces what was left out.
func (o Options) filled() Options {
	if o.Transport == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.ResponseHeaderTimeout = time.Minute // a large commit takes GitHub a while, a dead connection forever
		o.Transport = transport
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = Sleep
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Rate == nil {
		o.Rate = func(Rate) {}
	}
	if o.Answered == nil {
		o.Answered = func(context.Context, Answer) {}
	}
	return o
}

// Sleep waits, or until the context ends.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// endpoints are the three addresses of one GitHub.
type endpoints struct {
	rest    *url.URL // ends with a slash
	graphql string
	web     string // without a slash at the end
}

// endpointsOf makes them of what people have at hand: the address in their browser, or that of the API.
func endpointsOf(base string) (endpoints, error) {
	if base == "" {
		base = "https://github.com"
	}
	u, err := url.Parse(strings.TrimRight(base, "/"))
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || u.User != nil || u.RawQuery != "" {
		return endpoints{}, fmt.Errorf("address of GitHub %q: want one like https://github.example.com", Redact(base))
	}
	path := strings.TrimSuffix(strings.TrimSuffix(u.Path, "/v3"), "/api")
	host := strings.TrimPrefix(u.Host, "api.")
	if host == "github.com" || strings.HasSuffix(host, ".ghe.com") {
		api := u.Scheme + "://api." + host
		return endpoints{rest: mustParse(api + "/"), graphql: api + "/graphql", web: u.Scheme + "://" + host}, nil
	}
	web := u.Scheme + "://" + u.Host + path
	return endpoints{rest: mustParse(web + "/api/v3/"), graphql: web + "/api/graphql", web: web}, nil
}

// mustParse parses what was put together from a parsed address.
func mustParse(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return u
}

// errRedirected keeps a request from being led to where its credentials or its meaning would be lost.
var errRedirected = errors.New("GitHub redirects this request to where it cannot be followed: " +
	"was the repository renamed or moved just now?")

// connect makes a client of go-github over a chain of transports.
func connect(at endpoints, transport http.RoundTripper) *gh.Client {
	client := gh.NewClient(&http.Client{
		Transport: transport,
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			// net/http turns a redirected PATCH into a GET, whose answer looks like success; and neither another host
			// nor whoever listens on the way must see a token, which the transports below put into every request.
			if req.Method != via[0].Method || req.URL.Scheme != via[0].URL.Scheme || req.URL.Host != via[0].URL.Host || len(via) > 5 {
				return errRedirected
			}
			return nil
		},
	})
	client.BaseURL = at.rest
	client.UserAgent = "causal"
	return client
}
