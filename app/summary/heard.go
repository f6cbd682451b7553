package summary

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/report"
)

// Where says how a recorded event is stored: on the default branch, in a pull request, or not at all because commits
// are off. Asked is set for questions.
type Where struct {
	Pull    string
	Nowhere bool
	Asked   bool
}

// Heard formats the result of a command about decisions.
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
		lines = append(lines, "- "+statusOf(e)+": "+event(e))
	}
	return Join(text+".", List(lines))
}

// event formats an event as one line.
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

// shortID is the length of displayed IDs.
const shortID = 10

func short(e report.Event) string { return Code(e.ID[:min(len(e.ID), shortID)]) }

// statusOf describes the status of a position.
func statusOf(e report.Event) string {
	if e.Standing == "" || e.Standing == "none" {
		return Words(e.Status) + " now"
	}
	return Words(e.Status) + " and " + Words(e.Standing)
}

// notHeard formats the reason why nothing was recorded or found, with candidates.
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

// trail formats the history of an event.
func trail(h report.Heard) string {
	text := event(*h.Event)
	if h.Event.Status != "" {
		text = statusOf(*h.Event) + ": " + text
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

// state formats the current positions.
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
