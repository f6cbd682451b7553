package github

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// gate blocks requests while GitHub's rate limit lasts, since ignoring it may get an App banned. Clients that share a
// limit share a gate.
type gate struct {
	mu     sync.Mutex
	until  map[string]RateLimited
	opened time.Time
}

func newGate() *gate { return &gate{until: map[string]RateLimited{}} }

// longestWait caps the wait: GitHub has no longer limit, and the header may be wrong.
const longestWait = time.Hour

func bounded(limited RateLimited, now time.Time) RateLimited {
	if latest := now.Add(longestWait); limited.Until.After(latest) {
		limited.Until = latest
	}
	return limited
}

func (g *gate) shut(resource string, limited RateLimited) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if limited.Until.After(g.until[resource].Until) {
		g.until[resource] = limited
	}
}

// between is the minimum interval between early openings of a gate.
const between = time.Minute

// open lets requests through early to find out whether GitHub still enforces the limit. If so, the next answer closes
// the gate again.
func (g *gate) open(now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if since := now.Sub(g.opened); since < 0 || since >= between {
		g.opened = now
		clear(g.until)
	}
}

func (g *gate) check(resource string, now time.Time) (RateLimited, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, name := range []string{"", resource} {
		limited, ok := g.until[name]
		switch wait := limited.Until.Sub(now); {
		case !ok:
		case wait > 0 && wait <= longestWait:
			return limited, true
		default:
			delete(g.until, name)
		}
	}
	return RateLimited{}, false
}

func resourceOf(req *http.Request) string {
	if isGraphQL(req) {
		return "graphql"
	}
	return "core"
}

var secondary = lazyregexp.New(`(?i)secondary rate limit|abuse detection`)

// unspecified is the minimum wait that GitHub asks for if an answer has no time.
const unspecified = time.Minute

// limitOf reports whether an answer is a rate limit, and which. A secondary limit may be recognizable only by its text.
func limitOf(resp *http.Response, body []byte, now time.Time) (resource string, limited RateLimited, is bool) {
	after, afterErr := strconv.Atoi(resp.Header.Get("Retry-After"))
	rate, hasRate := rateOf(resp)
	ends := endOf(resp, rate, now)
	exhausted := hasRate && rate.Remaining == 0 && ends.After(now)
	spoken := secondary.Match(body)
	switch resp.StatusCode {
	case http.StatusOK:
		if spoken = isGraphQL(resp.Request) && limitsQuery(body); !spoken {
			return "", RateLimited{}, false
		}
	case http.StatusForbidden, http.StatusTooManyRequests:
		spoken = spoken || resp.StatusCode == http.StatusTooManyRequests
	case http.StatusServiceUnavailable:
		spoken, exhausted = false, false
	default:
		return "", RateLimited{}, false
	}
	switch {
	case afterErr == nil && after > 0:
		return "", RateLimited{Until: now.Add(time.Duration(after) * time.Second), Reason: reasonOf(resp, body)}, true
	case exhausted:
		return rate.Resource, RateLimited{Until: ends, Reason: usedUp}, true
	case spoken:
		return "", RateLimited{Until: now.Add(unspecified), Reason: reasonOf(resp, body)}, true
	}
	return "", RateLimited{}, false
}

// limitsQuery reports whether a GraphQL answer is a rate limit error. It ignores the data, in which users may write
// about rate limits.
func limitsQuery(body []byte) bool {
	var answer struct {
		Message string       `json:"message"`
		Errors  []queryError `json:"errors"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return false
	}
	return secondary.MatchString(answer.Message) || slices.ContainsFunc(answer.Errors, func(e queryError) bool {
		return e.Type == "RATE_LIMITED" || secondary.MatchString(e.Message)
	})
}

func reasonOf(resp *http.Response, body []byte) string {
	if secondary.Match(body) {
		return "its limit for many requests at once"
	}
	return strconv.Itoa(resp.StatusCode) + " " + http.StatusText(resp.StatusCode)
}

const usedUp = "its hourly limit is used up"

// endOf returns when a limit ends by the local clock. It uses GitHub's Date header because the local clock may be off.
func endOf(resp *http.Response, rate Rate, now time.Time) time.Time {
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		return now.Add(rate.Reset.Sub(date))
	}
	return rate.Reset
}

func rateOf(resp *http.Response) (Rate, bool) {
	remaining, err := strconv.Atoi(resp.Header.Get("X-Ratelimit-Remaining"))
	if err != nil {
		return Rate{}, false
	}
	limit, _ := strconv.Atoi(resp.Header.Get("X-Ratelimit-Limit"))
	reset, _ := strconv.ParseInt(resp.Header.Get("X-Ratelimit-Reset"), 10, 64)
	resource := resp.Header.Get("X-Ratelimit-Resource")
	if resource == "" {
		resource = resourceOf(resp.Request)
	}
	return Rate{Resource: resource, Limit: limit, Remaining: remaining, Reset: time.Unix(reset, 0).UTC()}, true
}
