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

// gate keeps requests back for as long as GitHub wants none: going on regardless may get an App banned. One gate
// stands before everything that shares a limit.
type gate struct {
	mu     sync.Mutex
	until  map[string]RateLimited // by resource; "" shuts all of them
	opened time.Time              // by somebody who does not want to wait
}

func newGate() *gate { return &gate{until: map[string]RateLimited{}} }

// longestWait is how long nothing is sent at most: none of GitHub's limits is longer, and what an answer says may be wrong.
const longestWait = time.Hour

// bounded is a limit that ends within longestWait.
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

// between is how long after a gate was opened before its time it can be opened so again.
const between = time.Minute

// open lets requests through before their time: somebody wants to know whether GitHub still means it. The next answer shuts the
// gate again if so.
func (g *gate) open(now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if since := now.Sub(g.opened); since < 0 || since >= between {
		g.opened = now
		clear(g.until)
	}
}

// check returns the limit that a request would run into.
func (g *gate) check(resource string, now time.Time) (RateLimited, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, name := range []string{"", resource} {
		limited, ok := g.until[name]
		switch wait := limited.Until.Sub(now); {
		case !ok:
		case wait > 0 && wait <= longestWait:
			return limited, true
		default: // it is over, or the clock was set back
			delete(g.until, name)
		}
	}
	return RateLimited{}, false
}

// resourceOf is the name of the limit that a request counts against.
func resourceOf(req *http.Request) string {
	if isGraphQL(req) {
		return "graphql"
	}
	return "core"
}

var secondary = lazyregexp.New(`(?i)secondary rate limit|abuse detection`)

// unspecified is how long GitHub asks to wait at least when it does not say how long.
const unspecified = time.Minute

// limitOf reports whether an answer is a rate limit, and which. Answers of the secondary limit do not always have a
// header that tells it: their text does.
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

// limitsQuery reports whether an answer of GraphQL says that there were too many requests. What it gives besides may be
// anybody's words about rate limits.
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

// endOf is when an hourly limit ends by the clock of this machine, which may be off: GitHub's answers tell its own time.
func endOf(resp *http.Response, rate Rate, now time.Time) time.Time {
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		return now.Add(rate.Reset.Sub(date))
	}
	return rate.Reset
}

// rateOf reads the headers that say what is left.
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
