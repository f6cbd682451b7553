package cfamily

import (
	"cmp"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// wordTable numbers the names of a file.
type wordTable struct {
	kernel.Words
	words []wordUse
	idOf  []int32 // by token; none while directives are read
}

// wordUse is what is known of a name.
type wordUse struct {
	name  string // as it is stored
	order uint64 // its first bytes, to compare
	is    uint8
	local int32    // 1 + the innermost local of this name
	seen  [6]int32 // by how: the last use, counted from 1 throughout the file
	free  int32    // the entry that full was found for
	full  int32    // what the name means there, 0 for something else's member
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
var basis = lazy.Value[*wordTable]{Make: func() *wordTable {
	t := &wordTable{}
	t.number("\n") // 0 is no name
	for _, s := range standard {
		t.mark(t.number(s), wordStandard)
	}
	return t
}}

// clear makes the table ready for a file of n tokens.
func (t *wordTable) clear(n int) {
	t.CopyOf(&basis.Get().Words)
	t.words = append(t.words[:0], basis.Get().words...)
	if cap(t.idOf) < n {
		t.idOf = make([]int32, n)
	}
	t.idOf = t.idOf[:n]
	clear(t.idOf)
}

// id is the number of the name at token i.
func (u *uses) id(i int) int32 {
	if i >= len(u.idOf) {
		return u.numberOf(u.spelling(u.tokens[i]))
	}
	if u.idOf[i] == 0 {
		u.idOf[i] = u.numberOf(u.spelling(u.tokens[i]))
	}
	return u.idOf[i]
}

// mark says what a name is.
func (t *wordTable) mark(id int32, is uint8) { t.words[id].is |= is }

// number is the number of a name.
func (t *wordTable) number(name string) int32 { return t.known(t.Number(name)) }

// numberOf is number for a spelling.
func (t *wordTable) numberOf(spelling []byte) int32 { return t.known(t.NumberOf(spelling)) }

// known notes what a new name tells by itself.
func (t *wordTable) known(id int32) int32 {
	if int(id) < len(t.words) {
		return id
	}
	spelled := t.Text(id)
	w := wordUse{name: valid(spelled), order: t.Head(id)}
	if looksMacro(spelled) {
		w.is |= wordCapitals
	}
	if strings.IndexByte(spelled, '.') >= 0 {
		w.is |= wordDotted
	}
	t.words = append(t.words, w)
	return id
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
	return strings.Compare(t.Text(a), t.Text(b))
}

// past is the index behind the bracket at i, as after, and the end of the file behind that.
func (u *uses) past(i int) int {
	if i >= len(u.tokens) {
		return len(u.tokens)
	}
	return u.after(i)
}
