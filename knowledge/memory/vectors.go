package memory

import (
	"context"
	"fmt"
	"math"

	"github.com/causaldocs/causal/knowledge/ranked"
)

// Embedder maps texts to vectors. Texts of similar meaning have close vectors.
type Embedder interface {
	// Name identifies the model. Vectors of different models are not comparable.
	Name() string
	// Embed returns a vector for each text, all of the same length.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Vectors is an Index by cosine similarity, with a linear search. Only positive scores match.
type Vectors struct {
	embedder Embedder
	keys     []string
	there    map[string]bool
	size     int       // of each vector
	all      []float32 // concatenated unit vectors
}

// NewVectors returns an empty Vectors.
func NewVectors(embedder Embedder) *Vectors {
	return &Vectors{embedder: embedder, there: map[string]bool{}}
}

// Add implements Index.
func (v *Vectors) Add(ctx context.Context, texts ...Text) error {
	var keys, said []string
	adding := map[string]bool{}
	for _, t := range texts {
		if !v.there[t.Key] && !adding[t.Key] {
			adding[t.Key] = true
			keys, said = append(keys, t.Key), append(said, t.Text)
		}
	}
	if len(keys) == 0 {
		return ctx.Err()
	}
	vectors, err := v.embed(ctx, said)
	if err != nil {
		return err
	}
	v.size = len(vectors[0])
	for i, key := range keys {
		v.there[key] = true
		v.keys, v.all = append(v.keys, key), append(v.all, unit(vectors[i])...)
	}
	return nil
}

func (v *Vectors) embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := v.embedder.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("%s made %d vectors of %d texts", v.embedder.Name(), len(vectors), len(texts))
	}
	size := v.size
	for _, vector := range vectors {
		if size == 0 {
			size = len(vector)
		}
		if len(vector) != size || size == 0 {
			return nil, fmt.Errorf("%s made a vector of %d numbers, and one of %d", v.embedder.Name(), size, len(vector))
		}
	}
	return vectors, nil
}

// Search implements Index.
func (v *Vectors) Search(ctx context.Context, question string, top int) ([]Hit, error) {
	if blank(question) || len(v.keys) == 0 {
		return nil, ctx.Err()
	}
	vectors, err := v.embed(ctx, []string{question})
	if err != nil {
		return nil, err
	}
	asked := unit(vectors[0])
	best := ranked.NewBest(top)
	for i := range v.keys {
		if score := dot(asked, v.all[i*v.size:(i+1)*v.size]); score > 0 {
			best.Add(i, float64(score))
		}
	}
	var hits []Hit
	for _, s := range best.Sorted() {
		hits = append(hits, Hit{v.keys[s.At], s.Score})
	}
	return hits, ctx.Err()
}

// dot sums in four lanes, which a processor can run in parallel.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

// unit scales a vector to length 1. It returns zeroes for a vector without a direction.
func unit(vector []float32) []float32 {
	sum := 0.0
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return make([]float32, len(vector))
	}
	out := make([]float32, len(vector))
	for i, x := range vector {
		out[i] = float32(float64(x) / math.Sqrt(sum))
	}
	return out
}
