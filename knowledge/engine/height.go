package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
)

// The height of a unit exceeds that of every conclusion it depends on. A run processes heights in ascending order,
// which settles everything below a wave. A unit that reads an unsettled one is raised above it and examined again
// later.

// settled returns an error unless the conclusion of a unit is final for this run. An invalidated unit is never final
// in a run that does not write.
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

// await schedules a unit again after another one is settled. A cycle is an error: each unit in it was about to read
// the next, and its earlier reads will not change.
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
		l.leave(u) // an open unit may yet remove the cycle
		return nil
	}
	return circle(chain)
}

// above raises a unit above one that it waits for. When it waits for that a second time and the other one is not
// scheduled, the dependencies of the other one keep rising: it is scheduled, and then has to wait too.
func (l *loop) above(u, other Unit) {
	if l.waits[u] == other {
		l.suspect(other)
	}
	l.waits[u] = other
	l.raise(u, max(l.pending[other], l.units.get(other).Height)+1, nil)
}

// raise lifts a unit and its dependents, which keeps dependents of a pending unit from being treated as settled.
// Pending and open dependents are skipped: they find their dependencies when they are examined, which may differ by
// then.
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

// ErrCircle is returned for units that depend on each other.
var ErrCircle = errors.New("these depend on each other in a cycle")

func circle(units []Unit) error {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = u.String()
	}
	return fmt.Errorf("%w: %s", ErrCircle, strings.Join(names, " → "))
}

// holdersOf lists the units that depend on any part of a unit's conclusion, now and in the index. The list of units
// of a kind is part of the conclusion of each of them.
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
