package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// A request passes these, outermost first: cached, patient, bearer or the App's own signature, meter, the network.

const (
	attempts    = 4
	firstPause  = time.Second / 2 // before the second attempt; doubled before each further one
	patience    = 5 * time.Second // a limit that ends sooner is waited for
	largestBody = 64 << 20
)

func pauseBefore(attempt int) time.Duration { return firstPause << (attempt - 2) }

type repeatableKey struct{}

// repeatable marks an idempotent write, such as storing an object by its hash, which is then retried like a read.
func repeatable(ctx context.Context) context.Context {
	return context.WithValue(ctx, repeatableKey{}, true)
}

func isRepeatable(req *http.Request) bool {
	return req.Method == http.MethodGet || req.Method == http.MethodHead || req.Context().Value(repeatableKey{}) != nil
}

// isGraphQL checks the method too because a repository may be called graphql.
func isGraphQL(req *http.Request) bool {
	return req.Method == http.MethodPost && strings.HasSuffix(req.URL.Path, "/graphql")
}

// patient retries requests and reads each answer completely to detect truncation.
type patient struct {
	next http.RoundTripper
	opt  Options
	gate *gate
}

// RoundTrip implements http.RoundTripper. Answers of 500 and above, and rate limits, become errors.
func (p *patient) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	for attempt := 1; ; attempt++ {
		resp, err := p.once(req)
		if err == nil {
			return resp, nil
		}
		wait, again := p.again(req, err, attempt)
		if !again {
			return nil, err
		}
		p.opt.Logger.WarnContext(req.Context(), "GitHub failed, trying again", "method", req.Method,
			"path", req.URL.Path, "attempt", attempt, "error", Redact(err.Error()))
		if err := p.opt.Sleep(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// again returns whether to retry, and after how long. A rate-limited request was not carried out, so any request may be
// repeated.
func (p *patient) again(req *http.Request, err error, attempt int) (time.Duration, bool) {
	var limited RateLimited
	switch {
	case attempt == attempts || req.Context().Err() != nil:
		return 0, false
	case errors.As(err, &limited):
		wait := limited.Until.Sub(p.opt.Now())
		return wait, wait <= patience
	case errors.Is(err, ErrUnavailable) && isRepeatable(req):
		return pauseBefore(attempt + 1), true
	}
	return 0, false
}

func (p *patient) once(req *http.Request) (*http.Response, error) {
	if limited, shut := p.gate.check(resourceOf(req), p.opt.Now()); shut {
		return nil, limited
	}
	fresh, err := withBody(req)
	if err != nil {
		return nil, err
	}
	resp, err := p.next.RoundTrip(fresh)
	if err != nil {
		return nil, p.unavailable(req, err)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, largestBody))
	_ = resp.Body.Close()
	if err != nil {
		return nil, p.unavailable(req, err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	if resource, limited, is := limitOf(resp, body, p.opt.Now()); is {
		limited = bounded(limited, p.opt.Now())
		p.gate.shut(resource, limited)
		return nil, limited
	}
	if rate, ok := rateOf(resp); ok && rate.Remaining == 0 {
		p.gate.shut(rate.Resource, bounded(RateLimited{Until: endOf(resp, rate, p.opt.Now()), Reason: usedUp}, p.opt.Now()))
	}
	resp.Header.Del("X-Ratelimit-Reset") // go-github's own rate limiting would use it with the local clock
	if resp.StatusCode >= http.StatusInternalServerError {
		return nil, p.unavailable(req, errors.New(resp.Status))
	}
	return resp, nil
}

func (p *patient) unavailable(req *http.Request, err error) error {
	var known *Error
	var limited RateLimited
	switch {
	case req.Context().Err() != nil:
		return req.Context().Err()
	case errors.As(err, &known):
		return known
	case errors.As(err, &limited):
		return limited
	}
	return &Error{Kind: ErrUnavailable, Said: Redact(err.Error()), lost: !isRepeatable(req)}
}

func withBody(req *http.Request) (*http.Request, error) {
	fresh := req.Clone(req.Context())
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, fmt.Errorf("read the request again: %w", err)
		}
		fresh.Body = body
	}
	return fresh, nil
}

// tokenSource provides tokens. renew reports a refused token and returns whether to try again.
type tokenSource interface {
	token(ctx context.Context) (string, error)
	renew(refused string) bool
}

type fixedToken string

func (t fixedToken) token(context.Context) (string, error) { return string(t), nil }
func (fixedToken) renew(string) bool                       { return false }

// bearer adds a token to requests and retries once with a new token if the first was revoked or expired.
type bearer struct {
	next   http.RoundTripper
	source tokenSource
}

// RoundTrip implements http.RoundTripper.
func (b *bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	for first := true; ; first = false {
		token, err := b.source.token(req.Context())
		if err != nil {
			return nil, err
		}
		signed, err := withBody(req)
		if err != nil {
			return nil, err
		}
		signed.Header.Set("Authorization", "Bearer "+token)
		resp, err := b.next.RoundTrip(signed)
		if err != nil || resp.StatusCode != http.StatusUnauthorized || !first || !b.source.renew(token) {
			return resp, err
		}
		_ = resp.Body.Close()
	}
}

type signed struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (s signed) RoundTrip(req *http.Request) (*http.Response, error) {
	return s.next.RoundTrip(req.Clone(req.Context()))
}

// meter reports each answer, its duration and the remaining rate limit.
type meter struct {
	next         http.RoundTripper
	opt          Options
	installation int64
}

// RoundTrip implements http.RoundTripper.
func (m *meter) RoundTrip(req *http.Request) (*http.Response, error) {
	began := m.opt.Now()
	resp, err := m.next.RoundTrip(req)
	m.opt.Answered(req.Context(), Answer{
		Method: methodOf(req), Endpoint: endpointOf(req), Outcome: outcomeOf(resp, err), Status: statusOf(resp), Took: m.opt.Now().Sub(began),
	})
	if err != nil {
		return nil, err
	}
	resp.Request = req
	if rate, ok := rateOf(resp); ok {
		rate.Installation = m.installation
		m.opt.Rate(rate)
	}
	return resp, nil
}
