// Package github is causal's GitHub client, either as an installed App or with a workflow's token. It publishes
// commits, maintains one pull request, check run and comment, reviews pull requests and looks up repository metadata.
// It exposes no types of a GitHub library.
//
// Reads are retried briefly when the network or GitHub fails. Writes are not: when an answer is lost, the client first
// reads whether the write has landed. Longer waits become a RateLimited error, and no request is sent until then.
// Errors have the kinds in errors.go and carry GitHub's message, but never a token.
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

// Options configure the connection to GitHub. The zero value uses github.com.
type Options struct {
	BaseURL   string            // GitHub Enterprise server or its API; default: github.com
	Transport http.RoundTripper // shared by all connections; default: one with timeouts
	Now       func() time.Time
	Sleep     func(context.Context, time.Duration) error // waits between attempts; returns early when the context ends
	Logger    *slog.Logger
	Rate      func(Rate)                    // called after each answer with the remaining rate limit; may be called concurrently
	Answered  func(context.Context, Answer) // called after each answer or failed request; may be called concurrently
}

// Rate is the state of an hourly rate limit.
type Rate struct {
	Installation int64 // 0 for requests of the App itself and token clients
	Resource     string
	Limit        int
	Remaining    int
	Reset        time.Time
}

func (o Options) filled() Options {
	if o.Transport == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.ResponseHeaderTimeout = time.Minute // a large commit takes GitHub a while
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

// Sleep waits for a duration or until the context ends.
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

type endpoints struct {
	rest    *url.URL
	graphql string
	web     string
}

// endpointsOf accepts the base URL of the web interface or of the API.
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

func mustParse(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return u
}

// errRedirected stops redirects that would drop the request's method or leak its credentials.
var errRedirected = errors.New("GitHub redirects this request to where it cannot be followed: " +
	"was the repository renamed or moved just now?")

func connect(at endpoints, transport http.RoundTripper) *gh.Client {
	client := gh.NewClient(&http.Client{
		Transport: transport,
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			// net/http turns a redirected PATCH into a GET, whose answer looks like success. The transports below put a token
			// into every request, so another host or an unencrypted connection must not receive it.
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
