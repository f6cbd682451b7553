package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
)

type verdict struct {
	unit   Unit
	wait   *Unit // must be settled first
	stored *Conclusion
	loaded bool
	// gone is set if the unit no longer exists; removal is the outcome of removing it.
	gone    bool
	removal Removal
	// unknown is set if only another evaluation can decide.
	unknown  bool
	evidence []fact.Observation
	renewed  bool // the evidence has other digests, which the conclusion does not depend on
	height   int  // one more than the highest conclusion in it
	changes  []fact.Change
	reasons  []Reason
}

// judge compares a unit with its evidence. It changes nothing.
func (l *loop) judge(ctx context.Context, u Unit) (*verdict, error) {
	v := &verdict{unit: u}
	kind := l.kinds[u.Kind]
	if err := l.settled(enumeration(u.Kind)); err != nil {
		return l.waiting(v, err)
	}
	if !l.units.has(u) {
		return v, l.judgeGone(ctx, v, kind)
	}
	if l.reload[u] || !l.units.get(u).known {
		if err := l.load(ctx, v); err != nil {
			return nil, err
		}
	}
	if v.reasons != nil || len(v.blocked()) > 0 {
		return v, nil
	}
	return l.compare(ctx, v)
}

// judgeGone keeps the evidence of a removed unit: it lets other units explain their changes.
func (l *loop) judgeGone(ctx context.Context, v *verdict, kind *Kind) error {
	v.gone = true
	if v.evidence = l.units.evidenceOf(v.unit); v.evidence == nil && !kind.Derived {
		stored, err := kind.Load(reader{l, ctx}, v.unit.Subject)
		if err != nil {
			return fmt.Errorf("load %s: %w", v.unit, err)
		}
		if stored != nil {
			v.evidence = stored.Evidence
		}
	}
	var err error
	if v.removal, err = kind.Remove(v.unit.Subject); err != nil {
		return fmt.Errorf("remove %s: %w", v.unit, err)
	}
	if v.removal.Done && kind.Gone != nil {
		v.reasons = []Reason{kind.Gone(reader{l, ctx}, v.unit.Subject)}
	}
	return nil
}

func (l *loop) waiting(v *verdict, err error) (*verdict, error) {
	var wait *unsettled
	if !errors.As(err, &wait) {
		return nil, err
	}
	v.wait = &wait.unit
	return v, nil
}

func (v *verdict) blocked() []Problem {
	if v.stored == nil {
		return nil
	}
	return v.stored.Blocked
}

func (l *loop) load(ctx context.Context, v *verdict) error {
	kind := l.kinds[v.unit.Kind]
	st := l.units.get(v.unit)
	v.loaded = true
	var err error
	if v.stored, err = kind.Load(reader{l, ctx}, v.unit.Subject); err != nil {
		return fmt.Errorf("load %s: %w", v.unit, err)
	}
	switch {
	case v.stored == nil:
		v.reasons = []Reason{{Because: BecauseNew, Detail: "new"}}
		return nil
	case v.stored.Damaged != "":
		v.reasons = []Reason{{Because: becauseDamaged, File: kind.Path(v.unit.Subject), Detail: v.stored.Damaged}}
		return nil
	}
	v.stored.Unit = v.unit
	l.sessions.identify(v.stored)
	switch v.unknown = kind.Derived; {
	case !kind.Derived:
		v.evidence = v.stored.Evidence
	case st.known && st.fileDigest() == v.stored.fileDigest():
		v.evidence = l.units.evidenceOf(v.unit)
	case !kind.Rendered:
		v.evidence = l.sessions.evidence(v.stored)
	}
	return nil
}

func (l *loop) compare(ctx context.Context, v *verdict) (*verdict, error) {
	st := l.units.get(v.unit)
	if !v.loaded {
		v.evidence = l.units.evidenceOf(v.unit)
	}
	var wait error
	for _, o := range v.evidence {
		if !v.loaded && l.same(o.Fact) { // stored evidence may be from another state of the repository
			v.height = max(v.height, below+1)
			continue
		}
		digest, height, err := l.now(ctx, o.Fact)
		v.height = max(v.height, height+1)
		var open *unsettled
		switch {
		case errors.As(err, &open):
			wait = cmp.Or(wait, err)
		case err != nil:
			return nil, err
		case digest != o.Digest:
			v.changes = append(v.changes, fact.Change{Fact: o.Fact, Before: o.Digest, After: digest})
		}
	}
	was := st.Generator
	if v.loaded {
		was = v.stored.Generator
	}
	now, err := l.generator(ctx, v.unit)
	if err != nil {
		return nil, err
	}
	if !v.unknown && was != now {
		v.changes = append(v.changes, fact.Change{Fact: fact.New(fact.Generators, v.unit.String()), Before: was, After: now})
	}
	if kind := l.kinds[v.unit.Kind]; kind.Derived && !v.unknown && !slices.ContainsFunc(v.changes, func(c fact.Change) bool { return !slices.Contains(kind.Hidden, c.Fact.Family) }) {
		v.renew()
	}
	if len(v.changes) == 0 && wait != nil {
		return l.waiting(v, wait)
	}
	return v, nil
}

// renew replaces changed digests in the evidence.
func (v *verdict) renew() {
	now := make(map[fact.Fact]string, len(v.changes))
	for _, c := range v.changes {
		now[c.Fact] = c.After
	}
	v.evidence, v.renewed = slices.Clone(v.evidence), len(now) > 0
	for i, o := range v.evidence {
		if digest, changed := now[o.Fact]; changed {
			v.evidence[i].Digest = digest
		}
	}
	v.changes = nil
}

func (v *verdict) fell() bool {
	return !v.gone && len(v.blocked()) == 0 && (len(v.reasons) > 0 || len(v.changes) > 0 || v.unknown)
}

func (l *loop) generator(ctx context.Context, u Unit) (string, error) {
	kind := l.kinds[u.Kind]
	made, err := kind.Generator(reader{l, ctx}, u.Subject)
	if err != nil {
		return "", fmt.Errorf("what makes %s: %w", u, err)
	}
	if kind.Derived {
		return made, nil
	}
	return made + " " + l.config.ModelName, nil
}

// explain finds the reasons in terms of the unit's condition.
func (l *loop) explain(ctx context.Context, v *verdict) error {
	kind := l.kinds[v.unit.Kind]
	if len(v.changes) > 0 {
		if err := l.tell(ctx, v, kind); err != nil {
			return err
		}
	}
	if len(v.reasons) == 0 {
		return nil
	}
	l.doubted = append(l.doubted, Fell{v.unit, v.reasons})
	if !kind.Derived {
		if err := l.attribute(ctx, v.reasons); err != nil {
			return err
		}
		l.report.stale(v.unit, v.reasons)
	}
	return nil
}

func (l *loop) tell(ctx context.Context, v *verdict, kind *Kind) error {
	causes := l.causes(v)
	if kind.Annotate != nil {
		if v.stored == nil {
			var err error
			if v.stored, err = kind.Load(reader{l, ctx}, v.unit.Subject); err != nil {
				return fmt.Errorf("load %s: %w", v.unit, err)
			}
		}
		if v.stored != nil {
			kind.Annotate(reader{l, ctx}, v.stored, causes)
		}
	}
	text := l.units.get(v.unit).Condition
	if v.loaded {
		text = cmp.Or(v.stored.Condition, text) // rendered text is stored without its condition
	}
	c, err := l.vocabulary.Parse(cmp.Or(text, evidenceChanged))
	if err != nil {
		v.reasons = []Reason{{Because: becauseDamaged, File: kind.Path(v.unit.Subject), Detail: "invalidation_condition: " + err.Error()}}
		return nil
	}
	v.reasons = l.reasonsOf(c, causes)
	return nil
}
