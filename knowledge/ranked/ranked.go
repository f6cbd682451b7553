// Package ranked keeps the best few of many things that have a score, in time and memory that do not grow with how many there are.
package ranked

import (
	"cmp"
	"slices"
)

// Scored is a thing by its number, and how well it does.
type Scored struct {
	At    int
	Score float64
}

// Best is the best of what it was told of. Of equal ones those with the smaller number are better.
type Best struct {
	most int
	kept []Scored // a heap with the worst on top, as soon as there are most
}

// NewBest returns a Best that keeps at most so many.
func NewBest(most int) *Best { return &Best{most: most} }

// Add tells of one more.
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

// Sorted lists what was kept, the best first.
func (b *Best) Sorted() []Scored { return slices.SortedFunc(slices.Values(b.kept), compare) }

func compare(a, b Scored) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.At, b.At)) }
