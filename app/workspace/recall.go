package workspace

import (
	"context"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
)

// Recall tells what led to the event of a log that fits a question best: by words, and where there is an embedder, by what its vectors say as well.
// Without an answer from that, it is told and words alone decide.
func (w *Workspace) Recall(ctx context.Context, log *ledger.Log, question string, top int, embedder Embedder, unanswered func(error)) (memory.Context, error) {
	words := memory.NewWords()
	if embedder != nil {
		c, err := recall(ctx, log, memory.Fused{words, memory.NewVectors(w.remembering(embedder))}, question, top)
		if err == nil || ctx.Err() != nil {
			return c, err
		}
		unanswered(err)
	}
	return recall(ctx, log, words, question, top)
}

func recall(ctx context.Context, log *ledger.Log, index memory.Index, question string, top int) (memory.Context, error) {
	m, err := memory.New(ctx, log, index)
	if err != nil {
		return memory.Context{}, err
	}
	return m.Recall(ctx, question, top)
}

// ExportEmbedder makes the vectors of an export: those of a model where there is one, remembered, and otherwise those that follow from the words.
func (w *Workspace) ExportEmbedder(embedder Embedder) memory.Embedder {
	if embedder == nil {
		return memory.Hashed{}
	}
	return w.remembering(embedder)
}
