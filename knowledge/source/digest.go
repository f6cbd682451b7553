package source

import (
	"encoding/binary"
	"sync"

	"github.com/causaldocs/causal/knowledge/fact"
)

// Digest identifies content, as facts do. Empty means "nothing was there to digest".
type Digest string

// Hasher builds a Digest from a sequence of parts. Parts are framed by their length, so that moving a byte from one
// part to its neighbour gives another digest. It keeps what it was given until it is reset: one pass over all of it
// costs less than many over little. The zero value is ready.
type Hasher struct {
	framed []byte
}

// NewHasher returns an empty Hasher.
func NewHasher() *Hasher { return &Hasher{} }

// hashed returns the digest of what add adds.
func hashed(add func(h *Hasher)) Digest {
	h := hashers.Get().(*Hasher)
	defer hashers.Put(h)
	h.Reset()
	add(h)
	return h.Sum()
}

var hashers = sync.Pool{New: func() any { return NewHasher() }}

// Add appends one part.
func (h *Hasher) Add(part string) { h.framed = AppendPart(h.framed, part) }

// AddBytes appends one part.
func (h *Hasher) AddBytes(part []byte) { h.framed = AppendPart(h.framed, part) }

// AddFramed appends any number of parts that AppendPart has framed.
func (h *Hasher) AddFramed(parts []byte) { h.framed = append(h.framed, parts...) }

// AppendPart appends one part to framed as a Hasher does.
func AppendPart[T string | []byte](framed []byte, part T) []byte {
	return append(binary.AppendUvarint(framed, uint64(len(part))), part...)
}

// Sum returns the digest of all parts so far.
func (h *Hasher) Sum() Digest { return Digest(fact.Sum(h.framed)) }

// Reset empties h for another use.
func (h *Hasher) Reset() { h.framed = h.framed[:0] }

// DigestOf is the digest of the given parts, in order.
func DigestOf(parts ...string) Digest { return Digest(fact.Digest(parts...)) }
