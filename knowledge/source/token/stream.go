package token

import "slices"

// Stream is the tokens of a file framed for digests, once: whatever consists of some of them is then digested from a
// piece of it. Parts grows by source.AppendPart, which frames as a source.Hasher does, and Mark says where the parts
// of the next token begin. A token may have several parts, or none when it counts for nothing.
type Stream struct {
	Parts  []byte
	starts []uint32 // of each token in Parts
}

// Reset empties s for a file of so many tokens, whose spellings have about size bytes. It keeps the memory.
func (s *Stream) Reset(tokens, size int) {
	s.Parts = slices.Grow(s.Parts[:0], size+tokens)
	s.starts = slices.Grow(s.starts[:0], tokens)
}

// Mark begins the next token.
func (s *Stream) Mark() { s.starts = append(s.starts, uint32(len(s.Parts))) }

// Of returns the framed parts of the tokens from one up to another, that one excluded.
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
