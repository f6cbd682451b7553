package engine

import (
	"context"
	"slices"

	"github.com/causaldocs/causal/knowledge/prompt"
)

// keyOpen is the index key of the units that a model could add to.
const keyOpen = "open"

// Open lists the units that a model could add to, as of the last run.
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

func (l *loop) noteOpen(u Unit, open bool) {
	if kind := l.kinds[u.Kind]; kind != nil && kind.Ask != nil {
		l.asked[u] = open
	}
}

func (l *loop) asksAny() bool {
	return slices.ContainsFunc(l.order, func(name string) bool { return l.kinds[name].Ask != nil && l.asks(l.kinds[name]) })
}

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

// Requests returns the model requests of an update, in order, without writing anything.
func (e *Engine) Requests(ctx context.Context) ([]*prompt.Request, error) {
	var c collector
	was := e.config.Model
	e.config.Model = &c
	defer func() { e.config.Model = was }()
	_, err := e.check(ctx, mode{collect: true})
	return c.requests, err
}

type collector struct{ requests []*prompt.Request }

func (c *collector) Answer(_ context.Context, q Question) (string, error) {
	if q.Request != nil {
		c.requests = append(c.requests, q.Request)
	}
	return q.Draft()
}
