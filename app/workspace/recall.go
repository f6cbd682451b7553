package workspace

import (
	"context"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
)

// Recall tells what led to the event of a log that fits a question best.
func (w *Workspace) Recall(ctx context.Context, log *ledger.Log, question string, top int) (memory.Context, error) {
	m, err := memory.New(ctx, log, memory.NewWords())
	if err != nil {
		return memory.Context{}, err
	}
	return m.Recall(ctx, question, top)
}
