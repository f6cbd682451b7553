package source

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"sync"

	"github.com/causaldocs/causal/knowledge/fact"
)

// Digest identifies content. Empty means that there was nothing to digest.
type Digest string

// Hasher builds a Digest from parts framed by their length, so moving a byte between neighbors changes the digest. It
// buffers the parts, because one pass over all of them is cheaper than many small ones. The zero value is ready to
// use.
type Hasher struct {
	framed []byte
}

// NewHasher returns an empty Hasher.
func NewHasher() *Hasher { return &Hasher{} }

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

// AddFramed appends parts framed by AppendPart.
func (h *Hasher) AddFramed(parts []byte) { h.framed = append(h.framed, parts...) }

// AppendPart appends one part to framed in the Hasher's format.
func AppendPart[T string | []byte](framed []byte, part T) []byte {
	return append(binary.AppendUvarint(framed, uint64(len(part))), part...)
}

// Sum returns the digest of all parts added since the last Reset.
func (h *Hasher) Sum() Digest { return Digest(fact.Sum(h.framed)) }

// Reset empties h for reuse.
func (h *Hasher) Reset() { h.framed = h.framed[:0] }

// TestContent returns the digest of the parts of a test file that pages show.
func TestContent(f *File) Digest {
	return hashed(func(h *Hasher) {
		for _, t := range f.Tests {
			h.Add(t)
		}
		for _, e := range f.Examples {
			h.Add("example " + e.Symbol + " " + e.Suffix)
			h.Add(e.Doc)
			h.Add(e.Code)
			h.Add(e.Output)
		}
		for _, imp := range f.Imports {
			h.Add(fmt.Sprint("import ", imp.Path, imp.All, imp.Reexport))
			for _, n := range imp.Names {
				h.Add(n.Name)
				h.Add(n.As)
			}
		}
		h.Add(strconv.FormatBool(f.Problem != ""))
	})
}

// DigestOf returns the digest of parts, in order.
func DigestOf(parts ...string) Digest { return Digest(fact.Digest(parts...)) }
