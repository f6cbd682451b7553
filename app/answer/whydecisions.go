package answer

import (
	"context"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/decisions"
)

// explainDecisions explains a page rendered from the log.
func (p place) explainDecisions(_ context.Context, a *Why, _ *workspace.Knowledge, m workspace.Meant, _ *engine.Explanation) error {
	a.Generator, a.File, a.Page, a.Pages = decisions.Version, m.File, m.File, []string{m.File}
	a.Name, a.Says, a.From = "the "+string(m.Meaning), "current, contested and superseded positions", "from the events of the log"
	if m.Meaning == workspace.MeansLog {
		a.Says = "events and their causes"
	}
	a.Because = append(a.Because, because{What: store.Log, Level: "content", How: read})
	return nil
}
