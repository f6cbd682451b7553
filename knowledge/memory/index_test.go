package memory_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/memory"
	"github.com/causaldocs/causal/knowledge/memory/memorytest"
)

func TestIndexes(t *testing.T) {
	t.Parallel()
	for name, fresh := range map[string]func() memory.Index{
		"words":   func() memory.Index { return memory.NewWords() },
		"vectors": func() memory.Index { return memory.NewVectors(memory.Hashed{}) },
		"fused":   func() memory.Index { return memory.Fused{memory.NewWords(), memory.NewVectors(memory.Hashed{})} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			memorytest.Run(t, func(*testing.T) memory.Index { return fresh() })
		})
	}
}

// TestHashed: the vectors are the same everywhere, of length 1, and near for texts that have words in common.
func TestHashed(t *testing.T) {
	t.Parallel()
	texts := []string{"The cache was cleared", "Clearing of the caches", "A zebra sleeps", "?!", "缓存失效", strings.Repeat("long ", 700)}
	vectors, err := memory.Hashed{}.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vectors {
		if length := cosine(v, v); len(v) != 256 || math.Abs(length-1) > 1e-5 {
			t.Errorf("%.20q: %d numbers of length %v", texts[i], len(v), length)
		}
	}
	if near, far := cosine(vectors[0], vectors[1]), cosine(vectors[0], vectors[2]); near < 0.5 || far > 0.2 {
		t.Errorf("near %v, far %v", near, far)
	}
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestFused: what two lists have in the middle comes before what one has at its top.
func TestFused(t *testing.T) {
	t.Parallel()
	list := func(keys ...string) memory.Index { return fixed{keys: keys} }
	hits, err := memory.Fused{list("a", "b", "c"), list("d", "b", "e")}.Search(t.Context(), "?", 4)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range hits {
		got = append(got, h.Key)
	}
	if want := "b a d c"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	failed := errors.New("no answer")
	if _, err := (memory.Fused{list("a"), fixed{err: failed}}).Search(t.Context(), "?", 4); !errors.Is(err, failed) {
		t.Error(err)
	}
	if err := (memory.Fused{list("a"), fixed{err: failed}}).Add(t.Context()); !errors.Is(err, failed) {
		t.Error(err)
	}
}

// fixed is an index that finds the same whatever is asked.
type fixed struct {
	keys []string
	err  error
}

func (f fixed) Add(context.Context, ...memory.Text) error { return f.err }

func (f fixed) Search(context.Context, string, int) (hits []memory.Hit, err error) {
	for i, key := range f.keys {
		hits = append(hits, memory.Hit{Key: key, Score: float64(len(f.keys) - i)})
	}
	return hits, f.err
}

// odd makes vectors that are not what an Embedder promises.
type odd struct{ vectors [][]float32 }

func (odd) Name() string { return "odd" }

func (o odd) Embed(context.Context, []string) ([][]float32, error) { return o.vectors, nil }

// TestOddVectors: an index does not take what cannot be compared, and holds nothing of it.
func TestOddVectors(t *testing.T) {
	t.Parallel()
	for name, vectors := range map[string][][]float32{
		"too few": {{1}}, "of two sizes": {{1, 2}, {1}}, "of no size": {{}, {}},
	} {
		index := memory.NewVectors(odd{vectors})
		if err := index.Add(t.Context(), memory.Text{Key: "a", Text: "x"}, memory.Text{Key: "b", Text: "y"}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	nan := float32(math.NaN())
	index := memory.NewVectors(odd{[][]float32{{nan, 1}}})
	err := index.Add(t.Context(), memory.Text{Key: "a", Text: "x"})
	if hits, failed := index.Search(t.Context(), "x", 1); err != nil || failed != nil || len(hits) > 0 {
		t.Errorf("%v, %v: what points nowhere is found: %v", err, failed, hits)
	}
}
