// Package life tracks the findings of one change, a pull request or a branch, from their first run to the end of the
// change: new, open, carried, fixed, outdated and dismissed ones.
//
// A finding is fixed only after its check examined the file again. If the check did not run, the finding is carried.
package life

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/review/finding"
)

// Status is the status of a finding.
type Status string

// The statuses.
const (
	Open      Status = "open"
	Carried   Status = "carried"   // the check did not examine it again
	Fixed     Status = "fixed"     // the check no longer finds it
	Outdated  Status = "outdated"  // the file or the code was removed
	Dismissed Status = "dismissed" // by a user
)

var statuses = []Status{Open, Carried, Fixed, Outdated, Dismissed}

// over reports whether a finding was absent in the last check.
func (s Status) over() bool { return s == Fixed || s == Outdated }

// Event is an entry of a finding's history: a status, or New, Changed or Reopened.
type Event struct {
	Event  string `json:"event"`
	Commit string `json:"commit,omitempty"` // the head; empty for the work tree
	Reason string `json:"reason,omitempty"`
	Actor  string `json:"actor,omitempty"`
}

// Further events, which are also the states of present findings.
const (
	New      = "new"
	Changed  = "changed"
	Reopened = "reopened"
)

// Entry is a finding with its status and history.
type Entry struct {
	finding.Finding
	Status    Status
	FirstSeen string  // head of the first run that found it; empty for the work tree
	Said      string  // digest of the quoted lines without white space, and of the message
	Why       string  // reason why it was carried
	History   []Event // the oldest event first
}

// State holds the findings of a change. The zero value is a change without a review.
type State struct {
	Findings []*Entry // sorted by finding.Compare
}

// mostEvents limits a finding's history to its first event and the latest ones. Only a test or an attack has more.
const mostEvents = 32

func (e *Entry) note(event Event) {
	if len(e.History) == mostEvents {
		e.History = slices.Delete(e.History, 1, 2)
	}
	e.History = append(e.History, event)
}

// Last returns the last event of a kind in a history, or the zero Event.
func Last(history []Event, kind string) Event {
	for _, event := range slices.Backward(history) {
		if event.Event == kind {
			return event
		}
	}
	return Event{}
}

// Dismissal returns the reason and the actor of a dismissal.
func (e *Entry) Dismissal() (reason, actor string) {
	d := Last(e.History, string(Dismissed))
	return d.Reason, d.Actor
}

// FixedBy returns the head of the run that no longer found a fixed finding. It is empty for the work tree and for
// other statuses.
func (e *Entry) FixedBy() string {
	if e.Status != Fixed {
		return ""
	}
	return Last(e.History, string(Fixed)).Commit
}

// Since returns the state of a present finding since a commit became the head: New, Reopened, Changed or Open.
// Repeated runs give the same result.
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

// longestReason limits a user's reason to a paragraph, in bytes.
const longestReason = 1000

// Dismiss marks a finding as dismissed at a head.
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

// Reinstate reopens a dismissed finding at a head. It returns false if the finding was not dismissed.
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
