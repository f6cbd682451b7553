package action

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/review/finding"
)

// What the input fail-on may have besides a severity.
const (
	failOnStale = "stale"
	failOnNone  = "none"
)

// failOn is what makes a step fail.
type failOn struct {
	stale bool
	limit finding.Severity // the least of findings; empty when none does
}

// readFailOn reads words with commas or spaces between them.
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

// bad counts the findings of the review at or above a limit.
func (r Result) bad(limit finding.Severity) int {
	if limit == "" || r.Review == nil {
		return 0
	}
	found, carried := r.Review.Bad(limit)
	return found + carried
}

// fails reports whether what a run has found makes the step fail.
func (on failOn) fails(r Result) bool {
	return on.stale && r.failed || r.bad(on.limit) > 0 || on.limit != "" && r.Review != nil && len(r.Review.Coverage.Failed) > 0
}
