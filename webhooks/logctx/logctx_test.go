package logctx_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/causaldocs/causal/webhooks/logctx"
)

func TestLinesSayWhereTheyBelong(t *testing.T) {
	t.Parallel()
	outer := logctx.With(context.Background(), slog.String("delivery", "d1"), slog.String("repository", "octo/shop"))
	tests := []struct {
		name string
		ctx  context.Context
		with []any
		want string
	}{
		{"nothing to say", context.Background(), nil, "level=INFO msg=hello\n"},
		{"carried", outer, nil, "level=INFO msg=hello delivery=d1 repository=octo/shop\n"},
		{"added", logctx.With(outer, slog.String("session", "s1")), nil, "level=INFO msg=hello delivery=d1 repository=octo/shop session=s1\n"},
		{"replaced", logctx.With(outer, slog.String("delivery", "d2")), nil, "level=INFO msg=hello repository=octo/shop delivery=d2\n"},
		{"beside the logger's own", outer, []any{"part", "door"}, "level=INFO msg=hello part=door delivery=d1 repository=octo/shop\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			text := slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			}})
			slog.New(logctx.Handler(text)).With(tt.with...).InfoContext(tt.ctx, "hello")
			if got := out.String(); got != tt.want {
				t.Errorf("got  %swant %s", got, tt.want)
			}
		})
	}
}
