package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/causaldocs/causal/knowledge/fact"
)

// unsettled is the error of a view that was asked for a conclusion which this run may still make anew.
type unsettled struct{ unit Unit }

func (e *unsettled) Error() string { return e.unit.String() + " is not settled yet" }

// view reads facts for one conclusion, and keeps what was read with the digest that it had.
type view struct {
	loop *loop
	ctx  context.Context

	mu     sync.Mutex
	seen   map[fact.Fact]bool
	read   []fact.Observation
	height int   // one more than that of the highest conclusion that was read
	wait   *Unit // that has to be settled first, whatever the plugin makes of the error
	ended  bool  // it was concluded
}

func (l *loop) view(ctx context.Context) *view {
	return &view{loop: l, ctx: ctx, seen: map[fact.Fact]bool{}}
}

// Read implements Reader.
func (v *view) Read(f fact.Fact) (any, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, err := v.observe(f); err != nil {
		return nil, err
	}
	return v.loop.value(v.ctx, f)
}

// Digest reads no more of a fact than its digest, which is evidence as in Read.
func (v *view) Digest(f fact.Fact) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.observe(f)
}

// observe notes a fact as evidence and returns its digest.
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

// Digest is the digest of a fact, for plugins that compare it with one that they stored. It is evidence as what Reader.Read returns.
func Digest(r Reader, f fact.Fact) (string, error) {
	d, ok := r.(interface {
		Digest(f fact.Fact) (string, error)
	})
	if !ok {
		return "", fmt.Errorf("read %s: %T knows no digests", f, r)
	}
	return d.Digest(f)
}

// end returns what was read, and how high what rests on that stands. Nothing more can be read.
func (v *view) end() (evidence []fact.Observation, height int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ended = true
	return v.read, v.height
}

// reader reads facts for what is no conclusion: nothing is kept of it.
type reader struct {
	loop *loop
	ctx  context.Context
}

// Read implements Reader.
func (r reader) Read(f fact.Fact) (any, error) { return r.loop.value(r.ctx, f) }

// Digest is what Digest reads of it.
func (r reader) Digest(f fact.Fact) (string, error) {
	digest, _, err := r.loop.now(r.ctx, f)
	return digest, err
}

// below is the height of facts that no conclusion has a part in.
const below = -1

// now is what a fact is, and the height of the conclusion that it is about. An unsettled conclusion is an error.
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
	height = max(s.Height, l.units.get(enumeration(u.Kind)).Height) // whether there is such a unit has a part in it
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

// value is what there is to read of a fact.
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

// body is all that is concluded about a unit: as this run made it, or as it is stored. Of one that is no more that is nothing, also
// where it was not removed yet.
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
