package sandbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/store"
)

// specsTime limits the update of specs. The rest of the time is for the docs, which are more important.
const specsTime = 20 * time.Second

// specs updates existing test specs without running them. Too many or invalid specs are reported and do not stop the
// docs update. A pull request reports only the effects that it caused.
func (a *analysis) specs(ctx context.Context) (workspace.SpecsTold, error) {
	inTime, stop := context.WithTimeout(ctx, specsTime)
	defer stop()
	told, err := a.workspace.TestsOrProblem(inTime, workspace.SpecsRun{})
	if err != nil && ctx.Err() == nil && errors.Is(inTime.Err(), context.DeadlineExceeded) {
		return workspace.SpecsTold{Problem: &report.Blocked{
			Page: store.Layout{}.SpecsDir(), Because: fmt.Sprintf("no spec was updated: that takes longer than %v", specsTime), Mend: "causal update, and commit the written files",
		}}, nil
	}
	if err != nil || told.Tests == nil {
		return told, err
	}
	if a.base.ID != "" {
		if err := a.workspace.Untold(ctx, a.base.ID, told.Tests); err != nil {
			return workspace.SpecsTold{}, err
		}
	}
	t := told.Tests
	t.Invalidated, t.BehaviourChanges = t.Invalidated[:min(len(t.Invalidated), mostTold)], t.BehaviourChanges[:min(len(t.BehaviourChanges), mostTold)]
	return told, nil
}
