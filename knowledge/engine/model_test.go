package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
)

// oracle is a Model that notes what it is asked.
type oracle struct {
	asked []string
	busy  atomic.Bool
	fail  error
}

func (o *oracle) Answer(ctx context.Context, q engine.Question) (string, error) {
	if o.busy.Swap(true) {
		return "", errors.New("asked while it was answering")
	}
	defer o.busy.Store(false)
	o.asked = append(o.asked, q.Frame.Query+" "+q.Frame.ContextSlice["module"].(string))
	return "{}", errors.Join(ctx.Err(), o.fail)
}

// TestAModelIsAskedInOneOrder: one question after the other, those that others rest on first, the same in every run.
func TestAModelIsAskedInOneOrder(t *testing.T) {
	t.Parallel()
	want := []string{"module/a a", "module/b b", "module/c c"}
	for range 3 {
		b, o := setup(t), &oracle{}
		b.model = o
		must(t)(b.update(t))
		if !slices.Equal(o.asked, want) {
			t.Errorf("asked %q, want %q", o.asked, want)
		}
	}
}

func TestAModelThatFails(t *testing.T) {
	t.Parallel()
	b := setup(t)
	away := errors.New("the model is away")
	b.model = &oracle{fail: away}
	if _, err := b.update(t); !errors.Is(err, away) || !strings.Contains(err.Error(), "document a: answer: ") {
		t.Errorf("got %v", err)
	}
}
