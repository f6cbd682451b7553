// Package costtest holds readers of outside text to memory in proportion to the text, so that fuzzers look for cost as well
// as for panics. What takes steps but no memory is found by app/proof/linear, whose counters a fuzzer cannot have.
package costtest

import (
	"bytes"
	"runtime/metrics"
	"testing"
)

const (
	// shortest and growth make two texts of one that is shorter: what grows with the square of a text shows so in a few
	// kilobytes.
	shortest = 2 << 10
	growth   = 8
	// free is what any text may take: tables that are made once, and pools that the text before has emptied.
	free = 1 << 20
	// perByte is ten times what the most wasteful reader takes for a byte, and grow is for lists that grow by doubling.
	perByte = 5000
	grow    = 3
	// few is what a byte of a longer text may take however little a shorter one took: that may have lived on pools alone.
	few = 500
)

// Hold reads a text and, repeated, two longer ones, and fails where that takes more memory than in proportion.
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

// cost is how many bytes are allocated while a text is read, by whomever.
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
