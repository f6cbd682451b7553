// Package costtest checks that readers of outside text use memory in proportion to the text, so that fuzzers find
// cost as well as panics. app/proof/linear finds what takes steps but no memory, because a fuzzer cannot use its
// counters.
package costtest

import (
	"bytes"
	"runtime/metrics"
	"testing"
)

const (
	// shortest and growth determine two longer texts from a given one: quadratic growth shows within a few kilobytes.
	shortest = 2 << 10
	growth   = 8
	// free is allowed for any text: tables that are made once, and refilled pools.
	free = 1 << 20
	// perByte is ten times the usage of the most wasteful reader, and grow allows for lists that grow by doubling.
	perByte = 5000
	grow    = 3
	// few is always allowed per byte of a longer text: the shorter one may have used pools only.
	few = 500
)

// Hold reads a text and two longer texts of its repetitions, and fails if memory grows faster than their length.
func Hold(t testing.TB, text []byte, read func(text []byte)) {
	t.Helper()
	once := cost(text, read)
	if once > free+perByte*uint64(len(text)) {
		t.Errorf("%d bytes are allocated for %d bytes of text", once, len(text))
	}
	if len(text) == 0 || len(text) > shortest {
		return
	}
	text = bytes.Repeat(text, shortest/len(text))
	short := cost(text, read)
	size := uint64(growth * len(text))
	long := cost(bytes.Repeat(text, growth), read)
	if long > free+perByte*size || long > free+max(few*size, grow*growth*short) {
		t.Errorf("%d bytes are allocated for %d bytes of text, and %d for %d times as many", short, len(text), long, growth)
	}
}

// cost returns the bytes allocated by the program while a text is read.
func cost(text []byte, read func([]byte)) uint64 {
	before := allocated()
	read(text)
	return allocated() - before
}

func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
