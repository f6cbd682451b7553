package workspace

import (
	"context"
	"slices"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/render/decisions"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/rules"
)

// Principles lists the slugs of the principles, sorted.
func (k *Knowledge) Principles() []string { return k.engine.Subjects(rules.PrincipleKind) }

// Principle explains a principle and returns its content. It returns false if there is no such principle.
func (k *Knowledge) Principle(ctx context.Context, slug string) (*engine.Explanation, *rules.Principle, bool, error) {
	x, ok, err := k.engine.Explain(ctx, rules.Unit(slug))
	if err != nil || !ok || x.Conclusion == nil {
		return x, nil, ok, err
	}
	p, _ := x.Conclusion.Body.(*rules.Principle)
	return x, p, true, nil
}

// RulesPage explains the page of principles. It returns false if there is none.
func (k *Knowledge) RulesPage(ctx context.Context) (*engine.Explanation, bool, error) {
	return k.engine.Explain(ctx, rules.PageUnit)
}

// LogPage explains a page that is derived from the log. It returns false if the file is no such page.
func (k *Knowledge) LogPage(ctx context.Context, file string) (*engine.Explanation, bool, error) {
	kind, ok := decisions.KindOf(k.workspace.Layout, file)
	if !ok {
		return nil, false, nil
	}
	return k.engine.Explain(ctx, decisions.Unit(kind))
}

func (a *askable) atPrinciple(name string) (Meant, bool) {
	if name == rules.Page(a.layout) {
		return Meant{Meaning: MeansRules, File: name}, len(a.principles) > 0
	}
	slug, ok := principle.SlugOf(name)
	return Meant{Meaning: MeansPrinciple, Name: slug, File: name}, ok && slices.Contains(a.principles, slug)
}
