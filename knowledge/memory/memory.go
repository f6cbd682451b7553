// Package memory recalls causal chains of events, from a root cause to an effect and its consequences.
package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// Memory answers questions from a log.
type Memory struct {
	log    *ledger.Log
	graph  *reasoning.Graph
	index  Index
	caused map[ledger.ID][]ledger.ID // by cause, in log order
}

// New returns the memory of a log. It adds events that the index lacks.
func New(ctx context.Context, log *ledger.Log, index Index) (*Memory, error) {
	m := &Memory{log: log, graph: reasoning.New(log), index: index, caused: map[ledger.ID][]ledger.ID{}}
	events := log.Events()
	texts := make([]Text, 0, len(events))
	for i := range events {
		e := &events[i]
		if e.Type.Tells() {
			texts = append(texts, Text{string(e.ID), e.Text})
		}
		if e.Cause != "" {
			m.caused[e.Cause] = append(m.caused[e.Cause], e.ID)
		}
	}
	if err := index.Add(ctx, texts...); err != nil {
		return nil, fmt.Errorf("remember the log: %w", err)
	}
	return m, nil
}

// Match is an event that matches the question, with its score.
type Match struct {
	Event *ledger.Event
	Score float64
}

// Context is the recalled context of an effect.
type Context struct {
	Matches      []Match
	Chain        []*ledger.Event // from the root cause to the effect
	Consequences []*ledger.Event // at most two steps from the effect
	Complete     bool            // the chain begins with an event without a cause
}

const (
	mostChain        = 1000 // length of a chain
	mostConsequences = 50
	steps            = 2 // to a consequence
)

// Recall returns the chain and consequences of the best match, or of the position that replaced it.
func (m *Memory) Recall(ctx context.Context, question string, top int) (Context, error) {
	c := Context{Complete: true}
	hits, err := m.index.Search(ctx, question, top)
	if err != nil {
		return c, fmt.Errorf("recall %q: %w", question, err)
	}
	for _, h := range hits {
		if e, ok := m.log.Find(ledger.ID(h.Key)); ok { // the index may contain events of other logs
			c.Matches = append(c.Matches, Match{e, h.Score})
		}
	}
	if len(c.Matches) == 0 {
		return c, nil
	}
	effect := m.graph.Present(c.Matches[0].Event.ID)
	c.Chain, c.Complete = m.chain(effect)
	c.Consequences = m.consequences(effect)
	return c, nil
}

func (m *Memory) chain(id ledger.ID) (chain []*ledger.Event, complete bool) {
	for !complete && len(chain) < mostChain {
		e, ok := m.log.Find(id)
		if !ok {
			break
		}
		chain = append(chain, e)
		id, complete = e.Cause, e.Cause == ""
	}
	slices.Reverse(chain)
	return chain, complete
}

func (m *Memory) consequences(id ledger.ID) (out []*ledger.Event) {
	near := []ledger.ID{id}
	for range steps {
		var next []ledger.ID
		for _, cause := range near {
			for _, effect := range m.caused[cause] {
				if len(out) == mostConsequences {
					return out
				}
				e, _ := m.log.Find(effect)
				out, next = append(out, e), append(next, effect)
			}
		}
		near = next
	}
	return out
}

// Nothing is the narrative of an empty context.
const Nothing = "No relevant context found in memory."

// Narrative formats the chain as a story (seed 004).
func (c Context) Narrative() string {
	if len(c.Chain) == 0 {
		return Nothing
	}
	var b strings.Builder
	if !c.Complete {
		b.WriteString("What led to this at first is not in the log. ")
	}
	for i, e := range c.Chain {
		text := strings.TrimSuffix(strings.Join(strings.Fields(e.Text), " "), ".")
		switch i {
		case 0:
			b.WriteString("Initially, " + text)
		case 1:
			b.WriteString(" This led to " + text)
		default:
			b.WriteString(" Which in turn caused " + text)
		}
		if i > 0 {
			b.WriteString(" (" + strings.TrimSuffix(strings.Join(strings.Fields(e.Relationship), " "), ".") + ")")
		}
		b.WriteByte('.')
	}
	return b.String()
}
