package source

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// Digest identifies content: 24 hexadecimal digits of a SHA-256. Empty means "nothing was there to digest".
type Digest string

// Hasher builds a Digest from a sequence of parts. Parts are framed by their length, so that moving a byte from one
// part to its neighbour gives another digest. The zero value is not ready: use NewHasher.
type Hasher struct {
	h   hash.Hash
	buf []byte
	sum [sha256.Size]byte
}

// NewHasher returns an empty Hasher.
func NewHasher() *Hasher { return &Hasher{h: sha256.New()} }

// Add appends one part.
func (h *Hasher) Add(part string) {
	h.buf = binary.AppendUvarint(h.buf, uint64(len(part)))
	h.buf = append(h.buf, part...)
	h.flush()
}

// AddBytes appends one part.
func (h *Hasher) AddBytes(part []byte) {
	h.buf = binary.AppendUvarint(h.buf, uint64(len(part)))
	h.buf = append(h.buf, part...)
	h.flush()
}

func (h *Hasher) flush() {
	if len(h.buf) >= 4096 {
		h.h.Write(h.buf)
		h.buf = h.buf[:0]
	}
}

// Sum returns the digest of all parts so far.
func (h *Hasher) Sum() Digest {
	h.h.Write(h.buf)
	h.buf = h.buf[:0]
	var digits [24]byte
	hex.Encode(digits[:], h.h.Sum(h.sum[:0])[:12])
	return Digest(digits[:])
}

// Reset empties h for another use.
func (h *Hasher) Reset() {
	h.h.Reset()
	h.buf = h.buf[:0]
}

// DigestOf is the digest of the given parts, in order.
func DigestOf(parts ...string) Digest {
	h := NewHasher()
	for _, p := range parts {
		h.Add(p)
	}
	return h.Sum()
}
