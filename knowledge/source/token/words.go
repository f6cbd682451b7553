package token

import (
	"encoding/binary"
	"hash/maphash"
)

// Words numbers the words of a file in the order in which they are met, from 0 on, so that what is known of a word is
// found by index. What it keeps of a word is the string that it was given: Reset lets go of the file's text.
type Words struct {
	slots []slot // by hash; a power of two
	spare []slot // empty, for the next growth
	list  []string
}

// slot holds a part of the hash of a word and its number plus one; 0 where there is none.
type slot struct {
	sum  uint32
	next int32
}

// fewSlots is how many slots a file begins with.
const fewSlots = 512

var seed = maphash.MakeSeed()

// Number returns the number of a word. One that is met first gets the next.
func (w *Words) Number(s string) int32 {
	sum := uint32(maphash.String(seed, s))
	at, n := lookUp(w, s, sum)
	if n < 0 {
		n = w.add(at, s, sum)
	}
	return n
}

// NumberOf is Number for a word that is no string yet, and becomes one only when it is new.
func (w *Words) NumberOf(b []byte) int32 {
	sum := uint32(maphash.Bytes(seed, b))
	at, n := lookUp(w, b, sum)
	if n < 0 {
		n = w.add(at, string(b), sum)
	}
	return n
}

// Find returns the number of a word, -1 when it was not met.
func (w *Words) Find(s string) int32 {
	_, n := lookUp(w, s, uint32(maphash.String(seed, s)))
	return n
}

// FindOf is Find for a word that is no string.
func (w *Words) FindOf(b []byte) int32 {
	_, n := lookUp(w, b, uint32(maphash.Bytes(seed, b)))
	return n
}

// lookUp finds a word, or the slot that it belongs to.
func lookUp[T string | []byte](w *Words, word T, sum uint32) (at uint32, n int32) {
	if 2*(len(w.list)+1) > len(w.slots) {
		w.grow()
	}
	mask := uint32(len(w.slots) - 1)
	for at = sum & mask; ; at = (at + 1) & mask {
		s := w.slots[at]
		if s.next == 0 || s.sum == sum && w.list[s.next-1] == string(word) {
			return at, s.next - 1
		}
	}
}

func (w *Words) add(at uint32, s string, sum uint32) int32 {
	w.list = append(w.list, s)
	w.slots[at] = slot{sum, int32(len(w.list))}
	return int32(len(w.list) - 1)
}

func (w *Words) grow() {
	old, n := w.slots, max(fewSlots, 2*len(w.slots))
	if cap(w.spare) < n {
		w.spare = make([]slot, n)
	}
	w.slots = w.spare[:n]
	mask := uint32(len(w.slots) - 1)
	for _, s := range old {
		at := s.sum & mask
		for s.next != 0 && w.slots[at].next != 0 {
			at = (at + 1) & mask
		}
		if s.next != 0 {
			w.slots[at] = s
		}
	}
	clear(old)
	w.spare = old
}

// Text is the word with a number.
func (w *Words) Text(n int32) string { return w.list[n] }

// Head is the first bytes of a word, as a number that compares as they do: it tells most words apart without their
// texts.
func (w *Words) Head(n int32) uint64 {
	var first [8]byte
	copy(first[:], w.list[n])
	return binary.BigEndian.Uint64(first[:])
}

// Len is how many words there are.
func (w *Words) Len() int { return len(w.list) }

// CopyOf makes w hold the words of other, with their numbers, and none else.
func (w *Words) CopyOf(other *Words) {
	w.Reset()
	w.slots = append(w.slots[:0], other.slots...)
	w.list = append(w.list, other.list...)
}

// Reset forgets the words and keeps the memory.
func (w *Words) Reset() {
	clear(w.slots)
	clear(w.list)
	w.slots = w.slots[:min(len(w.slots), fewSlots)] // so that clearing them costs what the file is worth
	w.list = w.list[:0]
}
