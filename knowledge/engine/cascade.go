package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
)

// The standing tree is the dependency graph of this run's affected units, as frames under their own names. Its
// cascades invalidate dependents: a changed fact is a premise, and a changed conclusion invalidates the frames that
// cite it. A unit is added as soon as it or one of its dependencies may have changed.

func (l *loop) adopt(u Unit) (id string, ok bool, err error) {
	id = u.String()
	if _, there := l.standing.Frame(id); there {
		return id, true, nil
	}
	st := l.units.get(u)
	if !st.known {
		return id, false, nil
	}
	f := frame.Frame{
		ID: id, Query: id, Conclusion: cmp.Or(st.Text, id), Confidence: st.Confidence, Status: frame.Completed, Validity: frame.Valid,
		InvalidationCondition: cmp.Or(st.Condition, evidenceChanged),
	}
	for _, o := range cited(l.units.evidenceOf(u)) {
		f.Evidence = append(f.Evidence, o.String())
	}
	return id, true, l.standing.Adopt(f)
}

func cited(evidence []fact.Observation) []fact.Observation {
	var out []fact.Observation
	for _, u := range onConclusions(evidence) {
		out = append(out, fact.Frame(u.String()))
	}
	return out
}

func (l *loop) fell(u Unit, why string) error {
	id, ok, err := l.adopt(u)
	if err != nil || !ok {
		return err
	}
	_, err = l.standing.InvalidatePremise(id, strings.ToValidUTF8(why, "\uFFFD")) // paths are bytes
	return err
}

// stands makes a unit valid again, on its present evidence.
func (l *loop) stands(u Unit) error {
	if _, there := l.standing.Frame(u.String()); !there {
		return nil
	}
	st := l.units.get(u)
	return l.standing.Conclude(u.String(), cmp.Or(st.Text, u.String()), cited(l.units.evidenceOf(u)), st.Confidence, cmp.Or(st.Condition, evidenceChanged))
}

// ended concludes that a unit no longer exists; others may depend on that.
func (l *loop) ended(u Unit) error {
	if _, there := l.standing.Frame(u.String()); !there {
		return nil
	}
	return l.standing.Conclude(u.String(), "there is no "+u.String(), nil, 1, evidenceChanged)
}

// cascade invalidates the dependents of the conclusions that the wave changed and schedules them.
func (l *loop) cascade() error {
	changed := l.changed
	l.changed = nil
	var from []Unit
	for _, f := range changed {
		u, _ := concluded(f)
		for _, holder := range l.units.holders(f) {
			if holder.Kind == enumerationKind {
				l.suspect(holder)
			}
			if holder.Kind == enumerationKind || l.done[holder] {
				continue
			}
			if _, ok, err := l.adopt(holder); err != nil {
				return err
			} else if ok {
				from = append(from, u)
			}
		}
	}
	slices.SortFunc(from, compareUnits)
	for _, u := range slices.Compact(from) {
		if err := l.cascadeFrom(u); err != nil {
			return err
		}
	}
	return nil
}

func (l *loop) cascadeFrom(u Unit) error {
	id, ok, err := l.adopt(u)
	if err != nil {
		return err
	}
	if !ok { // removed or new: units that looked for it are invalidated too
		f := frame.Frame{ID: id, Query: id, Status: frame.Active, Validity: frame.Valid}
		if err := l.standing.Adopt(f); err != nil {
			return err
		}
	}
	fallen, err := l.standing.InvalidateConclusion(id, id+" was re-evaluated")
	if err != nil {
		return err
	}
	for _, name := range fallen {
		holder, err := ParseUnit(name)
		if err != nil {
			return err
		}
		l.suspect(holder)
	}
	return nil
}
