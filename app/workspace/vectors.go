package workspace

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/causaldocs/causal/app/atomic"
	"github.com/causaldocs/causal/knowledge/memory"
)

// Embedder embeds texts. Key identifies its vectors.
type Embedder interface {
	memory.Embedder
	Key() string
}

// vectors is an Embedder with a cache in files beside the index. Each file is immutable and named by its digest, so two
// runs can write at once.
type vectors struct {
	Embedder
	dir   string
	known map[textID][]float32 // nil before read
	size  int                  // of each vector
	files []string
}

type textID [sha256.Size]byte

const (
	vectorsTop    = "embeddings"
	vectorsBegin  = "causal vectors 1\n"
	vectorsEnding = ".vec"
	// keptAtOnce is the batch size: each batch is written when it arrives, so an aborted run loses little of what was
	// paid for.
	keptAtOnce      = 512
	mostVectorFiles = 64
)

// remembering returns a caching Embedder. It removes the vectors of other models, which cannot be compared.
func (w *Workspace) remembering(e Embedder) *vectors {
	sum := sha256.Sum256([]byte(e.Key()))
	top, name := filepath.Join(w.local, vectorsTop), hex.EncodeToString(sum[:8])
	others, _ := os.ReadDir(top)
	for _, other := range others {
		if other.Name() != name {
			_ = os.RemoveAll(filepath.Join(top, other.Name()))
		}
	}
	return &vectors{Embedder: e, dir: filepath.Join(top, name)}
}

func (v *vectors) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	v.read()
	ids := make([]textID, len(texts))
	var missing []string
	asked := map[textID]bool{}
	for i, text := range texts {
		ids[i] = sha256.Sum256([]byte(text))
		if v.known[ids[i]] == nil && !asked[ids[i]] {
			asked[ids[i]] = true
			missing = append(missing, text)
		}
	}
	for len(missing) > 0 {
		some := missing[:min(keptAtOnce, len(missing))]
		missing = missing[len(some):]
		made, err := v.Embedder.Embed(ctx, some)
		if err != nil {
			return nil, err
		}
		if v.size != 0 && len(made[0]) != v.size { // another model has the same name now
			v.forget()
			return v.Embed(ctx, texts)
		}
		v.keep(some, made)
	}
	out := make([][]float32, len(texts))
	for i, id := range ids {
		out[i] = v.known[id]
	}
	return out, nil
}

// read loads the cache. It ignores damaged files.
func (v *vectors) read() {
	if v.known != nil {
		return
	}
	v.known = map[textID][]float32{}
	files, _ := filepath.Glob(filepath.Join(v.dir, "*"+vectorsEnding))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil || filepath.Base(file) != vectorsName(data) || !v.take(data) {
			_ = os.Remove(file)
			continue
		}
		v.files = append(v.files, file)
	}
}

func vectorsName(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]) + vectorsEnding
}

func (v *vectors) take(data []byte) bool {
	rest, ok := bytes.CutPrefix(data, []byte(vectorsBegin))
	if !ok || len(rest) < 4 {
		return false
	}
	size := int(binary.LittleEndian.Uint32(rest))
	rest = rest[4:]
	record := len(textID{}) + 4*size
	if size == 0 || v.size != 0 && v.size != size || len(rest)%record != 0 {
		return false
	}
	v.size = size
	for ; len(rest) > 0; rest = rest[record:] {
		vector := make([]float32, size)
		for i := range vector {
			vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(rest[len(textID{})+4*i:]))
		}
		v.known[textID(rest)] = vector
	}
	return true
}

func (v *vectors) keep(texts []string, made [][]float32) {
	v.size = len(made[0])
	fresh := make(map[textID][]float32, len(texts))
	for i, text := range texts {
		id := textID(sha256.Sum256([]byte(text)))
		fresh[id], v.known[id] = made[i], made[i]
	}
	old := v.files
	if len(old) < mostVectorFiles {
		old = nil
	} else {
		fresh = v.known // merge all files into one
	}
	file, err := v.write(fresh)
	if err != nil {
		return
	}
	for _, name := range old {
		if name != file {
			_ = os.Remove(name)
		}
	}
	v.files = append(v.files[len(old):], file)
}

func (v *vectors) write(some map[textID][]float32) (string, error) {
	data := binary.LittleEndian.AppendUint32([]byte(vectorsBegin), uint32(v.size))
	for id, vector := range some {
		data = append(data, id[:]...)
		for _, x := range vector {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	name := filepath.Join(v.dir, vectorsName(data))
	if err := atomic.Write(name, data, 0o600); err != nil {
		return "", fmt.Errorf("keep vectors: %w", err)
	}
	return name, nil
}

func (v *vectors) forget() {
	_ = os.RemoveAll(v.dir)
	v.known, v.files, v.size = map[textID][]float32{}, nil, 0
}
