package cfamily

import (
	"cmp"
	"encoding/binary"
	"strings"
)

// wordTable numbers the names of a file.
type wordTable struct {
	words []wordUse
	table []int32 // open addressing, a power of two
	idOf  []int32 // by token; none while directives are read
}

// wordUse is what is known of a name.
type wordUse struct {
	spelled string // in the source, its parts joined by dots
	name    string // as it is stored
	order   uint64 // its first bytes, to compare
	hash    uint32
	is      uint8
	local   int32 // 1 + the innermost local of this name
	seen    [6]int32
	free    int32 // the entry that full was found for
	full    int32 // what the name means there, 0 for something else's member
}

const (
	wordKnown    = 1 << iota // the file declares it
	wordStandard             // every file may use it
	wordOfMacro              // a macro of the file declares it where it is used
	wordCapitals             // spelled as macros are
	wordDotted
	wordTail // some name that the file declares ends with it
)

// basis holds the words that every file starts with.
var basis = func() *wordTable {
	t := &wordTable{words: make([]wordUse, 1), table: make([]int32, 256)}
	for _, s := range standard {
		mark(t, s, wordStandard)
	}
	return t
}()

// clear makes the table ready for a file of n tokens.
func (t *wordTable) clear(n int) {
	t.words = append(t.words[:0], basis.words...)
	t.table = append(t.table[:0], basis.table...)
	if cap(t.idOf) < n {
		t.idOf = make([]int32, n)
	}
	t.idOf = t.idOf[:n]
	clear(t.idOf)
}

// id is the number of the name at token i.
func (u *uses) id(i int) int32 {
	if i >= len(u.idOf) {
		return numberOf(&u.wordTable, u.spelling(u.tokens[i]))
	}
	if u.idOf[i] == 0 {
		u.idOf[i] = numberOf(&u.wordTable, u.spelling(u.tokens[i]))
	}
	return u.idOf[i]
}

// mark says what a name is.
func mark[S string | []byte](t *wordTable, spelling S, is uint8) {
	t.words[numberOf(t, spelling)].is |= is
}

// lookup finds a name: the number of one that is known, or 0, and where it belongs in the table.
func lookup[S string | []byte](t *wordTable, spelling S) (id int32, hash, at uint32) {
	hash = 2166136261
	for i := range len(spelling) {
		hash = (hash ^ uint32(spelling[i])) * 16777619
	}
	mask := uint32(len(t.table) - 1)
	for at = hash & mask; ; at = (at + 1) & mask {
		id = t.table[at]
		if id == 0 {
			return 0, hash, at
		}
		if w := &t.words[id]; w.hash == hash && w.spelled == string(spelling) {
			return id, hash, at
		}
	}
}

// numberOf is the number of a name.
func numberOf[S string | []byte](t *wordTable, spelling S) int32 {
	id, hash, at := lookup(t, spelling)
	if id > 0 {
		return id
	}
	id = int32(len(t.words))
	t.table[at] = id
	w := wordUse{spelled: string(spelling), hash: hash}
	w.name = valid(w.spelled)
	var first [8]byte
	copy(first[:], w.spelled)
	w.order = binary.BigEndian.Uint64(first[:])
	if looksMacro(w.spelled) {
		w.is |= wordCapitals
	}
	if strings.IndexByte(w.spelled, '.') >= 0 {
		w.is |= wordDotted
	}
	t.words = append(t.words, w)
	if 2*len(t.words) > len(t.table) {
		t.grow()
	}
	return id
}

func (t *wordTable) grow() {
	t.table = make([]int32, 2*len(t.table))
	mask := uint32(len(t.table) - 1)
	for id := 1; id < len(t.words); id++ {
		at := t.words[id].hash & mask
		for t.table[at] != 0 {
			at = (at + 1) & mask
		}
		t.table[at] = int32(id)
	}
}

// compareWords compares two names as their spellings do.
func (t *wordTable) compareWords(a, b int32) int {
	if a == b {
		return 0
	}
	x, y := &t.words[a], &t.words[b]
	if c := cmp.Compare(x.order, y.order); c != 0 {
		return c
	}
	return strings.Compare(x.spelled, y.spelled)
}

// past is the index behind the bracket at i, as after, and the end of the file behind that.
func (u *uses) past(i int) int {
	if i >= len(u.tokens) {
		return len(u.tokens)
	}
	return u.after(i)
}
