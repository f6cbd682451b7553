package workspace

import (
	"context"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
)

// Recall tells what led to the event of a log that fits a question best: by words, and where there is an embedder, by what its vectors say as well.
// Without an answer from that, it is told and words alone decide.
func (w *Workspace) Recall(ctx context.Context, log *ledger.Log, question string, top int, embedder Embedder, unanswered func(error)) (memory.Context, error) {
	return asking(ctx, w, log, embedder, unanswered, func(m *memory.Memory) (memory.Context, error) { return m.Recall(ctx, question, top) })
}

// Causes are the events of a log that may have led to something which happens now. They are found as Recall finds events.
func (w *Workspace) Causes(ctx context.Context, log *ledger.Log, text, now string, embedder Embedder, unanswered func(error)) ([]*ledger.Event, error) {
	return asking(ctx, w, log, embedder, unanswered, func(m *memory.Memory) ([]*ledger.Event, error) { return m.Causes(ctx, text, now) })
}

// asking asks the memory of a log, and once more without the embedder where that does not answer.
func asking[T any](ctx context.Context, w *Workspace, log *ledger.Log, embedder Embedder, unanswered func(error), ask func(*memory.Memory) (T, error)) (T, error) {
	words := memory.NewWords()
	over := func(index memory.Index) (answer T, err error) {
		m, err := memory.New(ctx, log, index)
		if err != nil {
			return answer, err
		}
		return ask(m)
	}
	if embedder != nil {
		answer, err := over(memory.Fused{words, memory.NewVectors(w.remembering(embedder))})
		if err == nil || ctx.Err() != nil {
			return answer, err
		}
		unanswered(err)
	}
	return over(words)
}

// ExportEmbedder makes the vectors of an export: those of a model where there is one, remembered, and otherwise those that follow from the words.
func (w *Workspace) ExportEmbedder(embedder Embedder) memory.Embedder {
	if embedder == nil {
		return memory.Hashed{}
	}
	return w.remembering(embedder)
}
