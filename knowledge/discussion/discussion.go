// Package discussion finds proposals, objections and decisions in a discussion with a language model. The model only
// points at statements: each event quotes the discussion, with its line, and an invented quotation is refused. The
// results are drafts until the user records them.
package discussion

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// Limits of a discussion, and so of the requests to the model.
const (
	MostText   = 512 << 10 // bytes of a discussion
	mostPart   = 12 << 10  // bytes of it in one request
	mostFound  = 50        // statements in one answer
	leastWords = 3         // of a statement
)

// Refusal is a refused statement with the reason.
type Refusal struct{ Quote, Why string }

// Found is the result of reading a discussion.
type Found struct {
	Drafts   []reasoning.Draft // in the order of the discussion
	Refusals []Refusal
}

// kind is a type of event with its description for the model.
type kind struct {
	of    ledger.Type
	means string
}

// kinds are the possible types. Only the user can confirm a statement.
var kinds = []kind{
	{ledger.Proposition, "proposes how something should be, or says what was decided"},
	{ledger.Contradiction, "contradicts an earlier statement"},
	{ledger.Refinement, "changes an earlier statement, or answers an objection to it"},
	{ledger.Synthesis, "draws a conclusion from two or more earlier statements"},
	{ledger.Park, "puts an earlier statement off until later"},
	{ledger.Withdraw, "withdraws an earlier statement of the same person"},
}

// Read finds the statements in a discussion; name is its file name. The error is the model's, or says that the text
// cannot be read.
func Read(ctx context.Context, model prompt.Model, name, text string) (Found, error) {
	switch {
	case len(text) > MostText:
		return Found{}, fmt.Errorf("%s has %d bytes, and %d are the most: give it in parts", name, len(text), MostText)
	case !utf8.ValidString(text):
		return Found{}, fmt.Errorf("%s is no UTF-8 text", name)
	}
	d := parse(text)
	var pointed []pointer
	var refused []Refusal
	for _, part := range d.parts() {
		list, err := ask(ctx, model, name, part)
		if err != nil && prompt.ReasonOf(err) != prompt.NotTheForm {
			return Found{}, fmt.Errorf("read lines %d to %d of %s: %w", part.first, part.last, name, err)
		}
		if err != nil {
			refused = append(refused, Refusal{fmt.Sprintf("lines %d to %d", part.first, part.last), err.Error()})
		}
		for _, p := range list {
			if why := d.place(&p, part); why != "" {
				refused = append(refused, Refusal{clip(p.Quote), why})
				continue
			}
			pointed = append(pointed, p)
		}
	}
	slices.SortStableFunc(pointed, func(a, b pointer) int { return cmp.Compare(a.from, b.from) })
	placed := d.drafts(name, apart(pointed))
	return Found{placed.Drafts, append(refused, placed.Refusals...)}, nil
}

// apart omits statements that overlap with the one before.
func apart(pointed []pointer) (out []pointer) {
	end := 0
	for _, p := range pointed {
		if p.from >= end {
			out, end = append(out, p), p.to
		}
	}
	return out
}

// clip truncates a text for a message.
func clip(words string) string {
	const most = 100
	words = strings.Join(strings.Fields(words), " ")
	if len(words) <= most {
		return words
	}
	return strings.ToValidUTF8(words[:most], "") + "…"
}

var schema = json.RawMessage(`{
	"title": "causal.statements/v1", "type": "object", "additionalProperties": false, "required": ["statements"],
	"properties": {"statements": {"type": "array", "items": {
		"type": "object", "additionalProperties": false, "required": ["type", "quote", "about"],
		"properties": {"type": {"type": "string"}, "quote": {"type": "string"}, "about": {"type": "array", "items": {"type": "string"}}}
	}}}
}`)

var instructions = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("You read a part of a discussion between people who build software. Find the statements in it that say how the software should be built or run, and the arguments for and against them. Leave out small talk, questions, plans of who does what, and facts that decide nothing.\n" +
		"quote: the sentence, copied exactly from the discussion. about: the earlier statements that it refers to, each copied exactly; an empty list for a proposition.\n" +
		"type: one of these.\n")
	for _, k := range kinds {
		fmt.Fprintf(&b, "- %s: it %s\n", k.of, k.means)
	}
	b.WriteString("Without such a statement the list is empty. " + prompt.DataRule)
	return b.String()
})

// ask requests the statements in a part of the discussion.
func ask(ctx context.Context, model prompt.Model, name string, p part) ([]pointer, error) {
	said, err := model.Complete(ctx, prompt.Request{
		Use: prompt.Memory, Unit: fmt.Sprintf("discussion/%s:%d-%d", name, p.first, p.last), Schema: schema, System: instructions(),
		Turns: []prompt.Turn{{Role: prompt.User, Text: prompt.Data("discussion", p.text)}},
	})
	if err != nil {
		return nil, err
	}
	var answer struct{ Statements []pointer }
	if err := json.Unmarshal(said.Answer, &answer); err != nil {
		return nil, &prompt.FailedError{Reason: prompt.NotTheForm, Err: err}
	}
	if n := len(answer.Statements); n > mostFound {
		return answer.Statements[:mostFound], &prompt.FailedError{Reason: prompt.NotTheForm, Err: fmt.Errorf("the answer has %d statements, and %d are looked at", n, mostFound)}
	}
	return answer.Statements, nil
}

// span is a range of the words of a discussion.
type span struct{ from, to int }

// pointer is a statement that a model points at.
type pointer struct {
	Type  ledger.Type `json:"type"`
	Quote string      `json:"quote"`
	About []string    `json:"about"`

	span
	about []span // places of About
}
