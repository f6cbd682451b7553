package sandbox

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// TestModelOfAChild: a child that asks too much gets no more answers, and one that may not ask breaks the protocol.
func TestModelOfAChild(t *testing.T) {
	t.Parallel()
	q := &prompt.Request{
		Use: prompt.Review, Unit: "change/a..b", Turns: []prompt.Turn{{Role: prompt.User, Text: "Well?"}}, Schema: json.RawMessage(`{"title":"causal.verdict/v1","type":"object"}`),
	}
	offline := func() *model.Run {
		return model.Open(model.Settings{Provider: model.OpenAI, Name: "m", Offline: true}, model.Options{})
	}
	for name, test := range map[string]struct {
		task   Task
		models int
		waited time.Duration
		want   prompt.Reason
	}{
		"asks":                          {want: prompt.Offline},
		"asks too often":                {models: mostModel, want: prompt.Budget},
		"waited long":                   {waited: mostAsking + time.Second, want: prompt.Offline},
		"waited too long":               {waited: mostWaiting + time.Second, want: prompt.Budget},
		"waited too long for an answer": {task: Task{Questions: []string{"Why?"}}, waited: mostAsking + time.Second, want: prompt.Budget},
	} {
		test.task.Model = offline()
		s := newServer(test.task, nil)
		s.models, s.waited = test.models, test.waited
		got, err := s.serve(t.Context(), ask{Call: callModel, Request: q})
		if err != nil || got.Relayed == nil || got.Relayed.Reason != test.want {
			t.Errorf("%s: %+v, %v", name, got.Relayed, err)
		}
	}
	for name, a := range map[string]ask{"no model": {Call: callModel, Request: q}, "no request": {Call: callModel}} {
		s := server{}
		if name == "no request" {
			s.model = offline()
		}
		if _, err := s.serve(t.Context(), a); !errors.Is(err, errMessage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
