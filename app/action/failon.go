package action

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/review/finding"
)

// Values of the input fail-on other than severities.
const (
	failOnStale = "stale"
	failOnNone  = "none"
)

type failOn struct {
	stale bool
	limit finding.Severity // minimum severity; empty: findings never fail the step
}

func readFailOn(input string) (failOn, error) {
	words := strings.FieldsFunc(input, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
	var on failOn
	for _, word := range words {
		switch severity := finding.Severity(word); {
		case word == failOnStale:
			on.stale = true
		case word == failOnNone && len(words) == 1:
		case severity.Valid() && on.limit == "":
			on.limit = severity
		default:
			return on, fmt.Errorf("unknown fail-on %q: use none, or stale, one of error, warning and note, or both separated by a comma", input)
		}
	}
	return on, nil
}

func (r Result) bad(limit finding.Severity) int {
	if limit == "" || r.Review == nil {
		return 0
	}
	found, carried := r.Review.Bad(limit)
	return found + carried
}

func (on failOn) fails(r Result) bool {
	return on.stale && r.failed || r.bad(on.limit) > 0 || on.limit != "" && r.Review != nil && len(r.Review.Coverage.Failed) > 0
}
