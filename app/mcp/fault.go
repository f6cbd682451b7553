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

// mostChoices bounds a list of alternatives.
const mostChoices = 12

// explained adds a remedy for the model to an error.
func explained(err error) error {
	var several *workspace.AmbiguousError
	var unknown *workspace.UnknownError
	var nowhere *workspace.PlaceError
	switch {
	case errors.As(err, &several):
		return fmt.Errorf("%s is ambiguous; call again with one of these targets:%s", several.Target, choices(several.Choices))
	case errors.As(err, &unknown) && len(unknown.Nearest) > 0:
		return fmt.Errorf("%s: %s; similar names:%s\ncall search to find more; `causal update` reads new files", unknown.Target, unknown.Because, choices(unknown.Nearest))
	case errors.As(err, &unknown):
		return fmt.Errorf("%s: %s; call search to find it by words; `causal update` reads new files", unknown.Target, unknown.Because)
	case errors.As(err, &nowhere):
		return fmt.Errorf("%w; causal mcp works in the repository that it is started in", err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return errors.New("the call was cancelled")
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

// mend has the remedy for each reason to drop an event.
var mend = map[reasoning.Reason]string{
	reasoning.NoCandidate:    "Call decisions to list the recorded events and name one by its id, or record the missing event first.",
	reasoning.BelowThreshold: "Name one of these events by its id, or record the missing event first.",
	reasoning.Ambiguous:      "Name one of these events by its id.",
	reasoning.WrongStatus:    "Call why with its id to see its history.",
	reasoning.TooVague:       "Name the event by its id, or by a quotation in double quotes.",
	reasoning.InvalidPayload: "Nothing was recorded; fix the errors and call again.",
	reasoning.Duplicate:      "The event exists already; to record a repetition, give another source.",
}
