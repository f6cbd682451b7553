package python

// wordTable numbers the words of a file.
type wordTable struct {
	slots []int32 // number+1 by hash, 0 where there is none; a power of two
	list  []string
	sums  []uint32
}

// number returns the number of a word, a new one when it is met first.
func (t *wordTable) number(s string) int32 {
	if 2*(len(t.list)+1) > len(t.slots) {
		t.grow()
	}
	sum := hashOf(s)
	mask := uint32(len(t.slots) - 1)
	for i := sum & mask; ; i = (i + 1) & mask {
		n := t.slots[i] - 1
		if n < 0 {
			t.list, t.sums = append(t.list, s), append(t.sums, sum)
			t.slots[i] = int32(len(t.list))
			return int32(len(t.list) - 1)
		}
		if t.sums[n] == sum && t.list[n] == s {
			return n
		}
	}
}

func (t *wordTable) grow() {
	t.slots = make([]int32, max(1024, 2*len(t.slots)))
	mask := uint32(len(t.slots) - 1)
	for n, sum := range t.sums {
		i := sum & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = int32(n + 1)
	}
}

// find returns the number of a word, -1 when it was not met.
func (t *wordTable) find(s string) int32 {
	if len(t.slots) == 0 {
		return -1
	}
	sum := hashOf(s)
	mask := uint32(len(t.slots) - 1)
	for i := sum & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if n := t.slots[i] - 1; t.sums[n] == sum && t.list[n] == s {
			return n
		}
	}
	return -1
}

func (t *wordTable) text(n int32) string { return t.list[n] }

func (t *wordTable) count() int { return len(t.list) }

// reset forgets the words and keeps the memory.
func (t *wordTable) reset() {
	clear(t.slots)
	clear(t.list)
	t.list, t.sums = t.list[:0], t.sums[:0]
}

// hashOf is FNV-1a with a last mixing, for only its low bits are looked at.
func hashOf(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h ^ h>>15
}
