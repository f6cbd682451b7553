package token

import "hash/maphash"

// Words numbers the distinct words of a file from 0 in order of occurrence, for tables by index. It keeps the given
// strings, so Reset releases the file's text.
type Words struct {
	slots []slot // by hash; the length is a power of two
	spare []slot // empty, for the next growth
	list  []string
}

// slot holds a part of a word's hash and its number plus one; 0 if it is empty.
type slot struct {
	sum  uint32
	next int32
}

// fewSlots is the initial number of slots.
const fewSlots = 512

var seed = maphash.MakeSeed()

// Number returns the number of a word, and adds it if it is new.
func (w *Words) Number(s string) int32 {
	sum := uint32(maphash.String(seed, s))
	at, n := lookUp(w, s, sum)
	if n < 0 {
		n = w.add(at, s, sum)
	}
	return n
}

// NumberOf is Number for bytes, which are only copied if the word is new.
func (w *Words) NumberOf(b []byte) int32 {
	sum := uint32(maphash.Bytes(seed, b))
	at, n := lookUp(w, b, sum)
	if n < 0 {
		n = w.add(at, string(b), sum)
	}
	return n
}

// Find returns the number of a word, or -1.
func (w *Words) Find(s string) int32 {
	_, n := lookUp(w, s, uint32(maphash.String(seed, s)))
	return n
}

// FindOf is Find for bytes.
func (w *Words) FindOf(b []byte) int32 {
	_, n := lookUp(w, b, uint32(maphash.Bytes(seed, b)))
	return n
}

// lookUp finds a word, or the slot for it.
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

// Text returns the word with a number.
func (w *Words) Text(n int32) string { return w.list[n] }

// Spell appends the word with a number.
func (w *Words) Spell(to []byte, n int32) []byte { return append(to, w.list[n]...) }

// Len returns the number of words.
func (w *Words) Len() int { return len(w.list) }

// CopyOf makes w a copy of other.
func (w *Words) CopyOf(other *Words) {
	w.Reset()
	w.slots = append(w.slots[:0], other.slots...)
	w.list = append(w.list, other.list...)
}

// Reset removes all words and keeps the memory.
func (w *Words) Reset() {
	clear(w.slots)
	clear(w.list)
	w.slots = w.slots[:min(len(w.slots), fewSlots)] // clearing takes time in proportion to the file
	w.list = w.list[:0]
}
