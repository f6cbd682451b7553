package answer

import (
	"cmp"
	"errors"
	"math"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// Recorded is the result of recording drafts.
type Recorded struct {
	Recorded []RecordedEvent `json:"recorded"`
	Dropped  []Dropped       `json:"dropped"`
}

// RecordedEvent is a recorded event.
type RecordedEvent struct {
	ID      ledger.ID   `json:"id"`
	Type    ledger.Type `json:"type"`
	Lamport int64       `json:"lamport"`
	File    string      `json:"file"`
}

// Dropped is a draft that was not recorded, with the reason.
type Dropped struct {
	Line       int              `json:"line"`
	Type       ledger.Type      `json:"type"`
	Reason     reasoning.Reason `json:"reason"`
	Detail     string           `json:"detail"`
	Candidates []Candidate      `json:"candidates"`

	Source string `json:"-"`
}

// Candidate is a possible match for an ambiguous reference or a query.
type Candidate struct {
	ID    ledger.ID `json:"id"`
	Text  string    `json:"text"`
	Score float64   `json:"score"`
}

// Recording holds the author and time of new events. With Again, drafts that are recorded already are skipped
// silently.
type Recording struct {
	Actor, At string
	Again     bool
}

// Record adds drafts to the log of a locked workspace and writes the log. A dropped draft does not affect the others.
func (by Recording) Record(w *workspace.Workspace, log *workspace.Ledger, r *reasoning.Recorder, drafts []reasoning.Imported) (Recorded, error) {
	out := Recorded{Recorded: []RecordedEvent{}, Dropped: []Dropped{}}
	for i, d := range drafts {
		e, dropped, err := by.one(r, d)
		if err != nil {
			return out, err
		}
		switch {
		case dropped == nil:
			out.Recorded = append(out.Recorded, RecordedEvent{ID: e.ID, Type: e.Type, Lamport: e.Lamport})
		case dropped.Reason != reasoning.Duplicate || !by.Again:
			out.Dropped = append(out.Dropped, Dropped{cmp.Or(d.Line, i+1), d.Type, dropped.Reason, dropped.Detail, CandidatesOf(log, dropped.Candidates), d.Source})
		}
	}
	files, err := w.SaveLedger(log)
	for i := range out.Recorded {
		out.Recorded[i].File = files[out.Recorded[i].ID]
	}
	return out, err
}

// one adds a draft to the log, or returns the reason why not.
func (by Recording) one(r *reasoning.Recorder, d reasoning.Imported) (e ledger.Event, dropped *reasoning.DropError, err error) {
	err = d.Err
	if err == nil {
		e, err = r.Record(d.Draft, by.Actor, cmp.Or(d.At, by.At))
	} else if !errors.As(err, &dropped) { // the parser gave no reason
		return e, &reasoning.DropError{Reason: reasoning.InvalidPayload, Detail: err.Error()}, nil
	}
	if errors.As(err, &dropped) {
		err = nil
	}
	return e, dropped, err
}

func CandidatesOf(log *workspace.Ledger, list []reasoning.Candidate) []Candidate {
	out := make([]Candidate, 0, len(list))
	for _, c := range list {
		e, _ := log.Find(c.ID)
		out = append(out, Candidate{c.ID, e.Text, thousandths(c.Score)})
	}
	return out
}

func thousandths(score float64) float64 { return math.Round(score*1000) / 1000 }

// Text formats the result; where returns the place of a dropped draft.
func (a Recorded) Text(where func(Dropped) string) string {
	var b strings.Builder
	for _, e := range a.Recorded {
		plain.Add(&b, "recorded  %s  %s\n", e.ID.Short(), e.Type)
	}
	for _, d := range a.Dropped {
		plain.Add(&b, "dropped   %s%s (%s)\n", where(d), d.Detail, d.Reason)
		for _, c := range d.Candidates {
			plain.Add(&b, "          %s  %.2f  %s\n", c.ID.Short(), c.Score, Line(c.Text))
		}
	}
	return b.String()
}

// Recalled is the causal chain for a query, with its consequences.
type Recalled struct {
	Query        string      `json:"query"`
	Matches      []Candidate `json:"matches"`
	Chain        []Caused    `json:"chain"`
	Consequences []Caused    `json:"consequences"`
	Narrative    string      `json:"narrative"`
	Complete     bool        `json:"complete"`
	AsOf         Scope       `json:"as_of"`
	// Answers are the valid kept answers that share words with the query.
	Answers []Remembered `json:"answers,omitempty"`

	told string
}

// Remembered is a kept answer of a model.
type Remembered struct {
	Question   string   `json:"question"`
	Answer     string   `json:"answer"`
	Cites      []string `json:"cites"`
	Confidence float64  `json:"confidence"`
}

// Caused is an event with its cause.
type Caused struct {
	ID           ledger.ID `json:"id"`
	Text         string    `json:"text"`
	Cause        ledger.ID `json:"cause,omitempty"`
	Relationship string    `json:"relationship,omitempty"`
}

func RecalledOf(log *workspace.Ledger, question string, c memory.Context) *Recalled {
	out := &Recalled{question, []Candidate{}, causedOf(c.Chain), causedOf(c.Consequences), c.Narrative(), c.Complete, ScopeOf(log), nil, ScopeText(log)}
	for _, m := range c.Matches {
		out.Matches = append(out.Matches, Candidate{m.Event.ID, m.Event.Text, thousandths(m.Score)})
	}
	return out
}

func causedOf(events []*ledger.Event) []Caused {
	out := make([]Caused, 0, len(events))
	for _, e := range events {
		out = append(out, Caused{e.ID, e.Text, e.Cause, e.Relationship})
	}
	return out
}

func (a *Recalled) Text() string {
	var b strings.Builder
	if len(a.Answers) == 0 || len(a.Matches) > 0 {
		plain.Add(&b, "%s\n", a.Narrative)
	}
	for i, r := range a.Answers {
		if i == 0 {
			plain.Add(&b, "Answers that still hold:\n")
		}
		plain.Add(&b, "  %s\n    %s (%s)\n", r.Question, r.Answer, strings.Join(r.Cites, ", "))
	}
	for i, c := range a.Consequences {
		if i == 0 {
			plain.Add(&b, "Consequences:\n")
		}
		plain.Add(&b, "  %s  %s (%s)\n", c.ID.Short(), Line(c.Text), Line(c.Relationship))
	}
	plain.Add(&b, "%s\n", a.told)
	return b.String()
}
