package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	gh "github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

type rule struct {
	statuses []int
	words    *lazyregexp.Regexp
	kind     error
}

const archived = `(was|is) archived`

// forbidding matches GitHub's messages for branch protection, rulesets and locked branches.
const forbidding = `rule violation|protected (branch|ref)|through a pull request|required status check|` +
	`not authorized to push|locked branch|branch is locked|verified signatures|merge queue|Cannot (update|create) this`

var rules = []rule{
	{nil, lazyregexp.New(`(?i)` + archived), ErrArchived},
	{[]int{http.StatusForbidden, http.StatusConflict, http.StatusUnprocessableEntity}, lazyregexp.New(`(?i)` + forbidding), ErrProtected},
	{[]int{http.StatusConflict}, lazyregexp.New(`(?i)\bempty\b`), ErrEmpty},
	{[]int{http.StatusConflict, http.StatusUnprocessableEntity}, lazyregexp.New(`(?i)not a fast.?forward|reference already exists`), ErrHeadMoved},
	{[]int{http.StatusUnprocessableEntity}, lazyregexp.New(`(?i)commit_?(oid|id) is not part of the pull request`), ErrHeadMoved},
	{[]int{http.StatusUnprocessableEntity}, lazyregexp.New(`(?i)reference (does not exist|not found)|not accessible to the parent installation`), ErrGone},
	{[]int{http.StatusUnprocessableEntity}, lazyregexp.New(`(?i)permissions requested are not granted`), ErrForbidden},
	{[]int{http.StatusForbidden, http.StatusUnprocessableEntity}, lazyregexp.New(`(?i)too large|timed out`), ErrTooLarge},
	{[]int{http.StatusRequestEntityTooLarge}, nil, ErrTooLarge},
	{[]int{http.StatusUnauthorized}, nil, ErrCredentials},
	{[]int{http.StatusForbidden}, nil, ErrForbidden},
	{[]int{http.StatusNotFound, http.StatusGone, http.StatusUnavailableForLegalReasons}, nil, ErrGone},
}

func kindOf(status int, said string) error {
	for _, r := range rules {
		if (r.statuses == nil || slices.Contains(r.statuses, status)) && (r.words == nil || r.words.MatchString(said)) {
			return r.kind
		}
	}
	return ErrRefused
}

// explain turns any error of a call into an Error, a RateLimited or the context's error. needs is the required
// permission, used if GitHub does not name it.
func (o Options) explain(ctx context.Context, doing, needs string, err error) error {
	var known *Error
	var limited RateLimited
	var primary *gh.RateLimitError
	var answer *gh.ErrorResponse
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	case errors.As(err, &known):
		again := *known
		again.Doing = doing
		return &again
	case errors.As(err, &limited):
		return fmt.Errorf("%s: %w", doing, limited)
	case errors.As(err, &primary): // go-github remembered the limit and did not send the request
		return fmt.Errorf("%s: %w", doing, bounded(RateLimited{Until: primary.Rate.Reset.Time, Reason: primary.Message}, o.Now()))
	case errors.As(err, &answer):
		return o.refusal(doing, needs, answer)
	case errors.Is(err, errRedirected):
		return &Error{Kind: ErrGone, Doing: doing, Said: errRedirected.Error()}
	default:
		return &Error{Kind: ErrRefused, Doing: doing, Said: Redact(err.Error())}
	}
}

func (o Options) refusal(doing, needs string, answer *gh.ErrorResponse) *Error {
	said := saidBy(answer)
	out := &Error{Kind: kindOf(answer.Response.StatusCode, said), Doing: doing, Said: Redact(said)}
	switch {
	case errors.Is(out, ErrForbidden):
		out.Needs = needs
		if accepted := answer.Response.Header.Get("X-Accepted-Github-Permissions"); accepted != "" {
			out.Needs = accepted
		}
	case errors.Is(out, ErrCredentials):
		if skew := o.skew(answer.Response); skew != "" && aboutTime.MatchString(said) {
			out.Said = skew
		}
	}
	return out
}

func saidBy(answer *gh.ErrorResponse) string {
	parts := []string{answer.Message}
	for _, detail := range answer.Errors {
		switch {
		case detail.Message != "":
			parts = append(parts, detail.Message)
		case detail.Field != "":
			parts = append(parts, detail.Field+" "+strings.ReplaceAll(detail.Code, "_", " "))
		}
	}
	if parts[0] == "" {
		parts[0] = http.StatusText(answer.Response.StatusCode)
	}
	return oneLine(strings.Join(parts, "\n"))
}

func oneLine(text string) string {
	var parts []string
	for line := range strings.Lines(text) {
		if line := strings.Join(strings.Fields(line), " "); line != "" {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, "; ")
}

var aboutTime = lazyregexp.New(`(?i)'(exp|iat)'|expiration time|issued at`)

// tolerance is the accepted clock skew: the App's JWT is backdated by half a minute.
const tolerance = 25 * time.Second

func (o Options) skew(resp *http.Response) string {
	date, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		return ""
	}
	off, word := o.Now().Sub(date).Truncate(time.Second), "ahead of"
	if off < 0 {
		off, word = -off, "behind"
	}
	if off < tolerance {
		return ""
	}
	return fmt.Sprintf("the clock of this machine is %s %s GitHub's: set it, and keep it set with NTP", off, word)
}
