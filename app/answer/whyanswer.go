package answer

import (
	"context"
	"strings"

	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/answers"
)

// explainAnswer explains a kept answer, or the page of kept answers.
func (p place) explainAnswer(_ context.Context, a *Why, _ *workspace.Knowledge, m workspace.Meant, x *engine.Explanation) error {
	page := answers.Page(p.Layout)
	a.Generator, a.File, a.Page, a.Pages = answers.Version, m.File, page, []string{page}
	a.Name, a.Says, a.From = "the "+string(m.Meaning), "the kept answers of a model, and whether they hold", "from their files"
	if x == nil {
		return nil
	}
	if m.Meaning == workspace.MeansAnswers {
		a.Because = append(a.Because, because{What: store.Answers, Level: "content", How: read})
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
