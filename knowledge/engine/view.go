package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/causaldocs/causal/knowledge/fact"
)

type unsettled struct{ unit Unit }

func (e *unsettled) Error() string { return e.unit.String() + " is not settled yet" }

type view struct {
	loop   *loop
	ctx    context.Context
	hidden []fact.Family // have no value

	mu     sync.Mutex
	seen   map[fact.Fact]bool
	read   []fact.Observation
	height int   // one more than the highest conclusion read
	wait   *Unit // must be settled first, even if the plugin ignores the error
	ended  bool  // evaluation is complete
}

func (l *loop) view(ctx context.Context, hidden ...fact.Family) *view {
	return &view{loop: l, ctx: ctx, hidden: hidden, seen: map[fact.Fact]bool{}}
}

func (v *view) Read(f fact.Fact) (any, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, err := v.observe(f); err != nil || slices.Contains(v.hidden, f.Family) {
		return nil, err
	}
	return v.loop.value(v.ctx, f)
}

// Digest reads only the digest of a fact, which is evidence too.
func (v *view) Digest(f fact.Fact) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	digest, err := v.observe(f)
	if slices.Contains(v.hidden, f.Family) {
		return "", err
	}
	return digest, err
}

func (v *view) observe(f fact.Fact) (string, error) {
	if err := f.As("").Check(); err != nil {
		return "", err
	}
	if v.ended {
		return "", fmt.Errorf("read %s: it is concluded already", f)
	}
	digest, height, err := v.loop.now(v.ctx, f)
	if err != nil {
		var wait *unsettled
		if v.wait == nil && errors.As(err, &wait) {
			v.wait = &wait.unit
		}
		return "", err
	}
	if !v.seen[f] {
		v.seen[f] = true
		v.read = append(v.read, f.As(digest))
		v.height = max(v.height, height+1)
	}
	return digest, nil
}

// Digest returns the digest of a fact, for plugins that compare it with a stored one. It is recorded as evidence,
// like the values of Reader.Read.
func Digest(r Reader, f fact.Fact) (string, error) {
	d, ok := r.(interface {
		Digest(f fact.Fact) (string, error)
	})
	if !ok {
		return "", fmt.Errorf("read %s: %T knows no digests", f, r)
	}
	return d.Digest(f)
}

func (v *view) end() (evidence []fact.Observation, height int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ended = true
	return v.read, v.height
}

type reader struct {
	loop *loop
	ctx  context.Context
}

func (r reader) Read(f fact.Fact) (any, error) { return r.loop.value(r.ctx, f) }

func (r reader) Digest(f fact.Fact) (string, error) {
	digest, _, err := r.loop.now(r.ctx, f)
	return digest, err
}

const below = -1

func (l *loop) now(ctx context.Context, f fact.Fact) (digest string, height int, err error) {
	l.facts.Add(1)
	switch f.Family {
	case fact.Conclusions, fact.Excerpts:
		return l.conclusionNow(f)
	case fact.Units:
		u := enumeration(f.Name)
		if err := l.settled(u); err != nil {
			return "", 0, err
		}
		s := l.units.get(u)
		return s.Digest, s.Height, nil
	}
	room, ok := l.rooms[f.Family]
	if !ok {
		return "", 0, fmt.Errorf("nobody answers %s", f)
	}
	if digest, err = room.Digest(ctx, f); err != nil {
		return "", 0, fmt.Errorf("observe %s: %w", f, err)
	}
	return digest, below, nil
}

func (l *loop) conclusionNow(f fact.Fact) (digest string, height int, err error) {
	name := f.Name
	if f.Family == fact.Excerpts {
		name = f.Of
	}
	u, err := ParseUnit(name)
	if err != nil {
		return "", 0, err
	}
	if err := l.settled(u); err != nil {
		return "", 0, err
	}
	s := l.units.get(u)
	height = max(s.Height, l.units.get(enumeration(u.Kind)).Height) // the existence of the unit is part of it
	if !l.units.has(u) {
		return "", height, nil
	}
	if f.Family == fact.Conclusions {
		return s.Digest, height, nil
	}
	if text, ok := s.Excerpts[f.Name]; ok {
		return fact.Digest(text), height, nil
	}
	return "", height, nil
}

func (l *loop) value(ctx context.Context, f fact.Fact) (any, error) {
	switch f.Family {
	case fact.Conclusions:
		u, err := ParseUnit(f.Name)
		if err != nil {
			return nil, err
		}
		return l.body(ctx, u)
	case fact.Excerpts:
		u, err := ParseUnit(f.Of)
		if err != nil {
			return nil, err
		}
		if text, ok := l.units.get(u).Excerpts[f.Name]; ok && l.units.has(u) {
			return text, nil
		}
		return nil, nil
	case fact.Units:
		return slices.Clone(l.units.subjects(f.Name)), nil
	}
	room, ok := l.rooms[f.Family]
	if !ok {
		return nil, fmt.Errorf("nobody answers %s", f)
	}
	v, err := room.Value(ctx, f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f, err)
	}
	return v, nil
}

// body returns the conclusion of a unit, as made by this run or as stored. It is nil for a unit that no longer
// exists, even if its file is not removed yet.
func (l *loop) body(ctx context.Context, u Unit) (any, error) {
	if !l.units.has(u) {
		return nil, nil
	}
	if s := l.units.get(u); s.stored != nil {
		return s.stored.Body, nil
	}
	k := l.kinds[u.Kind]
	if k == nil {
		return nil, fmt.Errorf("no plugin concludes anything about %s", u)
	}
	c, err := k.Load(reader{l, ctx}, u.Subject)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", u, err)
	}
	if c == nil {
		return nil, nil
	}
	return c.Body, nil
}
