package answer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// NamesEvent reports whether a target has the form of an event: a quotation, or the first digits of an ID.
func NamesEvent(target string) bool {
	return Quotes(target) || len(target) >= 8 && strings.Trim(target, "0123456789abcdef") == ""
}

func Quotes(target string) bool {
	return len(target) > 2 && strings.HasPrefix(target, `"`) && strings.HasSuffix(target, `"`)
}

// Trail is the status and history of an event.
type Trail struct {
	Event Event   `json:"event"`
	State *Item   `json:"state,omitempty"` // if it is a position
	Trail []Event `json:"trail"`
	AsOf  Scope   `json:"as_of"`

	log  *workspace.Ledger
	item reasoning.Item
}

// TrailOf returns the trail of the event that a target names. The error is a *reasoning.DropError if the target
// matches no event or several.
func TrailOf(log *workspace.Ledger, target string) (*Trail, error) {
	r := reasoning.NewRecorder(log.Log)
	id, err := r.Find(target)
	if err != nil {
		return nil, err
	}
	e, _ := log.Find(id)
	t := &Trail{Event: eventOf(e), Trail: []Event{}, AsOf: ScopeOf(log), log: log, item: r.Graph().Item(id)}
	if e.Type.Position() {
		t.State = &itemsOf([]reasoning.Item{t.item})[0]
	}
	for _, id := range t.item.Trail {
		step, _ := log.Find(id)
		t.Trail = append(t.Trail, eventOf(step))
	}
	return t, nil
}

func (t *Trail) Text() string {
	var b strings.Builder
	log, i := t.log, t.item
	plain.Add(&b, "%s\n%s\n", Line(i.Event.Text), statusText(i))
	if by, ok := log.Find(i.SupersededBy); ok {
		how := "was replaced by"
		if by.Type == ledger.Contradiction {
			how = "was contradicted by"
		}
		plain.Add(&b, "it %s %s: %s\n", how, by.ID.Short(), Line(by.Text))
	}
	if i.Event.Source != "" {
		plain.Add(&b, "source: %s\n", i.Event.Source)
	}
	plain.Add(&b, "\n")
	number := map[ledger.ID]int{}
	for n, e := range t.Trail {
		number[e.ID] = n + 1
	}
	for _, e := range t.Trail {
		mark := " "
		if e.ID == i.Event.ID {
			mark = ">"
		}
		plain.Add(&b, "%s %2d  %-13s  %s  %s\n", mark, number[e.ID], cmp.Or(e.Type, "missing"), e.ID.Short(), textOf(log, e.ID))
		if e.Missing {
			continue
		}
		plain.Add(&b, "      %s\n", strings.Join(slices.DeleteFunc([]string{actText(e, number), e.Actor, day(e.At)}, func(s string) bool { return s == "" }), "; "))
	}
	plain.Add(&b, "\n%s\n", ScopeText(log))
	return b.String()
}

func statusText(i reasoning.Item) string {
	text := string(i.Event.Type) + " " + i.Event.ID.Short()
	if i.Status != "" {
		text += " is " + string(i.Status)
	}
	if i.Standing != reasoning.None && i.Status != "" {
		text += ", " + string(i.Standing)
	}
	return text
}

// acts are verbs for the effect of an event on its targets.
var acts = map[ledger.Type]string{
	ledger.Contradiction: "contradicts", ledger.Refinement: "replaces", ledger.Synthesis: "combines", ledger.Park: "parks",
	ledger.Resume: "resumes", ledger.Withdraw: "withdraws", ledger.Confirm: "confirms",
}

// actText describes how an event refers to other events of the trail, by their numbers.
func actText(e Event, number map[ledger.ID]int) string {
	var parts []string
	say := func(how string, ids []ledger.ID) {
		var names []string
		for _, id := range slices.SortedFunc(slices.Values(ids), func(a, b ledger.ID) int { return number[a] - number[b] }) {
			if n := number[id]; n > 0 {
				names = append(names, strconv.Itoa(n))
			} else {
				names = append(names, id.Short())
			}
		}
		if len(names) > 0 {
			parts = append(parts, how+" "+strings.Join(names, ", "))
		}
	}
	say(acts[e.Type], e.Targets)
	say("answers", e.Resolves)
	say("considers", e.Considers)
	if e.Cause != "" {
		say("because of", []ledger.ID{e.Cause})
	}
	return strings.Join(parts, ", ")
}

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
