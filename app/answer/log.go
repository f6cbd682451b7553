package answer

import (
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
)

// Log lists the recorded events in order.
type Log struct {
	AsOf   Scope   `json:"as_of"`
	Events []Event `json:"events"`
}

func LogOf(log *workspace.Ledger) *Log {
	events := log.Events()
	out := &Log{ScopeOf(log), make([]Event, len(events))}
	for i := range events {
		out.Events[i] = eventOf(&events[i])
	}
	return out
}

func (l *Log) Text() string {
	var b strings.Builder
	for i := range l.Events {
		e := &l.Events[i]
		text := Line(e.Text)
		if text == "" { // a confirmation needs no text
			text = actText(*e, nil)
		}
		plain.Add(&b, "%s  %-13s  %s  %s\n", e.ID.Short(), e.Type, day(e.At), text)
	}
	return b.String()
}

// Event is one event of the log.
type Event struct {
	ID           ledger.ID     `json:"id"`
	Type         ledger.Type   `json:"type"`
	Text         string        `json:"text"`
	Targets      []ledger.ID   `json:"targets,omitempty"`
	Resolves     []ledger.ID   `json:"resolves,omitempty"`
	Considers    []ledger.ID   `json:"considers,omitempty"`
	Effect       ledger.Effect `json:"effect,omitempty"`
	Supersedes   bool          `json:"supersedes,omitempty"`
	Cause        ledger.ID     `json:"cause,omitempty"`
	Relationship string        `json:"relationship,omitempty"`
	About        string        `json:"about,omitempty"`
	Source       string        `json:"source,omitempty"`
	Actor        string        `json:"actor,omitempty"`
	At           string        `json:"at,omitempty"`
	Parents      []ledger.ID   `json:"parents"`
	Lamport      int64         `json:"lamport"`
	Missing      bool          `json:"missing,omitempty"` // not in the log: only the id is known
}

func eventOf(e *ledger.Event) Event {
	return Event{
		e.ID, e.Type, e.Text, e.Targets, e.Resolves, e.Considers, e.Effect, e.Supersedes, e.Cause, e.Relationship, e.About, e.Source, e.Actor, e.At,
		append([]ledger.ID{}, e.Parents...), e.Lamport, e.Type == "",
	}
}
