package main

import (
	"context"
	"fmt"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/memory"
)

// score is how many answers of one kind were not what holds.
type score struct{ stale, beside int }

func (s score) right() bool { return s == score{} }

// of says what part of the answers is out of date, and what part about something else, where there are such.
func (s score) of(questions int) string {
	percent := func(n int) string { return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(questions)) }
	text := percent(s.stale) + " stale"
	if s.beside > 0 {
		text += ", " + percent(s.beside) + " beside"
	}
	return text
}

// count takes one answer into account.
func (s *score) count(k *key, answer ledger.ID) {
	switch {
	case answer == k.last:
	case k.all[answer]:
		s.stale++
	default:
		s.beside++
	}
}

// tally is how each kind of answer fared.
type tally struct {
	questions                 int
	decisions, memory, search score
}

// ask asks about each position, in some words.
func (h *history) ask(ctx context.Context) (t tally, err error) {
	words := lexical.New()
	events := h.log.Events()
	for i := range events {
		if events[i].Type.Tells() {
			words.Add(string(events[i].ID), events[i].Text)
		}
	}
	recall, err := memory.New(ctx, h.log, memory.NewWords())
	if err != nil {
		return t, fmt.Errorf("read the log: %w", err)
	}
	for _, k := range h.keys {
		for _, question := range k.questions() {
			t.questions++
			t.decisions.count(k, h.decided(k, question))
			told, err := recall.Recall(ctx, question, 1)
			if err != nil {
				return t, fmt.Errorf("ask %q: %w", question, err)
			}
			t.memory.count(k, told.Chain[len(told.Chain)-1].ID)
			t.search.count(k, ledger.ID(words.Search(question, 1)[0].Key))
		}
	}
	return t, nil
}

// decided is what `causal decisions --about` names first as current, or whatever else of the position it names as current that does not
// hold.
func (h *history) decided(k *key, question string) ledger.ID {
	s := h.recorder.Graph().State(h.recorder.Near(question))
	for _, i := range s.Current {
		if k.all[i.Event.ID] && i.Event.ID != k.last {
			return i.Event.ID
		}
	}
	if len(s.Current) == 0 {
		return ""
	}
	return s.Current[0].Event.ID
}
