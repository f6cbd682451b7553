package workspace

import (
	"context"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
)

// Recall returns the context of the event that best matches a question, by words and, with an embedder, by vectors. If
// the embedder fails, unanswered receives the error and words alone decide.
func (w *Workspace) Recall(ctx context.Context, log *ledger.Log, question string, top int, embedder Embedder, unanswered func(error)) (memory.Context, error) {
	return asking(ctx, w, log, embedder, unanswered, func(m *memory.Memory) (memory.Context, error) { return m.Recall(ctx, question, top) })
}

// Causes lists events that may have led to something that happens now. It searches like Recall.
func (w *Workspace) Causes(ctx context.Context, log *ledger.Log, text, now string, embedder Embedder, unanswered func(error)) ([]*ledger.Event, error) {
	return asking(ctx, w, log, embedder, unanswered, func(m *memory.Memory) ([]*ledger.Event, error) { return m.Causes(ctx, text, now) })
}

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

// ExportEmbedder returns the embedder for an export: a caching model embedder, or one that hashes words.
func (w *Workspace) ExportEmbedder(embedder Embedder) memory.Embedder {
	if embedder == nil {
		return memory.Hashed{}
	}
	return w.remembering(embedder)
}
