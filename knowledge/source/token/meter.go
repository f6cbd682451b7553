package token

import (
	"context"
	"errors"
)

// stepsPerByte bounds the steps for a text. Real files need a few steps per byte; more of them mean a text made to
// take quadratic time.
const stepsPerByte = 32

// stepsAtLeast is allowed for any text: a few names with a long lookahead are no attack.
const stepsAtLeast = 1 << 19

// pollEvery is the number of steps between checks of the context: well under a millisecond.
const pollEvery = 4096

// ErrInvolved reports that a text takes more steps than its length allows.
var ErrInvolved = errors.New("takes too long to read for its length: something in it repeats in a way that no person writes")

// Meter counts the steps of a scanner, and ends it by a panic that Stopped recognizes if its context is done or it
// takes too many steps. Scanners call Step wherever they go over tokens, above all in a lookahead. The zero value
// never ends a scanner.
type Meter struct {
	left int64 // steps until the next poll
	rest int64 // steps after that
	ctx  context.Context
}

// stopped is the value of a Meter's panic.
type stopped struct{ error }

// NewMeter returns a Meter for a text of size bytes.
func NewMeter(ctx context.Context, size int) Meter {
	return Meter{rest: stepsPerByte*int64(size) + stepsAtLeast, ctx: ctx}
}

// For returns a Meter of the same run for another text.
func (m *Meter) For(size int) *Meter {
	other := NewMeter(m.ctx, size)
	return &other
}

// Step counts one step.
func (m *Meter) Step() {
	if m.left--; m.left < 0 {
		m.look()
	}
}

// Steps counts several steps.
func (m *Meter) Steps(n int) {
	if m.left -= int64(n); m.left < 0 {
		m.look()
	}
}

func (m *Meter) look() {
	if m.ctx == nil {
		m.left = pollEvery
		return
	}
	if err := m.ctx.Err(); err != nil {
		panic(stopped{err})
	}
	if m.rest += m.left; m.rest < 0 { // steps beyond the last poll
		panic(stopped{ErrInvolved})
	}
	m.left = min(pollEvery, m.rest)
	m.rest -= m.left
}

// Stopped returns the reason why a Meter ended a scanner from a recovered panic; nil for other panics.
func Stopped(recovered any) error {
	s, _ := recovered.(stopped)
	return s.error
}
