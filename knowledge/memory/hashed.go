package memory

import (
	"context"
	"hash/fnv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lexical"
)

// Hashed is an Embedder without a model: it hashes words, pairs of words and parts of words into 256 counters.
type Hashed struct{}

const hashedSize = 256

// Sizes of parts of words, in characters.
const (
	shortestPart = 3
	longestPart  = 5
)

// Name implements Embedder.
func (Hashed) Name() string { return "hash-v1" }

// Embed implements Embedder. Equal texts have equal vectors on all machines.
func (Hashed) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		counts := make([]float32, hashedSize)
		for _, f := range features(text) {
			h := fnv.New64a()
			_, _ = h.Write([]byte(f))
			sum := h.Sum64()
			counts[sum%hashedSize] += float32(1 - 2*int(sum>>63)) // random signs make collisions cancel out
		}
		out[i] = unit(counts)
	}
	return out, ctx.Err()
}

// features returns the counted features, each with a prefix for its kind. A text without words is one feature.
func features(text string) []string {
	words := lexical.Terms(text)
	if len(words) == 0 {
		return []string{"t" + strings.Join(strings.Fields(text), " ")}
	}
	var out []string
	for i, w := range words {
		out = append(out, "w"+w)
		if i > 0 {
			out = append(out, "p"+words[i-1]+" "+w)
		}
		letters := []rune("<" + w + ">")
		for size := shortestPart; size <= longestPart; size++ {
			for at := 0; at+size <= len(letters); at++ {
				out = append(out, "c"+string(letters[at:at+size]))
			}
		}
	}
	return out
}
