package answer

import (
	"context"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/decisions"
)

// explainDecisions tells of the page of decisions.
func (p place) explainDecisions(ctx context.Context, a *Why, e *workspace.Knowledge, file string) error {
	a.Generator, a.File, a.Page, a.Pages = decisions.Version, file, file, []string{file}
	a.Name, a.Says, a.From = "the page of decisions", "what holds, what is contested and what was given up", "from the events of the log"
	a.Because = append(a.Because, because{What: store.Log, Level: "content", How: read})
	x, ok, err := e.DecisionsPage(ctx)
	if err != nil || !ok {
		return err
	}
	a.Fresh, a.Stale = x.Fresh, x.Reasons
	if x.Conclusion != nil {
		a.explainConclusion(x)
	}
	return nil
}
