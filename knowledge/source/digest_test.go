package source_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestDigestOfFramedParts: whichever way parts come in, the digest is the same.
func TestDigestOfFramedParts(t *testing.T) {
	t.Parallel()
	parts := []string{"", "a", strings.Repeat("b", 127), strings.Repeat("c", 128), strings.Repeat("d", 5000)}
	h, texts, bytes := source.NewHasher(), source.NewHasher(), source.NewHasher()
	var framed []byte
	for _, p := range parts {
		texts.Add(p)
		bytes.AddBytes([]byte(p))
		framed = source.AppendPart(framed, p)
	}
	h.AddFramed(framed)
	want := source.DigestOf(parts...)
	for _, h := range []*source.Hasher{h, texts, bytes} {
		if got := h.Sum(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if kept := source.Digest("Q8H32zofr0POnrVy"); want != kept {
		t.Errorf("stored digests would not be found again: got %s, want %s", want, kept)
	}
}
