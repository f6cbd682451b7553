package python

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"
)

// wordTable numbers the words of a file.
type wordTable struct {
	slots []wordSlot // by hash; a power of two
	spare []wordSlot // empty, for the next growth
	list  []string
}

// fewSlots is how many slots a file begins with.
const fewSlots = 512

// wordSlot holds the hash of a word and its number plus one, 0 where there is none.
type wordSlot struct {
	sum  uint32
	next int32
}

var seed = maphash.MakeSeed()

// number returns the number of a word, a new one when it is met first.
func (t *wordTable) number(s string) int32 {
	sum := uint32(maphash.String(seed, s))
	at, n := lookUp(t, s, sum)
	if n < 0 {
		n = t.add(at, s, sum)
	}
	return n
}

// numberOf is number for a word that is no string yet.
func (t *wordTable) numberOf(b []byte) int32 {
	sum := uint32(maphash.Bytes(seed, b))
	at, n := lookUp(t, b, sum)
	if n < 0 {
		n = t.add(at, string(b), sum)
	}
	return n
}

// find returns the number of a word, -1 when it was not met.
func (t *wordTable) find(b []byte) int32 {
	_, n := lookUp(t, b, uint32(maphash.Bytes(seed, b)))
	return n
}

// lookUp finds a word, or the slot that it belongs to.
func lookUp[T string | []byte](t *wordTable, word T, sum uint32) (at uint32, n int32) {
	if 2*(len(t.list)+1) > len(t.slots) {
		t.grow()
	}
	mask := uint32(len(t.slots) - 1)
	for at = sum & mask; ; at = (at + 1) & mask {
		slot := t.slots[at]
		if slot.next == 0 || slot.sum == sum && t.list[slot.next-1] == string(word) {
			return at, slot.next - 1
		}
	}
}

func (t *wordTable) add(at uint32, s string, sum uint32) int32 {
	t.list = append(t.list, s)
	t.slots[at] = wordSlot{sum, int32(len(t.list))}
	return int32(len(t.list) - 1)
}

func (t *wordTable) grow() {
	old, n := t.slots, max(fewSlots, 2*len(t.slots))
	if cap(t.spare) < n {
		t.spare = make([]wordSlot, n)
	}
	t.slots = t.spare[:n]
	mask := uint32(len(t.slots) - 1)
	for _, slot := range old {
		i := slot.sum & mask
		for slot.next != 0 && t.slots[i].next != 0 {
			i = (i + 1) & mask
		}
		if slot.next != 0 {
			t.slots[i] = slot
		}
	}
	clear(old)
	t.spare = old
}

func (t *wordTable) text(n int32) string { return t.list[n] }

func (t *wordTable) count() int { return len(t.list) }

// reset forgets the words and keeps the memory.
func (t *wordTable) reset() {
	clear(t.slots)
	clear(t.list)
	t.slots = t.slots[:min(len(t.slots), fewSlots)] // so that clearing them costs what the file is worth
	t.list = t.list[:0]
}

// ranked is a word with its first bytes, which tell most words apart.
type ranked struct {
	head uint64
	word int32
}

func (t *wordTable) ranked(n int32) ranked {
	var head [8]byte
	copy(head[:], t.list[n])
	return ranked{binary.BigEndian.Uint64(head[:]), n}
}

// sort orders words by their text.
func (t *wordTable) sort(list []ranked) {
	slices.SortFunc(list, func(a, b ranked) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return strings.Compare(t.list[a.word], t.list[b.word])
	})
}
