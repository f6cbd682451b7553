package token

import (
	"cmp"
	"slices"
)

// Span is a range of tokens by index, without To. I is the scanner's type of indices.
type Span[I ~int | ~int32] struct{ From, To I }

// Empty reports whether s has no token. A span that ends before its start is empty.
func (s Span[I]) Empty() bool { return s.To <= s.From }

// Compare orders spans by start; a span comes before those that it contains.
func (s Span[I]) Compare(t Span[I]) int {
	if c := cmp.Compare(s.From, t.From); c != 0 {
		return c
	}
	return cmp.Compare(t.To, s.To)
}

// Without returns s without the holes. Holes are sorted, and may overlap or exceed s.
func (s Span[I]) Without(holes []Span[I]) []Span[I] {
	var left []Span[I]
	for _, h := range holes {
		if h.Empty() {
			continue
		}
		if piece := (Span[I]{s.From, min(h.From, s.To)}); !piece.Empty() {
			left = append(left, piece)
		}
		s.From = max(s.From, h.To)
	}
	if !s.Empty() {
		left = append(left, s)
	}
	return left
}

// Merge sorts list and joins spans that overlap or touch. It reuses the memory of list.
func Merge[I ~int | ~int32](list []Span[I]) []Span[I] {
	slices.SortFunc(list, Span[I].Compare)
	merged := list[:0]
	for _, s := range list {
		switch last := len(merged) - 1; {
		case s.Empty():
		case last >= 0 && s.From <= merged[last].To:
			merged[last].To = max(merged[last].To, s.To)
		default:
			merged = append(merged, s)
		}
	}
	return merged
}
