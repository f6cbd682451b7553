package testgen

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/testgen/spec"
)

// Model answers questions about functions. What it says is never taken for true: its cases are run like any other candidate, and of
// its sentences those are kept that point to words which stand in the documentation.
type Model interface {
	Name() string
	Answer(ctx context.Context, question string) (string, error)
}

// Asked is what came of a question.
type Asked struct {
	Cases   [][]spec.Typed // arguments that are worth a try
	Dropped []string       // what was proposed besides, each with the reason why it is left out
}

// The bounds of what is asked and taken.
const (
	mostShown    = 8 << 10 // bytes of documentation
	mostExamples = 12      // cases that a model sees
	mostAsked    = 8       // cases that are taken of an answer
	mostReasons  = 3       // sentences of a rationale
	mostRead     = 16      // sentences, and cases, that are looked at
	longestWords = 300     // bytes of a sentence
	fewestQuoted = 3       // words that a quotation has to have: fewer stand anywhere
)

const instructions = `You propose unit tests for one function. Answer with one JSON object and nothing else:
{"rationale": [{"text": "...", "quote": "..."}], "cases": [[{"TYPE": LITERAL}]]}
rationale: at most 3 sentences that say why the behaviour of the function matters to its callers. quote: the words of the documentation below that the sentence rests on, verbatim. A sentence without such words is left out.
cases: at most 8 lists of arguments, each in the form of the cases below: one mapping of type to literal for each parameter, that of the receiver first. Choose what may go another way through the function than those below. Give no results: the function is run to find them.`

// Ask has a model propose cases for a function, and takes the reasons that it can show into the rationale, where people wrote none.
func Ask(ctx context.Context, m Model, s *spec.Spec, t Target) (*Asked, error) {
	rationale, cases, _ := t.Propose()
	shown := []string{}
	for i := range cases[:min(len(cases), mostExamples)] {
		if len(cases[i].Args) > 0 {
			shown = append(shown, spec.ArgsYAML(&cases[i]))
		}
	}
	doc := t.Doc()
	doc = strings.ToValidUTF8(doc[:min(len(doc), mostShown)], "")
	raw, err := m.Answer(ctx, fmt.Sprintf("%s\n\nsignature: %s\n\ndocumentation:\n%s\n\nwhy it was tested so far: %s\n\ncases:\n%s\n",
		instructions, t.Signature(), doc, s.Rationale, strings.Join(shown, "\n")))
	if err != nil {
		return nil, err
	}
	var answer struct {
		Rationale []struct{ Text, Quote string }
		Cases     [][]map[string]any
	}
	if err := decodeAnswer(raw, &answer); err != nil {
		return &Asked{Dropped: []string{"the model's answer does not match the JSON schema: " + err.Error()}}, nil
	}
	out := &Asked{}
	if max(len(answer.Rationale), len(answer.Cases)) > mostRead { // an answer may be long, and is read by a person
		out.Dropped = append(out.Dropped, fmt.Sprintf("the answer has %d sentences and %d cases, of which %d each are looked at", len(answer.Rationale), len(answer.Cases), mostRead))
	}
	answer.Rationale, answer.Cases = answer.Rationale[:min(len(answer.Rationale), mostRead)], answer.Cases[:min(len(answer.Cases), mostRead)]
	var reasons []string
	for _, r := range answer.Rationale {
		text := strings.Join(strings.Fields(r.Text), " ")
		switch {
		case !stands(r.Quote, doc):
			out.Dropped = append(out.Dropped, fmt.Sprintf("%q rests on no words of the documentation", clip(text)))
		case text == "" || len(text) > longestWords || len(reasons) == mostReasons:
			out.Dropped = append(out.Dropped, fmt.Sprintf("%q is no short sentence, or one too many", clip(text)))
		default:
			reasons = append(reasons, text)
		}
	}
	for _, args := range answer.Cases {
		c, err := caseOf(args)
		if err == nil {
			err = t.Fits(s, c)
		}
		if err == nil && len(out.Cases) == mostAsked {
			err = fmt.Errorf("it is one of more than %d", mostAsked)
		}
		if err != nil {
			out.Dropped = append(out.Dropped, fmt.Sprintf("a case is left out: %s", clip(err.Error())))
			continue
		}
		out.Cases = append(out.Cases, c.Args)
	}
	if len(reasons) > 0 && s.Rationale == rationale {
		s.Rationale = strings.Join(reasons, " ")
		s.Sign(s.Rationale)
	}
	if len(reasons)+len(out.Cases) > 0 {
		s.Provenance.LLM = m.Name()
	}
	return out, nil
}

// decodeAnswer reads the one object of an answer. Many models put a fence, or a sentence, around it.
func decodeAnswer(raw string, into any) error {
	from, to := strings.IndexByte(raw, '{'), strings.LastIndexByte(raw, '}')
	if from < 0 || to < from {
		return fmt.Errorf("there is no object in it")
	}
	d := json.NewDecoder(strings.NewReader(raw[from : to+1]))
	d.UseNumber() // a large integer stays one
	return d.Decode(into)
}

// caseOf reads arguments in the way of a spec, so that what no spec may hold is refused.
func caseOf(args []map[string]any) (*spec.Case, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(args); err != nil {
		return nil, err
	}
	return spec.DecodeCase(`{id: c-0, law: golden, why: "", args: ` + strings.TrimSpace(text.String()) + "}")
}

// stands reports whether a quotation stands in a text, however lines are broken.
func stands(quote, text string) bool {
	words := strings.Fields(quote)
	return len(words) >= fewestQuoted && strings.Contains(" "+strings.Join(strings.Fields(text), " ")+" ", " "+strings.Join(words, " ")+" ")
}

func clip(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), longestWords)], "")
}
