package memory

import (
	"cmp"
	"context"
	"slices"
)

// Fused is an Index that merges several by reciprocal rank fusion, because their scores cannot be compared.
type Fused []Index

const (
	// settle is the usual constant, which flattens the top ranks.
	settle       = 60
	deepestPlace = 50
)

// Add implements Index.
func (f Fused) Add(ctx context.Context, texts ...Text) error {
	for _, index := range f {
		if err := index.Add(ctx, texts...); err != nil {
			return err
		}
	}
	return nil
}

// Search implements Index.
func (f Fused) Search(ctx context.Context, question string, top int) ([]Hit, error) {
	scores := map[string]float64{}
	var keys []string // in order of appearance
	for _, index := range f {
		hits, err := index.Search(ctx, question, max(top, deepestPlace))
		if err != nil {
			return nil, err
		}
		for place, h := range hits {
			if _, met := scores[h.Key]; !met {
				keys = append(keys, h.Key)
			}
			scores[h.Key] += 1 / float64(settle+1+place)
		}
	}
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(scores[b], scores[a]) })
	var hits []Hit
	for _, key := range keys[:min(top, len(keys))] {
		hits = append(hits, Hit{key, scores[key]})
	}
	return hits, nil
}
