package report

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/prompt"
)

// Model is a run's use of a language model.
type Model struct {
	Provider  string         `json:"provider"`
	Name      string         `json:"name"`
	Requests  int            `json:"requests"` // including retries
	Cached    int            `json:"cached"`   // answers from the cache
	TokensIn  int            `json:"tokens_in"`
	TokensOut int            `json:"tokens_out"`
	Dropped   []ModelDropped `json:"dropped"`
	Failed    []ModelFailed  `json:"failed"`
}

// ModelDropped is a part of an answer that is not used.
type ModelDropped struct {
	Unit   string        `json:"unit"`
	Text   string        `json:"text"`
	Reason prompt.Reason `json:"reason"`
}

// Why describes the reason.
func (d ModelDropped) Why() string { return why[d.Reason] }

// ModelFailed is a unit without a usable answer.
type ModelFailed struct {
	Unit   string        `json:"unit"`
	Reason prompt.Reason `json:"reason"`
}

// mostListed bounds the dropped texts and failed units in the text.
const mostListed = 5

// Text formats the report for a terminal; empty if the model was not used.
func (m *Model) Text() string {
	if m == nil || m.Requests+m.Cached+len(m.Dropped)+len(m.Failed) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "model %s: requests: %d, kept answers: %d, tokens: %d in, %d out\n", m.Name, m.Requests, m.Cached, m.TokensIn, m.TokensOut)
	if n := len(m.Dropped); n > 0 {
		fmt.Fprintf(&b, "dropped: %d\n", n)
		for _, d := range m.Dropped[:min(n, mostListed)] {
			fmt.Fprintf(&b, "  %s: %s: %q\n", d.Unit, d.Why(), d.Text)
		}
		more(&b, n)
	}
	if n := len(m.Failed); n > 0 {
		fmt.Fprintf(&b, "without an answer: %d\n", n)
		for _, f := range m.Failed[:min(n, mostListed)] {
			fmt.Fprintf(&b, "  %s: %s\n", f.Unit, why[f.Reason])
		}
		more(&b, n)
	}
	return b.String()
}

func more(b *strings.Builder, n int) {
	if n > mostListed {
		fmt.Fprintf(b, "  … and %d more\n", n-mostListed)
	}
}

// why describes the reasons.
var why = map[prompt.Reason]string{
	prompt.NoSuchPlace: "cites a place that the model was not shown", prompt.NotCited: "cites nothing",
	prompt.NameNotFound: "names code that does not occur in the cited lines", prompt.NotTheForm: "does not have the requested form",
	prompt.Budget: "the token budget of the run is used up", prompt.Offline: "offline", prompt.Refused: "refused", prompt.Unavailable: "the model is not available",
}
