// Package logctx carries log attributes, such as the delivery and the repository, in contexts.
package logctx

import (
	"context"
	"log/slog"
	"slices"
)

type key struct{}

// With returns a context with further attributes. A repeated key replaces the earlier attribute.
func With(ctx context.Context, attrs ...slog.Attr) context.Context {
	carried := slices.DeleteFunc(slices.Clone(Attrs(ctx)), func(old slog.Attr) bool {
		return slices.ContainsFunc(attrs, func(a slog.Attr) bool { return a.Key == old.Key })
	})
	return context.WithValue(ctx, key{}, append(carried, attrs...))
}

// Attrs returns the attributes of ctx.
func Attrs(ctx context.Context) []slog.Attr {
	attrs, _ := ctx.Value(key{}).([]slog.Attr)
	return attrs
}

// Handler adds the attributes of the context to each record.
func Handler(next slog.Handler) slog.Handler { return handler{next} }

type handler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	r.AddAttrs(Attrs(ctx)...)
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }
