package summary

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/report"
)

// Where is where an event is that was recorded: on the default branch, in a pull request, or nowhere, because nothing is committed. Where
// something was Asked, there is none.
type Where struct {
	Pull    string
	Nowhere bool
	Asked   bool
}

// Heard answers what somebody said about decisions.
func Heard(h report.Heard, at Where) string {
	switch {
	case h.State != nil:
		return state(h.State)
	case h.Reason != "":
		return notHeard(h, at)
	case at.Asked:
		return trail(h)
	case at.Nowhere:
		return "causal commits nothing here, so nothing was recorded. Run `causal record` in a clone."
	}
	text := "Recorded as " + event(*h.Event)
	if at.Pull != "" {
		text += ". It takes effect when " + at.Pull + " is merged"
	}
	var lines []string
	for _, e := range h.Touched {
		lines = append(lines, "- "+fares(e)+": "+event(e))
	}
	return Join(text+".", List(lines))
}

// event is one of the log in a line.
func event(e report.Event) string {
	text := short(e)
	if e.Type != "" {
		text += " (" + Words(e.Type) + ")"
	}
	if said := strings.TrimSpace(e.Text); said != "" {
		text += ": " + Words(said)
	}
	return text
}

// shortID is how many digits of an id people are shown.
const shortID = 10

func short(e report.Event) string { return Code(e.ID[:min(len(e.ID), shortID)]) }

// fares says what became of a position.
func fares(e report.Event) string {
	if e.Standing == "" || e.Standing == "none" {
		return Words(e.Status) + " now"
	}
	return Words(e.Status) + " and " + Words(e.Standing)
}

// notHeard says why nothing was recorded or found, and what may have been meant.
func notHeard(h report.Heard, at Where) string {
	var lines []string
	for _, e := range h.Candidates {
		lines = append(lines, "- "+event(e))
	}
	text := "Nothing was recorded"
	if at.Asked {
		text = "Nothing was found"
	}
	text += " (" + Code(h.Reason) + "): " + Words(h.Detail) + "."
	if len(lines) > 0 {
		text += " Candidates:"
	}
	return Join(text, List(lines))
}

// trail tells how something came to what it is.
func trail(h report.Heard) string {
	text := event(*h.Event)
	if h.Event.Status != "" {
		text = fares(*h.Event) + ": " + text
	}
	var lines []string
	for _, e := range h.Trail {
		line := "- " + event(e)
		if e.Actor != "" {
			line += ", " + Words(e.Actor)
		}
		if day, _, _ := strings.Cut(e.At, "T"); day != "" {
			line += ", " + Words(day)
		}
		lines = append(lines, line)
	}
	return Join(text+".", "History:", List(lines))
}

// state tells what is thought now.
func state(s *report.State) string {
	var parts []string
	for _, section := range []struct {
		title string
		list  []report.Event
	}{
		{"Settled", s.Settled}, {"Contested", s.Contested}, {"Unchallenged", s.Unchallenged}, {"Objections without an answer", s.Open}, {"Past", s.Past},
	} {
		if len(section.list) == 0 {
			continue
		}
		lines := []string{"**" + section.title + "**", ""}
		for _, e := range section.list {
			lines = append(lines, "- "+event(e))
		}
		parts = append(parts, strings.Join(lines, "\n"))
	}
	if len(parts) == 0 {
		parts = append(parts, "No recorded decision is about that.")
	}
	if s.Left > 0 {
		parts = append(parts, fmt.Sprintf("And %d more.", s.Left))
	}
	return Join(append(parts, "`causal decisions` lists all, "+Words(s.AsOf)+".")...)
}
