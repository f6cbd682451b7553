package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// mostChoices is how many things to choose from are told.
const mostChoices = 12

// explained is an error with what a model can do about it.
func explained(err error) error {
	var several *workspace.AmbiguousError
	var unknown *workspace.UnknownError
	var nowhere *workspace.PlaceError
	switch {
	case errors.As(err, &several):
		return fmt.Errorf("%s may mean several things; call again with one of these as the target:%s", several.Target, choices(several.Choices))
	case errors.As(err, &unknown) && len(unknown.Nearest) > 0:
		return fmt.Errorf("%s: %s; these are called alike:%s\nsearch finds more by words; `causal update` brings in what is new", unknown.Target, unknown.Because, choices(unknown.Nearest))
	case errors.As(err, &unknown):
		return fmt.Errorf("%s: %s; search finds what there is by words, `causal update` brings in what is new", unknown.Target, unknown.Because)
	case errors.As(err, &nowhere):
		return fmt.Errorf("%w; causal mcp works in the repository that it is started in", err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return errors.New("the call was ended before it was answered")
	}
	return err
}

func choices(list []workspace.Choice) string {
	var b strings.Builder
	for i, c := range list {
		if i == mostChoices {
			fmt.Fprintf(&b, "\n  and %d more", len(list)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s  (%s)", c.Typed, answer.Line(c.About))
	}
	return b.String()
}

// mend is what to do when an event was dropped.
var mend = map[reasoning.Reason]string{
	reasoning.NoCandidate:    "Call decisions to see what is recorded, and name the event by its id; or record first what this is about.",
	reasoning.BelowThreshold: "Name one of these events by its id, if it is meant; or record first what this is about.",
	reasoning.Ambiguous:      "Name one of these events by its id.",
	reasoning.WrongStatus:    "Call why with its id to see what became of it.",
	reasoning.TooVague:       "Name the event by its id, or by a quotation in double quotes.",
	reasoning.InvalidPayload: "Nothing was recorded; call again with what is said here.",
	reasoning.Duplicate:      "Nothing has to be done; if it was said again, give another source.",
}
