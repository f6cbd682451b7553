package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/prompt"
)

// Relayed is the outcome of a request made by another process, which has the key and the cache.
type Relayed struct {
	Answer    json.RawMessage `json:"answer,omitempty"`
	Calls     []prompt.Call   `json:"calls,omitempty"`
	TokensIn  int             `json:"tokens_in,omitempty"`
	TokensOut int             `json:"tokens_out,omitempty"`
	Cached    bool            `json:"cached,omitempty"`
	Reason    prompt.Reason   `json:"reason,omitempty"` // why there is no answer
	Error     string          `json:"error,omitempty"`
}

// mostRelayed bounds a request of another process, in bytes.
const mostRelayed = 4 << 20

// Relay makes a request for another process. A failure is in the result.
func (r *Run) Relay(ctx context.Context, q prompt.Request) Relayed {
	if r == nil {
		return Relayed{Reason: prompt.Unavailable, Error: errNone.Error()}
	}
	if n := size(q); n > mostRelayed {
		return Relayed{Reason: prompt.Refused, Error: fmt.Sprintf("a request of %d bytes, and at most %d are allowed", n, mostRelayed)}
	}
	before := r.Report()
	got, err := r.Complete(ctx, q)
	after := r.Report()
	out := Relayed{Answer: got.Answer, Calls: got.Calls, TokensIn: after.TokensIn - before.TokensIn, TokensOut: after.TokensOut - before.TokensOut, Cached: after.Requests == before.Requests}
	if err != nil {
		out.Reason, out.Error = prompt.ReasonOf(err), err.Error()
	}
	return out
}

// Through returns a Run whose requests another process makes through ask. The settings identify the model.
func Through(s Settings, ask func(context.Context, prompt.Request) (Relayed, error), o Options) *Run {
	return open(s, o, relay(ask))
}

type relay func(context.Context, prompt.Request) (Relayed, error)

func (ask relay) send(ctx context.Context, q prompt.Request, _ map[string]bool) (reply, error) {
	q.Turns = slices.Clone(q.Turns)
	q.Turns[0].Text = strings.TrimPrefix(q.Turns[0].Text, unitLine(q.Unit)) // the other process adds it again
	got, err := ask(ctx, q)
	if err != nil {
		return reply{}, &answerError{err: fmt.Errorf("hand over a request: %w", err)}
	}
	if got.Reason != "" {
		failed := &answerError{err: errors.New(got.Error), status: got.Reason}
		if got.Reason == prompt.Unavailable {
			failed.status = "" // no further request helps
		}
		return reply{}, failed
	}
	out := reply{text: string(got.Answer), calls: got.Calls, in: got.TokensIn, out: got.TokensOut, relayed: true, cached: got.Cached}
	if len(q.Tools) > 0 && got.Answer != nil {
		out.text, out.calls = "", []prompt.Call{{Name: prompt.AnswerTool, Arguments: got.Answer}}
	}
	return out, nil
}
