package workspace

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/index"
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

// Embedder embeds texts. Key identifies its vectors.
type Embedder interface {
	memory.Embedder
	Key() string
}

// vectors is an Embedder with a cache beside the index. The cache is of one model: vectors of two models cannot be
// compared.
type vectors struct {
	Embedder
	dir string
}

const (
	vectorsDir    = "embeddings"
	vectorsBucket = index.Bucket("vectors")
	// keptAtOnce is the batch size: each batch is written when it arrives, so an aborted run loses little of what was
	// paid for.
	keptAtOnce = 512
)

func (w *Workspace) remembering(e Embedder) *vectors {
	return &vectors{e, filepath.Join(w.local, vectorsDir)}
}

func (v *vectors) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	known := v.read(texts)
	size := 0
	var missing []string
	for _, text := range texts {
		if vector, there := known[text]; vector != nil {
			size = len(vector)
		} else if !there {
			known[text] = nil
			missing = append(missing, text)
		}
	}
	for some := range slices.Chunk(missing, keptAtOnce) {
		made, err := v.Embedder.Embed(ctx, some)
		if err != nil {
			return nil, err
		}
		if size != 0 && len(made[0]) != size { // another model has the same name now
			if err := os.RemoveAll(v.dir); err != nil {
				return nil, err
			}
			return v.Embed(ctx, texts)
		}
		for i, text := range some {
			known[text] = made[i]
		}
		v.keep(some, made)
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = known[text]
	}
	return out, nil
}

// open opens the cache; nil if it cannot be used now. It removes the files of earlier versions.
func (v *vectors) open() *index.Index {
	if !index.Exists(v.dir) {
		_ = os.RemoveAll(v.dir)
	}
	x, err := index.Open(v.dir, v.Key())
	if err != nil {
		return nil
	}
	return x
}

// read returns the cached vectors of texts; none if their sizes differ.
func (v *vectors) read(texts []string) map[string][]float32 {
	known := map[string][]float32{}
	x := v.open()
	if x == nil {
		return known
	}
	defer func() { _ = x.Close() }()
	size := 0
	for _, text := range texts {
		var data []byte
		if !x.Get(vectorsBucket, fact.Digest(text), &data) {
			continue
		}
		vector := make([]float32, len(data)/4)
		if _, err := binary.Decode(data, binary.LittleEndian, vector); err != nil || size != 0 && len(vector) != size {
			return map[string][]float32{}
		}
		known[text], size = vector, len(vector)
	}
	return known
}

func (v *vectors) keep(texts []string, made [][]float32) {
	x := v.open()
	if x == nil {
		return
	}
	defer func() { _ = x.Close() }()
	b := x.NewBatch()
	for i, text := range texts {
		data, err := binary.Append(nil, binary.LittleEndian, made[i])
		if err != nil || b.Put(vectorsBucket, fact.Digest(text), data) != nil {
			return
		}
	}
	_ = b.Commit() // a cache
}
