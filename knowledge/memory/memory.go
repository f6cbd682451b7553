// Package memory recalls what led to what: events of the ledger that name their cause are told from the root cause to the effect, and on
// to what came of it.
package memory

import (
	"context"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// Memory answers questions from a log.
type Memory struct {
	log    *ledger.Log
	graph  *reasoning.Graph
	index  Index
	caused map[ledger.ID][]ledger.ID // by cause, in the order of the log
}

// New returns the memory of a log, which finds events by an index. What the log has and the index does not is added to that.
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

// Match is an event that fits the question, with the score that the index gave it.
type Match struct {
	Event *ledger.Event
	Score float64
}

// Context is what is recalled of an effect.
type Context struct {
	Matches      []Match
	Chain        []*ledger.Event // from the root cause to the effect
	Consequences []*ledger.Event // what came of it, at most two steps on
	Complete     bool            // the chain begins with an event that names no cause
}

// Limits of what is told.
const (
	mostChain        = 1000 // causes one behind the other
	mostConsequences = 50
	steps            = 2 // to a consequence
)

// Recall tells what led to the event that fits a question best, and what came of it. Where that is a position which gave way to another, it tells
// of the one that holds. Nothing is recalled where the index finds nothing.
func (m *Memory) Recall(ctx context.Context, question string, top int) (Context, error) {
	c := Context{Complete: true}
	hits, err := m.index.Search(ctx, question, top)
	if err != nil {
		return c, fmt.Errorf("recall %q: %w", question, err)
	}
	for _, h := range hits {
		if e, ok := m.log.Find(ledger.ID(h.Key)); ok { // an index may know more than this log
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

// chain goes from an event back to its root cause. It is not complete where a cause is not there, or there are too many.
func (m *Memory) chain(id ledger.ID) (chain []*ledger.Event, complete bool) {
	for len(chain) < mostChain {
		e, ok := m.log.Find(id)
		if !ok {
			return reversed(chain), false
		}
		chain = append(chain, e)
		if e.Cause == "" {
			return reversed(chain), true
		}
		id = e.Cause
	}
	return reversed(chain), false
}

func reversed(chain []*ledger.Event) []*ledger.Event {
	out := make([]*ledger.Event, 0, len(chain))
	for i := range chain {
		out = append(out, chain[len(chain)-1-i])
	}
	return out
}

// consequences are the events that one led to, the nearest first.
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

// Nothing is what is told where nothing is recalled.
const Nothing = "No relevant context found in memory."

// Narrative tells a chain as a story (seed 004): how it began, what that led to and how, and the effect.
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
