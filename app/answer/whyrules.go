package answer

import (
	"context"
	"fmt"

	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
	"github.com/causaldocs/causal/review/rules"
)

// explainPrinciple explains a principle.
func (p place) explainPrinciple(ctx context.Context, a *Why, _ *workspace.Knowledge, m workspace.Meant, x *engine.Explanation) error {
	a.Name, a.Generator, a.File, a.Page, a.Pages = m.Name, rules.Version, m.File, rules.Page(p.Layout), []string{rules.Page(p.Layout)}
	if x == nil || x.Conclusion == nil {
		return nil
	}
	of, _ := x.Conclusion.Body.(*rules.Principle)
	switch {
	case of == nil:
		return nil
	case of.Problem != "":
		a.Says, a.From = of.Problem, "edit or delete the file"
		return nil
	}
	a.Says, a.From, a.quoted, a.Doc = of.Rule, fmt.Sprintf("%s, found in %s", of.Status, summary.Count(len(of.Evidence), "merged change")), true, of.Why
	for _, one := range of.Evidence {
		a.Because = append(a.Because, because{What: record.Path(one.Key), Level: "record", How: inChange(one)})
	}
	return p.lastChange(ctx, a, []string{m.File})
}

// explainRules explains the page of principles.
func (p place) explainRules(_ context.Context, a *Why, e *workspace.Knowledge, m workspace.Meant, x *engine.Explanation) error {
	a.Generator, a.File, a.Page, a.Pages = rules.Version, m.File, rules.Page(p.Layout), []string{rules.Page(p.Layout)}
	a.Name, a.Says, a.From = "the page of principles", "each principle, its origin, and how it is checked", "from their files and the records of closed changes"
	if x == nil {
		return nil
	}
	for _, slug := range e.Principles() {
		a.Because = append(a.Because, because{What: principle.Path(slug), Level: "content", How: read})
	}
	return nil
}

// explainConclusion copies the state, condition and frame of a conclusion.
func (a *Why) explainConclusion(x *engine.Explanation) {
	a.Fresh, a.Stale = x.Fresh, x.Reasons
	if x.Conclusion != nil {
		a.Condition = x.Conclusion.Condition
		a.explainFrame(x)
	}
}

// inChange describes a finding in one change.
func inChange(e principle.Evidence) string {
	if e.FixedBy != "" {
		return fmt.Sprintf("%s on %s, fixed by %s", e.Finding, e.At, short(e.FixedBy))
	}
	return fmt.Sprintf("%s on %s", e.Finding, e.At)
}
