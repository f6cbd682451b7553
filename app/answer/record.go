package answer

import (
	"cmp"
	"errors"
	"math"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// Recorded is what became of drafts.
type Recorded struct {
	Recorded []RecordedEvent `json:"recorded"`
	Dropped  []Dropped       `json:"dropped"`
}

// RecordedEvent is an event that is in the log now.
type RecordedEvent struct {
	ID      ledger.ID   `json:"id"`
	Type    ledger.Type `json:"type"`
	Lamport int64       `json:"lamport"`
	File    string      `json:"file"`
}

// Dropped is a draft that was not recorded, and why.
type Dropped struct {
	Line       int              `json:"line"`
	Type       ledger.Type      `json:"type"`
	Reason     reasoning.Reason `json:"reason"`
	Detail     string           `json:"detail"`
	Candidates []Candidate      `json:"candidates"`

	Source string `json:"-"`
}

// Candidate is an event that may have been meant, or that has words of a question.
type Candidate struct {
	ID    ledger.ID `json:"id"`
	Text  string    `json:"text"`
	Score float64   `json:"score"`
}

// Recording is who records, and when. With Again, what is recorded already is passed over in silence.
type Recording struct {
	Actor, At string
	Again     bool
}

// Record adds drafts to the log of a workspace that is locked, and writes what was added. One that is dropped keeps no other from being
// recorded.
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

// one adds a draft to the log, or says why not.
func (by Recording) one(r *reasoning.Recorder, d reasoning.Imported) (e ledger.Event, dropped *reasoning.DropError, err error) {
	err = d.Err
	if err == nil {
		e, err = r.Record(d.Draft, by.Actor, cmp.Or(d.At, by.At))
	} else if !errors.As(err, &dropped) { // whoever made the draft may know a better reason
		return e, &reasoning.DropError{Reason: reasoning.InvalidPayload, Detail: err.Error()}, nil
	}
	if errors.As(err, &dropped) {
		err = nil
	}
	return e, dropped, err
}

// CandidatesOf are the events that may have been meant.
func CandidatesOf(log *workspace.Ledger, list []reasoning.Candidate) []Candidate {
	out := make([]Candidate, 0, len(list))
	for _, c := range list {
		e, _ := log.Find(c.ID)
		out = append(out, Candidate{c.ID, e.Text, thousandths(c.Score)})
	}
	return out
}

// thousandths is a score as it is shown.
func thousandths(score float64) float64 { return math.Round(score*1000) / 1000 }

// Text is the answer for people, who may be told where a draft stands that was dropped.
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
