package engine

import (
	"context"
	"slices"

	"github.com/causaldocs/causal/knowledge/prompt"
)

// keyOpen is where the units are remembered that a model could add to.
const keyOpen = "open"

// Open lists the units that a model could add to, as the last run left them.
func (e *Engine) Open() []Unit {
	var names []string
	e.config.Index.Get(wholeBucket, keyOpen, &names)
	out := make([]Unit, 0, len(names))
	for _, name := range names {
		if u, err := ParseUnit(name); err == nil {
			out = append(out, u)
		}
	}
	return out
}

// noteOpen notes whether a model could add to a unit that was evaluated, or is no more.
func (l *loop) noteOpen(u Unit, open bool) {
	if kind := l.kinds[u.Kind]; kind != nil && kind.Ask != nil {
		l.asked[u] = open
	}
}

// asksAny reports whether this run asks a model about units of a Derived kind.
func (l *loop) asksAny() bool {
	return slices.ContainsFunc(l.order, func(name string) bool { return l.kinds[name].Ask != nil && l.asks(l.kinds[name]) })
}

// saveOpen remembers which units a model could add to.
func (l *loop) saveOpen() error {
	if len(l.asked) == 0 {
		return nil
	}
	before := l.Engine.Open()
	list := slices.DeleteFunc(slices.Clone(before), func(u Unit) bool { _, evaluated := l.asked[u]; return evaluated })
	for u, open := range l.asked {
		if open {
			list = append(list, u)
		}
	}
	slices.SortFunc(list, compareUnits)
	if slices.Equal(before, list) {
		return nil
	}
	names := make([]string, len(list))
	for i, u := range list {
		names[i] = u.String()
	}
	return l.config.Batch.Put(wholeBucket, keyOpen, names)
}

// Requests returns the requests that an update would make to a model, in order, and writes nothing.
func (e *Engine) Requests(ctx context.Context) ([]*prompt.Request, error) {
	var c collector
	was := e.config.Model
	e.config.Model = &c
	defer func() { e.config.Model = was }()
	_, err := e.check(ctx, mode{collect: true})
	return c.requests, err
}

// collector is a Model without answers that keeps the requests.
type collector struct{ requests []*prompt.Request }

func (c *collector) Answer(_ context.Context, q Question) (string, error) {
	if q.Request != nil {
		c.requests = append(c.requests, q.Request)
	}
	return q.Draft()
}
