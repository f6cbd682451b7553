package source

import (
	"context"
	"fmt"
	"testing"
)

// everyByte is a language in which each byte declares something.
type everyByte struct{ Language }

func (everyByte) Extract(_ context.Context, _ string, src []byte) (f File) {
	for i := range src {
		f.Symbols = append(f.Symbols, Symbol{Name: fmt.Sprint("s", i), Line: i + 1})
	}
	return f
}

// TestSymbolLimit: beyond the limit a file of any language is read in part, and says so.
func TestSymbolLimit(t *testing.T) {
	t.Parallel()
	for extra, want := range map[int]string{0: "", 1: "line 20001: " + TooManySymbols} {
		f, err := Extract(t.Context(), everyByte{}, "a", make([]byte, MostSymbols+extra))
		if err != nil || len(f.Symbols) != MostSymbols || f.Problem != want {
			t.Errorf("%d more: %d symbols, problem %q, %v", extra, len(f.Symbols), f.Problem, err)
		}
	}
}
