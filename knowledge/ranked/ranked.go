// Package ranked keeps the best few of many scored items, in memory that depends only on how many it keeps.
package ranked

import (
	"cmp"
	"slices"
)

// Scored is the number of an item, with its score.
type Scored struct {
	At    int
	Score float64
}

// Best holds the items with the highest scores. Of two items with one score, the smaller number wins.
type Best struct {
	most int
	kept []Scored // a heap with the worst on top, as soon as there are most
}

// NewBest returns a Best that keeps at most this number of items.
func NewBest(most int) *Best { return &Best{most: most} }

// Add offers an item, which is kept if its score is high enough.
func (b *Best) Add(at int, score float64) {
	s := Scored{at, score}
	switch {
	case len(b.kept) < b.most:
		if b.kept = append(b.kept, s); len(b.kept) == b.most {
			for i := len(b.kept)/2 - 1; i >= 0; i-- {
				b.sink(i)
			}
		}
	case b.most > 0 && compare(s, b.kept[0]) < 0:
		b.kept[0] = s
		b.sink(0)
	}
}

// sink restores the heap below a place.
func (b *Best) sink(at int) {
	for {
		worst := at
		for child := 2*at + 1; child <= 2*at+2 && child < len(b.kept); child++ {
			if compare(b.kept[child], b.kept[worst]) > 0 {
				worst = child
			}
		}
		if worst == at {
			return
		}
		b.kept[at], b.kept[worst] = b.kept[worst], b.kept[at]
		at = worst
	}
}

// Sorted lists the kept items, the best first.
func (b *Best) Sorted() []Scored { return slices.SortedFunc(slices.Values(b.kept), compare) }

func compare(a, b Scored) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.At, b.At)) }
