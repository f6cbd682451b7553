package workspace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// Saying is a comment about decisions: a draft to record, or a question.
type Saying struct {
	// Draft is recorded once for each Source, even if its text was edited later.
	Draft reasoning.Draft `json:"draft"`
	At    string          `json:"at,omitempty"` // RFC 3339
	// Asks is a question instead of a draft, and About its subject.
	Asks  Question `json:"asks,omitempty"`
	About string   `json:"about,omitempty"`
}

// Question is a question that the log answers.
type Question string

// The questions: the trail of an event, and the current decisions.
const (
	AsksWhy       Question = "why"
	AsksDecisions Question = "decisions"
)

// Limits that keep an answer readable. `causal decisions` and `causal why` show everything.
const (
	mostAnswered = 10  // positions of a section
	mostTrail    = 20  // events of a trail
	longestSaid  = 300 // bytes of a text
)

// Hear records drafts and answers questions, in order. A dropped draft does not stop the others.
func (w *Workspace) Hear(list []Saying) ([]report.Heard, error) {
	whole, err := ledger.Open(w.Files, nil)
	if err != nil {
		return nil, err
	}
	l := &Ledger{Whole: whole}
	h := hearing{l.Log, reasoning.NewRecorder(l.Log)}
	heard := make([]report.Heard, len(list))
	for i, s := range list {
		if s.Asks != "" {
			heard[i] = h.answer(s)
		} else if heard[i], err = h.record(s); err != nil {
			return nil, err
		}
	}
	_, err = w.SaveLedger(l)
	return heard, err
}

type hearing struct {
	*ledger.Log

	recorder *reasoning.Recorder
}

func (h hearing) record(s Saying) (report.Heard, error) {
	d := s.Draft
	if first, there := h.saidBefore(d); there {
		return report.Heard{
			Reason: string(reasoning.Duplicate), Candidates: []report.Event{h.event(first.ID)},
			Detail: "it was recorded before the edit; write additions in another comment",
		}, nil
	}
	e, err := h.recorder.Record(d, d.Actor, s.At)
	var dropped *reasoning.DropError
	switch {
	case errors.As(err, &dropped) && dropped.Reason != reasoning.Duplicate:
		return h.dropped(dropped), nil
	case err != nil && dropped == nil:
		return report.Heard{}, fmt.Errorf("record the statement: %w", err)
	}
	told := h.event(e.ID)
	heard := report.Heard{Event: &told}
	touched := slices.Concat(e.Targets, e.Resolves)
	for _, id := range e.Resolves {
		if c, ok := h.Find(id); ok {
			touched = append(touched, c.Targets...)
		}
	}
	slices.SortFunc(touched, h.Compare)
	for _, id := range slices.Compact(touched) {
		if h.recorder.Graph().Status(id) != "" && len(heard.Touched) < mostAnswered {
			heard.Touched = append(heard.Touched, h.event(id))
		}
	}
	return heard, nil
}

// saidBefore finds an event of the same source with another text. The first one counts.
func (h hearing) saidBefore(d reasoning.Draft) (*ledger.Event, bool) {
	events := h.Events()
	i := slices.IndexFunc(events, func(e ledger.Event) bool { return d.Source != "" && e.Source == d.Source })
	if i < 0 || events[i].Type == d.Type && events[i].Text == strings.TrimSpace(d.Text) {
		return nil, false
	}
	return &events[i], true
}

func (h hearing) dropped(d *reasoning.DropError) report.Heard {
	heard := report.Heard{Reason: string(d.Reason), Detail: plain.Cut(d.Detail, longestSaid)}
	for _, c := range d.Candidates {
		heard.Candidates = append(heard.Candidates, h.event(c.ID))
	}
	return heard
}

func (h hearing) answer(s Saying) report.Heard {
	if s.Asks == AsksDecisions {
		return report.Heard{State: h.state(s.About)}
	}
	id, err := h.recorder.Find(s.About)
	var dropped *reasoning.DropError
	if errors.As(err, &dropped) {
		return h.dropped(dropped)
	}
	told := h.event(id)
	heard := report.Heard{Event: &told}
	trail := h.recorder.Graph().Trail(id)
	e, _ := h.Find(id)
	for next := e.Cause; next != "" && len(trail) < mostTrail && !slices.Contains(trail, next); { // causes of recorded events
		trail = append(trail, next)
		cause, ok := h.Find(next)
		if !ok {
			break
		}
		next = cause.Cause
	}
	trail = slices.DeleteFunc(trail, func(id ledger.ID) bool { _, ok := h.Find(id); return !ok })
	slices.SortFunc(trail, h.Compare)
	for _, id := range trail[:min(len(trail), mostTrail)] {
		heard.Trail = append(heard.Trail, h.event(id))
	}
	return heard
}

// state returns the current decisions, all or those about a text.
func (h hearing) state(about string) *report.State {
	out := &report.State{AsOf: reasoning.AsOf(h.Log)}
	var only map[ledger.ID]float64
	if about != "" {
		only = h.recorder.Near(about)
	}
	s := h.recorder.Graph().State(only)
	into := map[reasoning.Standing]*[]report.Event{
		reasoning.Settled: &out.Settled, reasoning.Contested: &out.Contested, reasoning.Unchallenged: &out.Unchallenged,
	}
	tell := func(list *[]report.Event, i reasoning.Item) {
		if len(*list) == mostAnswered {
			out.Left++
			return
		}
		*list = append(*list, h.event(i.Event.ID))
	}
	for _, i := range s.Current {
		tell(into[i.Standing], i)
	}
	for _, i := range s.Pending() {
		tell(&out.Open, i)
	}
	if about != "" {
		for _, i := range s.Past {
			tell(&out.Past, i)
		}
	}
	return out
}

func (h hearing) event(id ledger.ID) report.Event {
	e, ok := h.Find(id)
	if !ok {
		return report.Event{ID: string(id)}
	}
	g := h.recorder.Graph()
	out := report.Event{
		ID: string(id), Type: string(e.Type), Text: plain.Cut(e.Text, longestSaid), Status: string(g.Status(id)),
		Actor: plain.Cut(e.Actor, longestSaid), At: plain.Cut(e.At, longestSaid),
	}
	if e.Type.Position() {
		out.Standing = string(g.Standing(id))
	}
	return out
}
