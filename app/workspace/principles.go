package workspace

import (
	"context"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/render/answers"
	"github.com/causaldocs/causal/render/decisions"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/rules"
)

// Principles lists the slugs of the principles, sorted.
func (k *Knowledge) Principles() []string { return k.Engine.Subjects(rules.PrincipleKind) }

// Principle returns a principle; nil if there is none.
func (k *Knowledge) Principle(ctx context.Context, slug string) (*rules.Principle, error) {
	x, ok, err := k.About(ctx, Meant{Meaning: MeansPrinciple, Name: slug})
	if err != nil || !ok || x.Conclusion == nil {
		return nil, err
	}
	p, _ := x.Conclusion.Body.(*rules.Principle)
	return p, nil
}

// About explains a target that is about no module. It returns false if nothing is concluded about it.
func (k *Knowledge) About(ctx context.Context, m Meant) (*engine.Explanation, bool, error) {
	return k.Engine.Explain(ctx, k.workspace.unitOf(m))
}

func (w *Workspace) unitOf(m Meant) engine.Unit {
	switch m.Meaning {
	case MeansPrinciple:
		return rules.Unit(m.Name)
	case MeansRules:
		return rules.PageUnit
	case MeansAnswer:
		return engine.Unit{Kind: answers.Kind, Subject: m.Name}
	case MeansAnswers:
		return answers.PageUnit
	case MeansSkill:
		return engine.Unit{Kind: skills.Kind, Subject: m.Name + strings.TrimPrefix(m.File, w.Layout.Docs)}
	}
	kind, _ := decisions.KindOf(w.Layout, m.File)
	return decisions.Unit(kind)
}

func (a *askable) atPrinciple(name string) (Meant, bool) {
	if name == rules.Page(a.layout) {
		return Meant{Meaning: MeansRules, File: name}, len(a.principles) > 0
	}
	slug, ok := principle.SlugOf(name)
	return Meant{Meaning: MeansPrinciple, Name: slug, File: name}, ok && slices.Contains(a.principles, slug)
}
