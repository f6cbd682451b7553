package answer

import (
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
)

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
