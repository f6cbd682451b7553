package token

import "slices"

// Stream holds the tokens of a file framed for digests, so that the digest of a range of tokens needs only a slice of
// it. Parts grows by source.AppendPart, with the framing of a source.Hasher; Mark begins the next token. A token may
// have several parts, or none if it does not count.
type Stream struct {
	Parts  []byte
	starts []uint32 // start of each token in Parts
}

// Reset empties s for a file with so many tokens, of size bytes in sum. It keeps the memory.
func (s *Stream) Reset(tokens, size int) {
	s.Parts = slices.Grow(s.Parts[:0], size+tokens)
	s.starts = slices.Grow(s.starts[:0], tokens)
}

// Mark begins the next token.
func (s *Stream) Mark() { s.starts = append(s.starts, uint32(len(s.Parts))) }

// Of returns the framed parts of a range of tokens, without to.
func (s *Stream) Of(from, to int) []byte {
	if to = min(to, len(s.starts)); from >= to {
		return nil
	}
	end := len(s.Parts)
	if to < len(s.starts) {
		end = int(s.starts[to])
	}
	return s.Parts[s.starts[from]:end]
}
