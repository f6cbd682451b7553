package token

import (
	"context"
	"errors"
)

// stepsPerByte bounds what reading a text may take. A scanner that looks ahead takes a few steps for a byte of any real
// file; one that takes this many has been written against the scanner, and would take time that grows with the square of
// its length.
const stepsPerByte = 32

// stepsAtLeast is what any text may take, however short: a few names with a long look ahead are no attack.
const stepsAtLeast = 1 << 19

// pollEvery is after how many steps a Meter asks whether its run is still wanted: well under a millisecond.
const pollEvery = 4096

// ErrInvolved is why a text is not read that takes more steps than a text of its length may.
var ErrInvolved = errors.New("takes too long to read for its length: something in it repeats in a way that no person writes")

// Meter counts the steps of a scanner and ends it, by a panic that Stopped recognises, when its run is cancelled or when
// it takes more steps than the text is worth. Scanners call Step wherever they go over tokens, above all where they look
// ahead at what they will read again. The zero value counts and never ends anything.
type Meter struct {
	left int64 // steps until it looks up
	rest int64 // steps behind those
	ctx  context.Context
}

// stopped is what a Meter panics with.
type stopped struct{ error }

// NewMeter returns a Meter for a text of so many bytes.
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

// Steps counts several at once.
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
	if m.rest += m.left; m.rest < 0 { // what was taken beyond the last poll
		panic(stopped{ErrInvolved})
	}
	m.left = min(pollEvery, m.rest)
	m.rest -= m.left
}

// Stopped tells why a Meter ended a scanner, of what was recovered from a panic; nil of any other panic.
func Stopped(recovered any) error {
	s, _ := recovered.(stopped)
	return s.error
}
