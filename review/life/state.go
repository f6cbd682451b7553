// Package life follows the findings of one change, a pull request or a branch, from the run that sees them first to the end of the
// change: what is new, what is still there wherever its line is now, what was fixed, what nobody looked at again, and what people
// dismissed.
//
// A finding is fixed only when what found it looked at the file again. When that did not run, it is carried.
package life

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/review/finding"
)

// Status is what became of a finding.
type Status string

// The statuses.
const (
	Open      Status = "open"
	Carried   Status = "carried"   // what found it did not look again
	Fixed     Status = "fixed"     // it looked again, and found nothing
	Outdated  Status = "outdated"  // the file or the code is gone
	Dismissed Status = "dismissed" // by a person
)

var statuses = []Status{Open, Carried, Fixed, Outdated, Dismissed}

// over reports whether a finding was not there when it was looked at last.
func (s Status) over() bool { return s == Fixed || s == Outdated }

// Event is something that happened to a finding: a Status that it came to, or one of the words below.
type Event struct {
	Event  string `json:"event"`
	Commit string `json:"commit,omitempty"` // the head when it was seen; empty for the work tree
	Reason string `json:"reason,omitempty"`
	Actor  string `json:"actor,omitempty"`
}

// What happens to findings, besides what their status says, and what a run tells of one that is there.
const (
	New      = "new"
	Changed  = "changed"
	Reopened = "reopened"
)

// Entry is a finding with what is known of it.
type Entry struct {
	finding.Finding
	Status    Status
	FirstSeen string  // the head when it was found first; empty for the work tree
	Said      string  // a digest of the text of its lines, white space aside, and of its message
	Why       string  // it was carried
	History   []Event // what happened to it, first to last
}

// State is what is known of a change. The zero value is that of one that was never looked at.
type State struct {
	Findings []*Entry // sorted as findings are told
}

// mostEvents is how much of its history a finding keeps: what came first, and what came last. Whoever fixes and breaks a line more
// often is a test, or an attack.
const mostEvents = 32

func (e *Entry) note(event Event) {
	if len(e.History) == mostEvents {
		e.History = slices.Delete(e.History, 1, 2)
	}
	e.History = append(e.History, event)
}

// last returns the last event of a kind.
func (e *Entry) last(kind string) Event {
	for _, event := range slices.Backward(e.History) {
		if event.Event == kind {
			return event
		}
	}
	return Event{}
}

// Dismissal tells why a finding was dismissed, and by whom.
func (e *Entry) Dismissal() (reason, actor string) {
	d := e.last(string(Dismissed))
	return d.Reason, d.Actor
}

// FixedBy is the head at which a finding was found to be fixed; empty for the work tree, and when it is not.
func (e *Entry) FixedBy() string {
	if e.Status != Fixed {
		return ""
	}
	return e.last(string(Fixed)).Commit
}

// Since tells what a finding that is there has been since a commit became the head: New, Reopened, Changed or Open, however often that
// was looked at.
func (e *Entry) Since(head string) string {
	for _, event := range slices.Backward(e.History) {
		if event.Commit != head {
			break
		}
		if event.Event != string(Carried) {
			return event.Event
		}
	}
	return string(Open)
}

// longestReason bounds what a person says about a finding: a paragraph.
const longestReason = 1000

// Dismiss marks a finding as one that is not to be told again, at a head.
func (s *State) Dismiss(id, reason, actor, head string) error {
	at := slices.IndexFunc(s.Findings, func(e *Entry) bool { return e.ID == id })
	switch {
	case at < 0:
		return fmt.Errorf("dismiss %s: this change has no such finding", id)
	case strings.TrimSpace(reason) == "":
		return fmt.Errorf("dismiss %s: say why, in a few words", id)
	case len(reason) > longestReason:
		return fmt.Errorf("dismiss %s: the reason is longer than %d bytes", id, longestReason)
	case actor == "":
		return errors.New("dismiss " + id + ": the author is unknown")
	}
	e := s.Findings[at]
	e.Status, e.Why = Dismissed, ""
	e.note(Event{string(Dismissed), head, reason, actor})
	return nil
}

// Reinstate has a finding told again that was dismissed, at a head; false when it was not.
func (s *State) Reinstate(id, actor, head string) bool {
	at := slices.IndexFunc(s.Findings, func(e *Entry) bool { return e.ID == id && e.Status == Dismissed })
	if at < 0 {
		return false
	}
	e := s.Findings[at]
	e.Status = Open
	e.note(Event{Event: Reopened, Commit: head, Actor: actor})
	return true
}

func (s *State) sort() {
	slices.SortStableFunc(s.Findings, func(a, b *Entry) int {
		return cmp.Or(finding.Compare(a.Finding, b.Finding), cmp.Compare(a.ID, b.ID))
	})
}
