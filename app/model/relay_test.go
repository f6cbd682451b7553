package model

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/prompt"
)

// replies is an adapter that gives a reply to each request.
type replies func(prompt.Request) (reply, error)

func (f replies) send(_ context.Context, q prompt.Request, _ map[string]bool) (reply, error) {
	return f(q)
}

// across is a Run whose requests go through JSON to a Run with an adapter, as between two processes.
func across(t *testing.T, f replies, parent, child Options) (*Run, *Run) {
	t.Helper()
	asked := open(Settings{Provider: OpenAI, Name: "m"}, parent, f)
	return Through(Settings{Provider: OpenAI, Name: "m"}, func(ctx context.Context, q prompt.Request) (Relayed, error) {
		var got Relayed
		pass(t, q, &q)
		pass(t, asked.Relay(ctx, q), &got)
		return got, nil
	}, child), asked
}

func pass(t *testing.T, from, to any) {
	t.Helper()
	data, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

var verdict = prompt.Request{
	Use: prompt.Review, Unit: "change/a..b", System: "Say yes or no.", Turns: []prompt.Turn{{Role: prompt.User, Text: "Well?"}},
	Schema: json.RawMessage(`{"title":"causal.verdict/v1","type":"object","additionalProperties":false,"required":["yes"],"properties":{"yes":{"type":"boolean"}}}`),
}

// TestRelay: an answer crosses with its cost; a stored one costs nothing.
func TestRelay(t *testing.T) {
	t.Parallel()
	sent := 0
	child, parent := across(t, func(q prompt.Request) (reply, error) {
		sent++
		if !strings.HasPrefix(q.Turns[0].Text, "unit: change/a..b\n") || strings.Contains(q.Turns[0].Text[1:], "unit:") {
			t.Errorf("the request is %q", q.Turns[0].Text)
		}
		return reply{text: `{"yes":true}`, in: 10, out: 2}, nil
	}, Options{Dir: t.TempDir()}, Options{})
	for range 2 {
		got, err := child.Complete(t.Context(), verdict)
		if err != nil || string(got.Answer) != `{"yes":true}` {
			t.Fatal(string(got.Answer), err)
		}
	}
	for name, r := range map[string]*Run{"child": child, "parent": parent} {
		if report := r.Report(); sent != 1 || report.Requests != 1 || report.Cached != 1 || report.TokensIn != 10 || report.TokensOut != 2 {
			t.Errorf("%d requests; the %s reports %+v", sent, name, report)
		}
	}
}

// TestRelayOfTools: calls of tools cross, and so does the answer that ends them.
func TestRelayOfTools(t *testing.T) {
	t.Parallel()
	q := verdict
	q.Tools = []prompt.Tool{{Name: "read", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)}}
	child, _ := across(t, func(q prompt.Request) (reply, error) {
		if len(q.Turns) == 1 {
			return reply{calls: []prompt.Call{{ID: "1", Name: "read", Arguments: json.RawMessage(`{"path":"a"}`)}}}, nil
		}
		return reply{calls: []prompt.Call{{ID: "2", Name: prompt.AnswerTool, Arguments: json.RawMessage(`{"yes":false}`)}}}, nil
	}, Options{}, Options{})
	got, err := child.Complete(t.Context(), q)
	if err != nil || len(got.Calls) != 1 || got.Calls[0].Name != "read" || string(got.Calls[0].Arguments) != `{"path":"a"}` {
		t.Fatalf("%+v, %v", got, err)
	}
	q.Turns = append(q.Turns, prompt.Turn{Role: prompt.Assistant, Calls: got.Calls}, prompt.Turn{Role: prompt.User, Results: []prompt.Result{{ID: "1", Text: "x"}}})
	if got, err = child.Complete(t.Context(), q); err != nil || string(got.Answer) != `{"yes":false}` {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestRelayFails: the reason of a failure crosses, and none of it is tried again by the child.
func TestRelayFails(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		f             replies
		parent, child Options
		text          string
		reason        prompt.Reason
		sent          int
	}{
		"wrong form":  {func(prompt.Request) (reply, error) { return reply{text: `{"no":1}`}, nil }, Options{}, Options{}, "", prompt.NotTheForm, 2},
		"refused":     {func(prompt.Request) (reply, error) { return reply{refused: true}, nil }, Options{}, Options{}, "", prompt.Refused, 1},
		"unavailable": {func(prompt.Request) (reply, error) { return reply{}, &answerError{err: errors.New("gone")} }, Options{}, Options{}, "", prompt.Unavailable, 1},
		"use":         {func(prompt.Request) (reply, error) { return reply{}, nil }, Options{}, Options{Use: []prompt.Use{prompt.Ask}}, "", prompt.Refused, 0},
		"too large":   {func(prompt.Request) (reply, error) { return reply{}, nil }, Options{}, Options{}, strings.Repeat("x", mostRelayed), prompt.Refused, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sent := 0
			child, _ := across(t, func(q prompt.Request) (reply, error) { sent++; return test.f(q) }, test.parent, test.child)
			q := verdict
			if test.text != "" {
				q.Turns = []prompt.Turn{{Role: prompt.User, Text: test.text}}
			}
			_, err := child.Complete(t.Context(), q)
			if prompt.ReasonOf(err) != test.reason || sent != test.sent || len(child.Report().Failed) != 1 {
				t.Errorf("%v after %d requests, want %s after %d; %+v", err, sent, test.reason, test.sent, child.Report())
			}
		})
	}
	if got := (*Run)(nil).Relay(t.Context(), verdict); got.Reason != prompt.Unavailable {
		t.Errorf("no model: %+v", got)
	}
}

// TestRelayKeepsTheBudget: the parent's budget applies, whatever the child's budget is.
func TestRelayKeepsTheBudget(t *testing.T) {
	t.Parallel()
	sent := 0
	child, _ := across(t, func(prompt.Request) (reply, error) {
		sent++
		return reply{text: `{"yes":true}`, in: 1000, out: 100}, nil
	}, Options{Tokens: 1200}, Options{Tokens: 1_000_000})
	for _, unit := range []string{"change/1", "change/2", "change/3"} {
		q := verdict
		q.Unit = unit
		_, err := child.Complete(t.Context(), q)
		if unit != "change/1" && prompt.ReasonOf(err) != prompt.Budget {
			t.Errorf("%s: %v", unit, err)
		}
	}
	if sent != 1 {
		t.Errorf("%d requests", sent)
	}
}
