package answer

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// Decisions lists the recorded positions by status.
type Decisions struct {
	AsOf      Scope  `json:"as_of"`
	Current   []Item `json:"current"`
	Contested []Item `json:"contested"`
	Open      []Item `json:"open"`
	Past      []Item `json:"past"`

	log   *workspace.Ledger
	state reasoning.State
	about string
	past  int // number of past positions that are not listed
}

// Item is a position with its status.
type Item struct {
	ID           ledger.ID          `json:"id"`
	Type         ledger.Type        `json:"type"`
	Text         string             `json:"text"`
	Status       reasoning.Status   `json:"status"`
	Standing     reasoning.Standing `json:"standing"`
	SupersededBy ledger.ID          `json:"superseded_by,omitempty"`
	Challenges   []ledger.ID        `json:"challenges"`
	Actor        string             `json:"actor"`
	At           string             `json:"at"`
	Source       string             `json:"source"`
	Trail        []ledger.ID        `json:"trail"`
}

// DecisionsOf returns the positions of a log, or only those related to a text. Superseded, resolved and parked
// positions are included if past is set or a text is given.
func DecisionsOf(log *workspace.Ledger, about string, past bool) *Decisions {
	r := reasoning.NewRecorder(log.Log)
	var only map[ledger.ID]float64
	if about != "" {
		only = r.Near(about)
	}
	state := r.Graph().State(only)
	untold := 0
	if !past && about == "" {
		untold, state.Past = len(state.Past), nil
	}
	return &Decisions{
		ScopeOf(log), itemsOf(state.Current), itemsOf(state.Contested), itemsOf(state.Open), itemsOf(state.Past), log, state, about, untold,
	}
}

func itemsOf(list []reasoning.Item) []Item {
	out := make([]Item, 0, len(list))
	for _, i := range list {
		e := i.Event
		out = append(out, Item{
			e.ID, e.Type, e.Text, i.Status, i.Standing, i.SupersededBy, append([]ledger.ID{}, i.Challenges...), e.Actor, e.At, e.Source, i.Trail,
		})
	}
	return out
}

// Text formats the answer for a terminal.
func (d *Decisions) Text() string {
	var b strings.Builder
	s, log, about := d.state, d.log, d.about
	if len(s.Current)+len(s.Pending())+len(s.Past) == 0 {
		switch {
		case d.past > 0:
			plain.Add(&b, "no recorded position is current; `causal decisions --all` lists the earlier ones\n")
		case about != "":
			plain.Add(&b, "no recorded event matches the words of %q\n", about)
		default:
			plain.Add(&b, "the log is empty; `causal record proposition TEXT` records a first proposition\n")
		}
	}
	for _, part := range []struct {
		title string
		items []reasoning.Item
		only  func(reasoning.Item) bool
	}{
		{"Settled", s.Current, standing(reasoning.Settled)},
		{"Contested", s.Current, standing(reasoning.Contested)},
		{"Unchallenged", s.Current, standing(reasoning.Unchallenged)},
		{"Objections without an answer", s.Pending(), func(reasoning.Item) bool { return true }},
		{"Past", s.Past, func(reasoning.Item) bool { return true }},
	} {
		titled := false
		for _, i := range part.items {
			if !part.only(i) {
				continue
			}
			if !titled {
				plain.Add(&b, "%s\n", part.title)
				titled = true
			}
			printItem(&b, log, i)
		}
	}
	plain.Add(&b, "%s\n", ScopeText(log))
	return b.String()
}

func standing(want reasoning.Standing) func(reasoning.Item) bool {
	return func(i reasoning.Item) bool { return i.Standing == want }
}

// printItem prints a position and the events that determine its status.
func printItem(b *strings.Builder, log *workspace.Ledger, i reasoning.Item) {
	plain.Add(b, "  %s  %s  (%s)\n", i.Event.ID.Short(), Line(i.Event.Text), describe(i.Event))
	line := func(how string, ids ...ledger.ID) {
		for _, id := range ids {
			plain.Add(b, "              %s %s  %s\n", how, id.Short(), textOf(log, id))
		}
	}
	if i.Status == reasoning.Parked {
		by, _ := log.Find(i.Away)
		how := "is parked"
		if by.Type == ledger.Withdraw {
			how = "was withdrawn"
		}
		plain.Add(b, "              %s%s\n", how, reasonOf(by))
	}
	if !i.Holds() {
		line("was contradicted by", i.Against...)
	}
	if i.SupersededBy != "" && !slices.Contains(i.Against, i.SupersededBy) {
		line("was replaced by", i.SupersededBy)
	}
	line("is contested by", i.Challenges...)
	if i.Event.Type == ledger.Contradiction {
		line("contradicts", i.Event.Targets...)
	} else {
		line("is based on", i.Event.Targets...)
	}
	line("answers", i.Event.Resolves...)
}

func textOf(log *workspace.Ledger, id ledger.ID) string {
	if e, ok := log.Find(id); ok {
		return Line(e.Text)
	}
	return "(not in this log)"
}

// reasonOf returns the text of an event as a suffix.
func reasonOf(e *ledger.Event) string {
	if e.Text == "" {
		return ""
	}
	return ": " + Line(e.Text)
}

// describe returns the type, author and day of an event.
func describe(e *ledger.Event) string {
	parts := []string{string(e.Type)}
	if e.Actor != "" {
		parts = append(parts, e.Actor)
	}
	if e.At != "" {
		parts = append(parts, day(e.At))
	}
	return strings.Join(parts, ", ")
}
