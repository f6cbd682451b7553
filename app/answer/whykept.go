package answer

import (
	"context"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/answers"
	"github.com/causaldocs/causal/render/decisions"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
	"github.com/causaldocs/causal/review/rules"
)

// keptPages are the pages of what is kept: the content and the origin of each, and the directory that it shows.
var keptPages = map[workspace.Meaning]struct{ generator, says, from, shows string }{
	workspace.MeansRules:     {rules.Version, "each principle, its origin, and how it is checked", "from their files and the records of closed changes", ""},
	workspace.MeansDecisions: {decisions.Version, "current, contested and superseded positions", "from the events of the log", store.Log},
	workspace.MeansLog:       {decisions.Version, "events and their causes", "from the events of the log", store.Log},
	workspace.MeansAnswers:   {answers.Version, "the kept answers of a model, and whether they hold", "from their files", store.Answers},
}

// explainKept explains a page of keptPages.
func (p place) explainKept(_ context.Context, a *Why, e *workspace.Knowledge, m workspace.Meant, x *engine.Explanation) error {
	page := keptPages[m.Meaning]
	a.Generator, a.File, a.Page, a.Pages = page.generator, m.File, m.File, []string{m.File}
	a.Name, a.Says, a.From = "the "+string(m.Meaning), page.says, page.from
	if x == nil {
		return nil
	}
	if page.shows != "" {
		a.Because = append(a.Because, because{What: page.shows, Level: "content", How: read})
		return nil
	}
	for _, slug := range e.Principles() {
		a.Because = append(a.Because, because{What: principle.Path(slug), Level: "content", How: read})
	}
	return nil
}

// explainAnswer explains a kept answer.
func (p place) explainAnswer(_ context.Context, a *Why, _ *workspace.Knowledge, m workspace.Meant, x *engine.Explanation) error {
	page := answers.Page(p.Layout)
	a.Generator, a.File, a.Page, a.Pages = answers.Version, m.File, page, []string{page}
	a.Name, a.Says, a.From = "the "+string(m.Meaning), keptPages[workspace.MeansAnswers].says, "from their files"
	if x == nil {
		return nil
	}
	kept, err := answers.Load(p.Files, m.Name)
	if err != nil || kept == nil {
		return err
	}
	var says []string
	for _, s := range kept.Sentences {
		says = append(says, s.Text)
	}
	a.Name, a.Says, a.From, a.quoted = kept.Question, strings.Join(says, " "), "answered by a model", true
	for _, o := range kept.Evidence {
		a.Because = append(a.Because, because{What: inspect.Describe(o.Fact), Level: "content", Hash: o.Digest, How: "shown"})
	}
	for _, cause := range kept.Invalid {
		a.Fresh, a.Stale = false, append(a.Stale, engine.Reason{Because: a.Condition, Detail: cause})
	}
	return nil
}

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

// explainSkill explains a page of a skill by its evidence.
func (p place) explainSkill(ctx context.Context, a *Why, e *workspace.Knowledge, m workspace.Meant, x *engine.Explanation) error {
	a.Name, a.File, a.Page, a.Pages = "the page of the skill "+m.Name, skill.Path(m.Name), m.File, []string{m.File}
	a.Generator, a.From, a.Says = skills.Version, "written by "+a.File, "a page of the skill "+m.Name
	set, err := e.Skills()
	if err != nil {
		return err
	}
	if s := set.Skills[m.Name]; s != nil {
		a.Says, a.quoted = s.Description, true
	}
	if x == nil {
		return nil
	}
	a.Because = append(a.Because, because{What: a.File, Level: "content", How: "skill"})
	if x.Conclusion == nil {
		return nil
	}
	seen := map[string]bool{a.File: true}
	for _, o := range x.Conclusion.Evidence {
		what, level := skills.Describe(o.Fact)
		if what == "" || seen[what] {
			continue
		}
		seen[what] = true
		a.Because = append(a.Because, because{What: what, Level: level, Hash: o.Digest, How: read})
	}
	return p.lastChange(ctx, a, []string{strings.TrimPrefix(m.File, "./")})
}
