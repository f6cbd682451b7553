package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// Limits of the possible causes of an event (seed 004).
const (
	mostCauses = 5
	mostAlike  = 1000 // similar events to examine
	recent     = 24 * time.Hour
)

// Causes lists the most similar events of the last day as possible causes, except those with the same text.
func (m *Memory) Causes(ctx context.Context, text, now string) ([]*ledger.Event, error) {
	end, err := time.Parse(time.RFC3339, now)
	if err != nil {
		return nil, fmt.Errorf("what may have led to it: %w", err)
	}
	hits, err := m.index.Search(ctx, text, mostAlike)
	if err != nil {
		return nil, fmt.Errorf("what may have led to it: %w", err)
	}
	var out []*ledger.Event
	for _, h := range hits {
		e, ok := m.log.Find(ledger.ID(h.Key))
		if !ok || spaced(e.Text) == spaced(text) || len(out) == mostCauses {
			continue
		}
		if at, err := time.Parse(time.RFC3339, e.At); err == nil && !at.After(end) && end.Sub(at) <= recent {
			out = append(out, e)
		}
	}
	return out, nil
}

func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// longestAsked limits a text in the prompt, in bytes.
const longestAsked = 2000

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// longestVerdict limits a relationship to a sentence, in bytes.
const longestVerdict = 300

const (
	led       = "led"
	didNot    = "did_not_lead"
	uncertain = "cannot_tell"
)

var verdictSchema = json.RawMessage(fmt.Sprintf(`{
	"title": "causal.cause/v1", "type": "object", "additionalProperties": false, "required": ["verdict", "how"],
	"properties": {"verdict": {"enum": [%q, %q, %q]}, "how": {"type": "string"}}
}`, led, didNot, uncertain))

const judgeInstructions = `Two things happened in a software project. Judge whether the first led directly to the second.
verdict: "` + led + `" if it did, "` + didNot + `" if it did not, "` + uncertain + `" if you cannot tell.
how: if it did, one short sentence of plain text that says how; otherwise an empty text. ` + prompt.DataRule

// Judge asks a model whether one event led to another. how is empty if it did not. No verdict is an error.
func Judge(ctx context.Context, m prompt.Model, cause *ledger.Event, effect string) (how string, err error) {
	said, err := m.Complete(ctx, prompt.Request{
		Use: prompt.Memory, Unit: "event/" + cause.ID.Short(), Schema: verdictSchema, System: judgeInstructions,
		Turns: []prompt.Turn{{Role: prompt.User, Text: prompt.Data("first", cut(cause.Text, longestAsked)) + prompt.Data("then", cut(effect, longestAsked))}},
	})
	if err != nil {
		return "", err
	}
	var answer struct{ Verdict, How string }
	if err := json.Unmarshal(said.Answer, &answer); err != nil {
		return "", &prompt.FailedError{Reason: prompt.NotTheForm, Err: err}
	}
	switch answer.Verdict {
	case led:
		text, ok := grounding.Clean(answer.How)
		if !ok {
			return "", &prompt.FailedError{Reason: prompt.NotTheForm, Err: errors.New("the verdict does not say how in plain text")}
		}
		return cut(text, longestVerdict), nil
	case didNot, uncertain:
		return "", nil
	}
	return "", &prompt.FailedError{Reason: prompt.NotTheForm}
}
