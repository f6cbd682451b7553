package token_test

import (
	"context"
	"errors"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/token"
)

// ends runs a scanner and returns the error of its meter.
func ends(t *testing.T, scan func()) (why error) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			if why = token.Stopped(r); why == nil {
				panic(r)
			}
		}
	}()
	scan()
	return nil
}

func TestMeterEndsWhatIsTooInvolved(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1000, 1 << 20} {
		steps := 0
		m := token.NewMeter(t.Context(), size)
		if err := ends(t, func() {
			for ; ; steps++ {
				m.Step()
			}
		}); !errors.Is(err, token.ErrInvolved) {
			t.Fatal(err)
		}
		m = token.NewMeter(t.Context(), size)
		if err := ends(t, func() { m.Steps(steps) }); err != nil {
			t.Errorf("%d steps at once: %v", steps, err)
		}
		if err := ends(t, func() { m.Steps(1) }); !errors.Is(err, token.ErrInvolved) {
			t.Errorf("one more: %v", err)
		}
		t.Logf("%d bytes may take %d steps", size, steps)
	}
}

func TestMeterEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	m := token.NewMeter(ctx, 1<<30)
	if err := ends(t, func() { m.Steps(100_000) }); err != nil {
		t.Error(err)
	}
	cancel()
	if err := ends(t, func() { m.Steps(100_000) }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestMeterOfNothing: one that belongs to no run only counts.
func TestMeterOfNothing(t *testing.T) {
	t.Parallel()
	var m token.Meter
	if err := ends(t, func() { m.Steps(1 << 40) }); err != nil {
		t.Error(err)
	}
	if err := token.Stopped("another panic"); err != nil {
		t.Error(err)
	}
}
