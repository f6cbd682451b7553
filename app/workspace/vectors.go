package workspace

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/memory"
)

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
