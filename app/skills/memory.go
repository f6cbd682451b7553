package skills

import (
	"fmt"
	"slices"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/review/record"
	"github.com/causaldocs/causal/review/rules"
)

const (
	mostEvents   = 20
	mostRecorded = 1000
)

func positions(name, about string) skill.Field {
	return rows(name, about, "id", "text", "status", "standing", "actor", "at", "source")
}

var memoryCapabilities = []capability{{
	skill.Spec{
		ID: "memory.query", About: "Finds recorded events by words, with what led to the best one.",
		Input: []skill.Field{req("query", skill.String, "What to find."), opt("most", skill.Integer, "Number of events, 20 by default.")},
		Output: []skill.Field{
			rows("events", "Events, the best first", "id", "type", "text", "actor", "at", "source"), opt("narrative", skill.String, "What led to the first event."),
		},
	}, (*session).recall,
}, {
	skill.Spec{
		ID: "decisions.current", About: "Lists the decisions that hold, and the objections without an answer.",
		Input: []skill.Field{opt("most", skill.Integer, "Number of decisions of each list, 1000 by default.")},
		Output: []skill.Field{
			positions("current", "Decisions that hold, the newest first"), positions("contested", "Those of them with an open objection"),
			positions("open", "Objections without an answer"),
		},
	}, (*session).decisions,
}, {
	skill.Spec{
		ID: "review.findings", About: "Lists the findings of changes that were closed, the newest change first.",
		Input:  []skill.Field{opt("rule", skill.String, "Only findings of this rule."), opt("most", skill.Integer, "Number of findings, 1000 by default.")},
		Output: []skill.Field{rows("findings", "Findings", "rule", "category", "severity", "path", "line", "message", "status", "change"), opt("count", skill.Integer, "Number of findings.")},
	}, (*session).recorded,
}}

func (s *session) log() (*ledger.Whole, error) {
	v, err := s.reader.Read(ledger.AllEvents)
	if err != nil {
		return nil, err
	}
	w, ok := v.(*ledger.Whole)
	if !ok {
		return nil, fmt.Errorf("the log is a %T", v)
	}
	return w, nil
}

func (s *session) recall(in map[string]any) (map[string]any, error) {
	log, err := s.log()
	if err != nil {
		return nil, err
	}
	m, err := memory.New(s.ctx, log.Log, memory.NewWords())
	if err != nil {
		return nil, err
	}
	c, err := m.Recall(s.ctx, text(in, "query"), limit(in, mostEvents))
	events := []any{}
	for _, x := range c.Matches {
		e := x.Event
		events = append(events, map[string]any{"id": string(e.ID), "type": string(e.Type), "text": e.Text, "actor": e.Actor, "at": e.At, "source": e.Source})
	}
	return map[string]any{"events": events, "narrative": c.Narrative()}, err
}

func (s *session) decisions(in map[string]any) (map[string]any, error) {
	log, err := s.log()
	if err != nil {
		return nil, err
	}
	state := reasoning.New(log.Log).State(nil)
	list := func(items []reasoning.Item) []any {
		out := []any{}
		for _, i := range items[:min(len(items), limit(in, mostRecorded))] {
			e := i.Event
			out = append(out, map[string]any{
				"id": string(e.ID), "text": e.Text, "status": string(i.Status), "standing": string(i.Standing), "actor": e.Actor, "at": e.At, "source": e.Source,
			})
		}
		return out
	}
	return map[string]any{"current": list(state.Current), "contested": list(state.Contested), "open": list(state.Open)}, nil
}

func (s *session) recorded(in map[string]any) (map[string]any, error) {
	records, err := rules.RecordsOf(s.reader)
	if err != nil {
		return nil, err
	}
	records = slices.Clone(records)
	slices.SortStableFunc(records, func(a, b *record.Record) int { return b.At.Compare(a.At) })
	rule, out := text(in, "rule"), []any{}
	for _, r := range records {
		for i := range r.Findings {
			f := &r.Findings[i]
			if rule != "" && f.Rule != rule || len(out) >= limit(in, mostRecorded) || s.guarded && !s.config.Shows(f.Path) {
				continue
			}
			out = append(out, map[string]any{
				"rule": f.Rule, "category": string(f.Category), "severity": string(f.Severity), "path": f.Path, "line": f.Line, "message": f.Message,
				"status": string(f.Status), "change": r.Key,
			})
		}
	}
	return map[string]any{"findings": out, "count": len(out)}, nil
}
