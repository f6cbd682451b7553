package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/state"
)

// The trace is bounded: the first run of a very large repository evaluates a hundred thousand units.
const (
	mostTraced = 5_000
	mostReads  = 20_000 // of all steps
)

func (l *loop) timed(ctx context.Context, v *verdict) (*drawn, error) {
	began := l.state.Now()
	d, err := l.draw(ctx, v)
	if d != nil {
		d.began, d.took = began, l.state.Now().Sub(began).Milliseconds()
	}
	return d, err
}

// spender is a Model that counts its usage.
type spender interface{ Spent() state.Usage }

// spent measures the model usage for a conclusion until the returned function is called.
func (l *loop) spent(d *drawn) func() {
	m, ok := l.config.Model.(spender)
	if !ok {
		return func() {}
	}
	before := m.Spent()
	return func() {
		now := m.Spent()
		d.used = state.Usage{LLMCalls: now.LLMCalls - before.LLMCalls, TokensIn: now.TokensIn - before.TokensIn, TokensOut: now.TokensOut - before.TokensOut}
	}
}

func (l *loop) trace(d *drawn) {
	if len(l.state.Trace.Steps) >= mostTraced {
		return
	}
	t := state.TraceStep{
		StepID: d.unit.String(), CapabilityID: made(d.conclusion.Generator), Status: state.Completed, StartedAt: d.began, LatencyMS: d.took,
		Reads: l.reads(d.conclusion.Evidence), Writes: []string{},
	}
	if d.changed() {
		t.Writes = append(t.Writes, ConclusionOf(d.unit).String())
	}
	l.state.Note(t, map[string]any{"conclusion": d.conclusion.Text, "digest": d.conclusion.Digest}, d.used)
}

func made(generator string) string {
	name, _, _ := strings.Cut(generator, " ")
	return name
}

func (l *loop) reads(evidence []fact.Observation) []string {
	out := []string{}
	for _, o := range evidence[:min(len(evidence), mostReads-l.traced)] {
		out = append(out, o.Fact.String())
	}
	l.traced += len(out)
	return slices.Clip(out)
}

// traceFailure adds the first unit of a chunk that has no conclusion because of an error.
func (l *loop) traceFailure(fell []*verdict, done []*drawn, err error) {
	for i, v := range fell {
		if done[i] == nil {
			l.state.Note(state.TraceStep{
				StepID: v.unit.String(), CapabilityID: v.unit.Kind, Status: state.Failed, Reads: l.reads(v.evidence), Writes: []string{},
				Targets: []string{ConclusionOf(v.unit).String()}, Error: err.Error(),
			}, nil, state.Usage{})
			return
		}
	}
}
