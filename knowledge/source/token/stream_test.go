package token_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/token"
)

// streamOf frames tokens with any number of parts.
func streamOf(s *token.Stream, tokens [][]string) {
	s.Reset(len(tokens), 0)
	for _, parts := range tokens {
		s.Mark()
		for _, p := range parts {
			s.Parts = source.AppendPart(s.Parts, p)
		}
	}
}

// TestStreamIsWhatAHasherIsGiven: a slice of the stream has the same digest as its parts one by one.
func TestStreamIsWhatAHasherIsGiven(t *testing.T) {
	t.Parallel()
	var s token.Stream // used again, as scanners do
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.OneOf(rapid.StringN(0, 4, -1), rapid.StringOfN(rapid.Just('x'), 126, 130, -1))
		tokens := rapid.SliceOfN(rapid.SliceOfN(part, 0, 3), 0, 20).Draw(t, "tokens")
		streamOf(&s, tokens)
		from, to := rapid.IntRange(0, len(tokens)).Draw(t, "from"), rapid.IntRange(0, len(tokens)+3).Draw(t, "to")
		want, got := source.NewHasher(), source.NewHasher()
		for i := from; i < min(to, len(tokens)); i++ {
			for _, p := range tokens[i] {
				want.Add(p)
			}
		}
		got.AddFramed(s.Of(from, to))
		if got.Sum() != want.Sum() {
			t.Fatalf("%d to %d of %q is %q", from, to, tokens, s.Of(from, to))
		}
	})
}

func TestStreamOfNothing(t *testing.T) {
	t.Parallel()
	var s token.Stream
	streamOf(&s, [][]string{{"a"}, {}, {"b", "c"}})
	for _, c := range []struct {
		from, to int
		want     string
	}{
		{0, 0, ""},
		{2, 1, ""},
		{3, 3, ""},
		{3, 9, ""},
		{1, 2, ""},
		{0, 1, "\x01a"},
		{0, 3, "\x01a\x01b\x01c"},
		{2, 9, "\x01b\x01c"},
	} {
		if got := s.Of(c.from, c.to); string(got) != c.want {
			t.Errorf("%d to %d is %q, want %q", c.from, c.to, got, c.want)
		}
	}
	s.Reset(0, 0)
	if got := s.Of(0, 1); len(got) > 0 {
		t.Errorf("after Reset there is %q", got)
	}
}

// FuzzStream divides a text into tokens at every space: a slice never contains parts of its neighbours.
func FuzzStream(f *testing.F) {
	f.Add([]byte("func f ( )"), uint8(1), uint8(3))
	f.Add([]byte(" "), uint8(0), uint8(9))
	f.Fuzz(func(t *testing.T, text []byte, from, to uint8) {
		words := bytes.Split(text, []byte(" "))
		var s token.Stream
		s.Reset(len(words), len(text))
		for _, w := range words {
			s.Mark()
			s.Parts = source.AppendPart(s.Parts, w)
		}
		var want []byte
		for i := int(from); i < min(int(to), len(words)); i++ {
			want = source.AppendPart(want, words[i])
		}
		if got := s.Of(int(from), int(to)); !bytes.Equal(got, want) {
			t.Errorf("%d to %d of %q is %q, want %q", from, to, words, got, want)
		}
	})
}
