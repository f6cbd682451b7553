package languages_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
)

// code is a declaration of each language.
var code = map[string]string{
	"go":         "func f(a int) int {\n\treturn a + 1\n}\n\n",
	"python":     "def f(a):\n    return a + 1\n\n",
	"typescript": "export function f(a: number): number {\n  return a + 1\n}\n\n",
	"javascript": "export function f(a) {\n  return a + 1\n}\n\n",
	"java":       "class A {\n  int f(int a) {\n    return a + 1;\n  }\n}\n\n",
	"rust":       "pub fn f(a: i32) -> i32 {\n    a + 1\n}\n\n",
	"c":          "int f(int a) {\n  return a + 1;\n}\n\n",
	"c++":        "int f(int a) {\n  return a + 1;\n}\n\n",
}

// long is a file of a language of some megabytes.
func long(l source.Language) []byte {
	text := strings.Repeat(code[l.Name()], 4<<20/len(code[l.Name()]))
	if l.Name() == "go" {
		text = "package p\n\n" + text
	}
	return []byte(text)
}

// counting is a context that ends when it was asked a number of times whether it has.
type counting struct {
	context.Context

	asked, until int
	done         chan struct{}
}

func (c *counting) Err() error {
	if c.asked++; c.asked < c.until {
		return nil
	}
	if c.asked == c.until {
		close(c.done)
	}
	return context.Canceled
}

func (c *counting) Done() <-chan struct{} { return c.done }

// TestExtractionObeysItsContext checks that every reader stops soon after its context is cancelled.
func TestExtractionObeysItsContext(t *testing.T) {
	t.Parallel()
	const often = 32 << 10 // bytes: well under a millisecond's work
	for _, l := range languages.All() {
		t.Run(l.Name(), func(t *testing.T) {
			t.Parallel()
			src := long(l)
			if l.Name() == "go" { // its parser cannot be cancelled
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				if _, err := source.Extract(ctx, l, "a/a.go", src); !errors.Is(err, context.Canceled) {
					t.Errorf("%v", err)
				}
				return
			}
			all := &counting{Context: t.Context(), until: 1 << 30}
			if _, err := source.Extract(all, l, "a/a"+l.Extensions()[0], src); err != nil || all.asked < len(src)/often {
				t.Fatalf("asked %d times over %d bytes: %v", all.asked, len(src), err)
			}
			half := &counting{Context: t.Context(), until: all.asked / 2, done: make(chan struct{})}
			if _, err := source.Extract(half, l, "a/a"+l.Extensions()[0], src); !errors.Is(err, context.Canceled) || half.asked > half.until {
				t.Errorf("asked %d times, of which %d too many: %v", half.asked, half.asked-half.until, err)
			}
		})
	}
}
