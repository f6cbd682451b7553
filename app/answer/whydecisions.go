package answer

import (
	"context"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/decisions"
)

// explainDecisions explains a page rendered from the log.
func (p place) explainDecisions(ctx context.Context, a *Why, e *workspace.Knowledge, m workspace.Meant) error {
	a.Generator, a.File, a.Page, a.Pages = decisions.Version, m.File, m.File, []string{m.File}
	a.Name, a.Says, a.From = "the "+string(m.Meaning), "current, contested and superseded positions", "from the events of the log"
	if m.Meaning == workspace.MeansLog {
		a.Says = "events and their causes"
	}
	a.Because = append(a.Because, because{What: store.Log, Level: "content", How: read})
	x, ok, err := e.LogPage(ctx, m.File)
	if err != nil || !ok {
		return err
	}
	a.explainConclusion(x)
	return nil
}
