package token_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/source/token"
)

type span = token.Span[int32]

// spans makes a list of pairs of numbers.
func spans(ends ...int32) []span {
	var list []span
	for i := 0; i < len(ends); i += 2 {
		list = append(list, span{From: ends[i], To: ends[i+1]})
	}
	return list
}

func TestMerge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ list, want []span }{
		"nothing":         {nil, nil},
		"out of order":    {spans(7, 9, 1, 3), spans(1, 3, 7, 9)},
		"touching":        {spans(1, 3, 3, 5), spans(1, 5)},
		"one apart":       {spans(1, 3, 4, 5), spans(1, 3, 4, 5)},
		"one in another":  {spans(2, 3, 1, 9, 4, 5), spans(1, 9)},
		"overlapping":     {spans(4, 9, 1, 6), spans(1, 9)},
		"twice the same":  {spans(1, 3, 1, 3), spans(1, 3)},
		"empty":           {spans(5, 5, 9, 2), nil},
		"empty in others": {spans(1, 3, 2, 2, 4, 4, 4, 6), spans(1, 3, 4, 6)},
	} {
		if got := token.Merge(c.list); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestWithout(t *testing.T) {
	t.Parallel()
	whole := span{From: 10, To: 20}
	for name, c := range map[string]struct{ holes, want []span }{
		"no hole":             {nil, spans(10, 20)},
		"in the middle":       {spans(12, 14), spans(10, 12, 14, 20)},
		"at both ends":        {spans(10, 12, 18, 20), spans(12, 18)},
		"beyond both ends":    {spans(5, 12, 18, 25), spans(12, 18)},
		"outside":             {spans(1, 10, 20, 30), spans(10, 20)},
		"all of it":           {spans(1, 30), nil},
		"side by side":        {spans(12, 14, 14, 16), spans(10, 12, 16, 20)},
		"one in another":      {spans(12, 18, 13, 14), spans(10, 12, 18, 20)},
		"an empty one":        {spans(15, 15), spans(10, 20)},
		"one that ends first": {spans(15, 12), spans(10, 20)},
	} {
		if got := whole.Without(c.holes); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := (span{From: 3, To: 3}).Without(nil); got != nil {
		t.Errorf("an empty span leaves %v", got)
	}
}

// tokensOf marks what spans hold.
func tokensOf(list []span) (held [64]bool) {
	for _, s := range list {
		for i := s.From; i < s.To; i++ {
			held[i] = true
		}
	}
	return held
}

var drawSpan = rapid.Custom(func(t *rapid.T) span {
	end := rapid.Int32Range(0, 63)
	return span{From: end.Draw(t, "from"), To: end.Draw(t, "to")}
})

// TestSpansHoldTokens compares merging and cutting of spans with sets of tokens.
func TestSpansHoldTokens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(drawSpan, 0, 12).Draw(t, "list")
		held := tokensOf(list)
		merged := token.Merge(slices.Clone(list))
		if tokensOf(merged) != held {
			t.Fatalf("%v became %v", list, merged)
		}
		for i, s := range merged {
			if s.Empty() || i > 0 && s.From <= merged[i-1].To {
				t.Fatalf("%v are not apart", merged)
			}
		}
		whole := drawSpan.Draw(t, "whole")
		want := tokensOf([]span{whole})
		for i := range want {
			want[i] = want[i] && !held[i]
		}
		slices.SortFunc(list, span.Compare)
		for _, holes := range [][]span{list, merged} {
			left := whole.Without(holes)
			if tokensOf(left) != want {
				t.Fatalf("%v without %v is %v", whole, holes, left)
			}
			for i, s := range left {
				if s.Empty() || i > 0 && s.From < left[i-1].To {
					t.Fatalf("%v without %v is %v, which is not in order", whole, holes, left)
				}
			}
		}
	})
}

func TestCompare(t *testing.T) {
	t.Parallel()
	list := spans(3, 4, 1, 2, 1, 9, 3, 3, 1, 5)
	slices.SortFunc(list, span.Compare)
	if want := spans(1, 9, 1, 5, 1, 2, 3, 4, 3, 3); !slices.Equal(list, want) {
		t.Errorf("%v, want %v", list, want)
	}
}
