package ranked_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/ranked"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

// TestBest: it is the beginning of the sorted list.
func TestBest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOf(rapid.Float64Range(0, 3)).Draw(t, "scores")
		most := rapid.IntRange(0, 10).Draw(t, "most")
		b := ranked.NewBest(most)
		var all []ranked.Scored
		for at, score := range scores {
			score = float64(int(score)) // so that some are equal
			b.Add(at, score)
			all = append(all, ranked.Scored{At: at, Score: score})
		}
		slices.SortStableFunc(all, func(a, b ranked.Scored) int { return cmp.Compare(b.Score, a.Score) })
		if got := b.Sorted(); !slices.Equal(got, all[:min(most, len(all))]) {
			t.Fatalf("%v of %v", got, all)
		}
	})
}
