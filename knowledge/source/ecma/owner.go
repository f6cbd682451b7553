package ecma

import (
	"cmp"
	"slices"
)

type ownSpan struct {
	span
	symbol, parent int
	member         bool
	body           int // end of the declaration's interface
}

// owners maps tokens, queried in source order, to the symbols that contain them.
type owners struct {
	spans []ownSpan
	open  []ownSpan
}

func newOwners(spans []ownSpan) owners {
	slices.SortStableFunc(spans, func(p, q ownSpan) int {
		return cmp.Or(cmp.Compare(p.From, q.From), cmp.Compare(q.To, p.To))
	})
	return owners{spans: spans}
}

func (o *owners) inner(i int) ownSpan {
	for len(o.spans) > 0 && o.spans[0].From <= i {
		o.close(o.spans[0].From)
		o.open = append(o.open, o.spans[0])
		o.spans = o.spans[1:]
	}
	o.close(i)
	if len(o.open) == 0 {
		return ownSpan{symbol: -1}
	}
	return o.open[len(o.open)-1]
}

func (o *owners) close(i int) {
	for len(o.open) > 0 && o.open[len(o.open)-1].To <= i {
		o.open = o.open[:len(o.open)-1]
	}
}

// each calls add for the innermost spans at token i, and for an enclosing span of the same class, as for constructor
// parameters.
func (o *owners) each(i int, add func(ownSpan)) {
	add(o.inner(i))
	for n := len(o.open) - 2; n >= 0; n-- {
		s, outer := o.open[n+1], o.open[n]
		siblings := s.member && outer.member && s.parent == outer.parent
		if s.span != outer.span && !siblings {
			return
		}
		add(outer)
	}
}
