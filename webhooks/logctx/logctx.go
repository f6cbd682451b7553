// Package logctx lets every log line say which delivery, repository and session it belongs to, without any function having to
// pass that on: it travels in the context.
package logctx

import (
	"context"
	"log/slog"
	"slices"
)

type key struct{}

// With returns a context whose log lines carry attrs. An attribute that is named again replaces the earlier one.
func With(ctx context.Context, attrs ...slog.Attr) context.Context {
	carried := slices.DeleteFunc(slices.Clone(Attrs(ctx)), func(old slog.Attr) bool {
		return slices.ContainsFunc(attrs, func(a slog.Attr) bool { return a.Key == old.Key })
	})
	return context.WithValue(ctx, key{}, append(carried, attrs...))
}

// Attrs are the attributes that ctx carries.
func Attrs(ctx context.Context) []slog.Attr {
	attrs, _ := ctx.Value(key{}).([]slog.Attr)
	return attrs
}

// Handler adds to each record what its context carries, and hands it to next.
func Handler(next slog.Handler) slog.Handler { return handler{next} }

type handler struct{ slog.Handler }

// Handle adds the attributes of ctx.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	r.AddAttrs(Attrs(ctx)...)
	return h.Handler.Handle(ctx, r)
}

// WithAttrs keeps the handler around what it wraps.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the handler around what it wraps.
func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }
