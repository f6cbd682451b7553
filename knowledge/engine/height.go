package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
)

// The height of a unit is more than that of every conclusion that it rests on. A run goes through heights from below, so that
// what is below a wave is settled; a unit that wants to read what is not is put above it, and looked at again then.

// settled returns an error unless what is concluded about a unit is what it will be when the run ends. Of one that fell, where
// nothing is written, nobody knows.
func (l *loop) settled(u Unit) error {
	of := u
	if u.Kind != enumerationKind {
		of = enumeration(u.Kind)
	}
	for _, u := range []Unit{of, u} {
		if _, pending := l.pending[u]; pending || l.open[u] || l.units.get(u).Height > l.floor {
			return &unsettled{u}
		}
	}
	return nil
}

// await has a unit looked at again once another one is settled. A circle is an error: each unit in it was about to read the next,
// and nothing that it read before is going to change.
func (l *loop) await(u, other Unit) error {
	if l.open[other] {
		l.leave(u)
		return nil
	}
	chain := []Unit{u, other}
	for at := other; at != u; chain = append(chain, at) {
		next, waiting := l.waits[at]
		if !waiting {
			l.above(u, other)
			return nil
		}
		at = next
	}
	if !l.write && len(l.open) > 0 {
		l.leave(u) // what is open may come out so that there is no circle
		return nil
	}
	return circle(chain)
}

// above puts a unit above one that it waits for. When it waits for that a second time, and nobody was to look at the other one,
// what that rests on keeps going up: it is looked at, so that it has to wait as well.
func (l *loop) above(u, other Unit) {
	if l.waits[u] == other {
		l.suspect(other)
	}
	l.waits[u] = other
	l.raise(u, max(l.pending[other], l.units.get(other).Height)+1, nil)
}

// raise lifts a unit, and what rests on it above it. So nothing that rests on what is pending is ever taken for settled. What is
// pending itself, or open, finds out what it has to wait for when its turn comes; it may rest on something else by then.
func (l *loop) raise(u Unit, height int, path []Unit) {
	if pending, ok := l.pending[u]; ok {
		l.pending[u] = max(pending, height)
	}
	st := l.units.get(u)
	if st.Height >= height {
		return
	}
	st.Height, st.changed = height, true
	path = append(slices.Clip(path), u)
	for _, holder := range l.holdersOf(u) {
		if _, pending := l.pending[holder]; pending || l.open[holder] {
			continue
		}
		if slices.Contains(path, holder) {
			l.suspect(holder)
			continue
		}
		l.raise(holder, height+1, path)
	}
}

// ErrCircle is returned for units that rest on each other.
var ErrCircle = errors.New("these depend on each other in a cycle")

func circle(units []Unit) error {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = u.String()
	}
	return fmt.Errorf("%w: %s", ErrCircle, strings.Join(names, " → "))
}

// holdersOf lists the units that are remembered to rest on any part of what is concluded about a unit, and still do. Which units of
// a kind there are has a part in what is concluded about each of them.
func (l *loop) holdersOf(u Unit) []Unit {
	remembered, on := l.units.holders(ConclusionOf(u)), func(other Unit) bool { return other == u }
	if u.Kind == enumerationKind {
		remembered, on = l.units.holders(UnitsOf(u.Subject)), func(other Unit) bool { return other == u || other.Kind == u.Subject }
		remembered = append(remembered, l.units.holdersOfKind(u.Subject)...)
	} else {
		remembered = append(remembered, l.units.holders(ExcerptOf(u, ""))...)
	}
	return slices.DeleteFunc(remembered, func(holder Unit) bool {
		return !slices.ContainsFunc(l.units.evidenceOf(holder), func(o fact.Observation) bool {
			other, ok := concluded(o.Fact)
			return ok && on(other)
		})
	})
}
