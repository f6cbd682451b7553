package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/redact"
)

// form is the required form of an answer.
type form struct {
	schema json.RawMessage
	answer *jsonschema.Resolved
	tools  map[string]*jsonschema.Resolved
	key    []byte // the API key in JSON form, which an answer must not contain
}

// shortestKey is the shortest key searched for in answers, in bytes. Local servers have keys such as "none".
const shortestKey = 16

func formOf(q prompt.Request, key string) (*form, error) {
	answer, err := resolved(q.Schema)
	if err != nil {
		return nil, fmt.Errorf("the schema of the answer: %w", err)
	}
	f := &form{schema: q.Schema, answer: answer, tools: map[string]*jsonschema.Resolved{}}
	if len(key) >= shortestKey {
		quoted, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		f.key = quoted[1 : len(quoted)-1]
	}
	for _, t := range q.Tools {
		if f.tools[t.Name], err = resolved(t.Schema); err != nil {
			return nil, fmt.Errorf("the schema of the tool %s: %w", t.Name, err)
		}
	}
	return f, nil
}

func resolved(raw json.RawMessage) (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}

// read returns the answer or the tool calls of a reply; wrong says why there is neither. A call of the answer tool ends
// a conversation, regardless of other calls.
func (f *form) read(said reply) (answer prompt.Response, wrong error) {
	calls := said.calls
	if i := slices.IndexFunc(calls, func(c prompt.Call) bool { return c.Name == prompt.AnswerTool }); i >= 0 {
		answer.Answer, wrong = f.object(calls[i].Arguments, f.answer)
		return answer, wrong
	}
	if len(calls) == 0 {
		text, err := unwrap(said.text)
		if err == nil {
			answer.Answer, err = f.object([]byte(text), f.answer)
		}
		if err != nil && said.cut {
			err = errors.New("the answer is longer than the limit: answer more briefly")
		}
		return answer, err
	}
	for _, c := range calls {
		schema, known := f.tools[c.Name]
		if !known {
			return prompt.Response{}, fmt.Errorf("there is no tool %q", plain.Line(c.Name, longestWords))
		}
		arguments, err := f.object(c.Arguments, schema)
		if err != nil {
			return prompt.Response{}, fmt.Errorf("the arguments of %s: %w", c.Name, err)
		}
		answer.Calls = append(answer.Calls, prompt.Call{ID: c.ID, Name: c.Name, Arguments: arguments})
	}
	return answer, nil
}

// object validates JSON against a schema.
func (f *form) object(raw []byte, schema *jsonschema.Resolved) (json.RawMessage, error) {
	raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	if err := schema.Validate(value); err != nil {
		return nil, err
	}
	if f.key != nil {
		if text, err := json.Marshal(value); err != nil || bytes.Contains(text, f.key) {
			return nil, errors.New("it contains the key of the model")
		}
	}
	var out bytes.Buffer
	if err := json.Compact(&out, raw); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (f *form) holds(r prompt.Response) bool {
	_, wrong := f.read(reply{text: string(r.Answer), calls: r.Calls})
	return wrong == nil
}

// sendBack returns the turns that ask for a correction of a wrong answer.
func (f *form) sendBack(said reply, wrong error) []prompt.Turn {
	text := "This is not the requested form: " + plain.Line(redact.Text(wrong.Error()), longestWords) + ". " + formRule(f.schema)
	if len(said.calls) == 0 {
		was := plain.Cut(redact.Text(said.text), longestEcho)
		if strings.TrimSpace(was) == "" {
			was = "(no answer)"
		}
		return []prompt.Turn{{Role: prompt.Assistant, Text: was}, {Role: prompt.User, Text: text}}
	}
	back := prompt.Turn{Role: prompt.User}
	calls := slices.Clone(said.calls)
	for i, c := range calls {
		if !isObject(c.Arguments) {
			calls[i].Arguments = json.RawMessage(`{}`)
		}
		back.Results = append(back.Results, prompt.Result{ID: c.ID, Text: text})
	}
	return []prompt.Turn{{Role: prompt.Assistant, Text: plain.Cut(said.text, longestEcho), Calls: calls}, back}
}

const longestEcho = 16 << 10

func isObject(raw json.RawMessage) bool {
	var object map[string]any
	return len(raw) <= longestEcho && json.Unmarshal(raw, &object) == nil && object != nil
}

func formRule(schema json.RawMessage) string {
	return "Answer with one JSON object of this JSON Schema and no other text: " + string(schema)
}

// unwrap removes the reasoning and the code fence around JSON.
func unwrap(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") {
		for _, end := range []string{"</think>", "</thinking>"} {
			if i := strings.LastIndex(text, end); i >= 0 {
				text = strings.TrimSpace(text[i+len(end):])
			}
		}
	}
	if inner, ok := strings.CutPrefix(text, "```"); ok {
		if inner, ok = strings.CutSuffix(inner, "```"); ok {
			text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(inner), "json"))
		}
	}
	if !strings.HasPrefix(text, "{") {
		return "", errors.New("it is text instead of a JSON object")
	}
	return text, nil
}

func schemaTitle(schema json.RawMessage) string {
	var s struct{ Title string }
	_ = json.Unmarshal(schema, &s) // formOf has validated it
	return s.Title
}

// schemaName is the title in the characters that OpenAI's API allows.
func schemaName(schema json.RawMessage) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, schemaTitle(schema))
}

func allTools(q prompt.Request) []prompt.Tool {
	return append(slices.Clip(q.Tools), prompt.Tool{
		Name: prompt.AnswerTool, Description: "Give the final answer.", Schema: q.Schema,
	})
}

// outgoing prepends the unit to the first user message, and redacts secrets.
func outgoing(q prompt.Request) prompt.Request {
	q.System = redact.Text(q.System)
	turns := slices.Clone(q.Turns)
	if len(turns) == 0 || turns[0].Role != prompt.User {
		turns = append([]prompt.Turn{{Role: prompt.User}}, turns...)
	}
	turns[0].Text = unitLine(q.Unit) + turns[0].Text
	for i := range turns {
		t := &turns[i]
		t.Text = redact.Text(t.Text)
		t.Calls, t.Results = slices.Clone(t.Calls), slices.Clone(t.Results)
		for j := range t.Calls {
			if clean := redact.Text(string(t.Calls[j].Arguments)); json.Valid([]byte(clean)) {
				t.Calls[j].Arguments = json.RawMessage(clean)
			} else {
				t.Calls[j].Arguments = json.RawMessage(`{}`)
			}
		}
		for j := range t.Results {
			t.Results[j].Text = redact.Text(t.Results[j].Text)
		}
	}
	q.Turns = turns
	return q
}

func unitLine(unit string) string { return "unit: " + plain.Line(unit, longestWords) + "\n" }

// calledIn parses a tool call written as JSON in a text.
func calledIn(text string) (prompt.Call, bool) {
	inner, err := unwrap(text)
	if err != nil {
		return prompt.Call{}, false
	}
	var c struct {
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal([]byte(inner), &c) != nil || c.Tool == "" || c.Arguments == nil {
		return prompt.Call{}, false
	}
	return prompt.Call{ID: "call", Name: c.Tool, Arguments: c.Arguments}, true
}
