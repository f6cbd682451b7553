package testgen

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/testgen/spec"
)

// Model proposes tests of functions. Its cases are run like any other candidate, and its sentences are kept only if
// they quote the documentation.
type Model interface {
	prompt.Model
	Name() string
	Drop(unit string, list ...prompt.Dropped)
}

// Asked is the usable part of a model's answer.
type Asked struct {
	Cases   [][]spec.Typed // arguments to try
	Dropped []string       // rejected proposals with the reasons
}

// Limits of requests and answers.
const (
	mostShown    = 8 << 10 // bytes of documentation
	mostExamples = 12      // cases shown to the model
	mostAsked    = 8       // cases accepted from an answer
	mostReasons  = 3
	mostRead     = 16
	longestWords = 300 // bytes of a sentence
	fewestQuoted = 3   // words in a quotation; shorter ones match by chance
)

const instructions = `You propose unit tests for one function.
rationale: at most 3 sentences that say why the behaviour of the function matters to its callers. quote: the words of the documentation that the sentence rests on, verbatim. A sentence without such words is left out.
cases: at most 8 lists of arguments, each in the form of the cases that are shown: one object of type and literal for each parameter, the receiver first. Choose arguments that may take another way through the function than those. Give no results: the function is run to find them. ` + prompt.DataRule

var answerSchema = json.RawMessage(`{
	"title": "causal.tests/v1", "type": "object", "additionalProperties": false, "required": ["rationale", "cases"],
	"properties": {
		"rationale": {"type": "array", "items": {"type": "object", "additionalProperties": false, "required": ["text", "quote"], "properties": {"text": {"type": "string"}, "quote": {"type": "string"}}}},
		"cases": {"type": "array", "items": {"type": "array", "items": {"type": "object"}}}
	}
}`)

// Ask asks a model for cases and a rationale. The rationale is only used if the current one is generated.
func Ask(ctx context.Context, m Model, unit string, s *spec.Spec, t *Target) (*Asked, error) {
	cases, _ := t.Propose()
	doc := t.Doc
	doc = strings.ToValidUTF8(doc[:min(len(doc), mostShown)], "")
	said, err := m.Complete(ctx, request(unit, s, t, doc, cases))
	if err != nil {
		return nil, err
	}
	var answer struct {
		Rationale []struct{ Text, Quote string }
		Cases     [][]map[string]any
	}
	d := json.NewDecoder(bytes.NewReader(said.Answer))
	d.UseNumber() // keeps large integers exact
	if err := d.Decode(&answer); err != nil {
		return nil, &prompt.FailedError{Reason: prompt.NotTheForm, Err: err}
	}
	out := &Asked{}
	drop := func(text string, reason prompt.Reason, why string) {
		out.Dropped = append(out.Dropped, why)
		m.Drop(unit, prompt.Dropped{Text: text, Reason: reason})
	}
	if max(len(answer.Rationale), len(answer.Cases)) > mostRead {
		out.Dropped = append(out.Dropped, fmt.Sprintf("the answer has %d sentences and %d cases, of which %d each are looked at", len(answer.Rationale), len(answer.Cases), mostRead))
	}
	answer.Rationale, answer.Cases = answer.Rationale[:min(len(answer.Rationale), mostRead)], answer.Cases[:min(len(answer.Cases), mostRead)]
	var reasons []string
	for _, r := range answer.Rationale {
		text, plain := grounding.Clean(r.Text)
		switch {
		case !grounding.Quotes(doc, r.Quote, fewestQuoted):
			drop(r.Text, prompt.NotCited, fmt.Sprintf("%q quotes no words of the documentation", Clip(r.Text, longestWords)))
		case !plain || len(text) > longestWords || len(reasons) == mostReasons:
			drop(r.Text, prompt.NotTheForm, fmt.Sprintf("%q is no short sentence of plain text, or one too many", Clip(r.Text, longestWords)))
		default:
			reasons = append(reasons, text)
		}
	}
	for _, args := range answer.Cases {
		c, err := caseOf(args)
		if err == nil {
			err = t.Fits(c)
		}
		if err == nil && len(out.Cases) == mostAsked {
			err = fmt.Errorf("it is one of more than %d", mostAsked)
		}
		if err != nil {
			drop(fmt.Sprint(args), prompt.NotTheForm, fmt.Sprintf("a case is left out: %s", Clip(err.Error(), longestWords)))
			continue
		}
		out.Cases = append(out.Cases, c.Args)
	}
	if len(reasons) > 0 && s.Rationale == t.Rationale {
		s.Rationale = strings.Join(reasons, " ")
		s.Sign(s.Rationale)
		s.Provenance.LLM = m.Name()
	}
	return out, nil
}

func request(unit string, s *spec.Spec, t *Target, doc string, cases []spec.Case) prompt.Request {
	var shown []string
	for i := range cases[:min(len(cases), mostExamples)] {
		if len(cases[i].Args) > 0 {
			shown = append(shown, spec.ArgsYAML(&cases[i]))
		}
	}
	return prompt.Request{
		Use: prompt.Testgen, Unit: unit, Schema: answerSchema, System: instructions,
		Turns: []prompt.Turn{{Role: prompt.User, Text: prompt.Data("signature", t.Signature) + prompt.Data("documentation", doc) +
			prompt.Data("rationale so far", s.Rationale) + prompt.Data("cases", strings.Join(shown, "\n"))}},
	}
}

// caseOf decodes arguments like those of a spec file, with the same restrictions.
func caseOf(args []map[string]any) (*spec.Case, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(args); err != nil {
		return nil, err
	}
	return spec.DecodeCase(`{id: c-0, law: golden, why: "", args: ` + strings.TrimSpace(text.String()) + "}")
}
