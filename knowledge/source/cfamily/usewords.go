package cfamily

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// wordTable numbers a file's names.
type wordTable struct {
	kernel.Words
	words []wordUse
	idOf  []int32 // by token; nil for directives
}

type wordUse struct {
	is    uint8
	local int32 // 1 + the innermost local with this name
	free  int32 // the entry that full is valid for
	full  int32 // the meaning there; 0 for another type's member
}

const (
	wordKnown    = 1 << iota // declared in the file
	wordStandard             // predeclared
	wordOfMacro              // declared by a macro of the file
	wordCapitals             // spelled like a macro
	wordDotted
	wordTail // the last element of a declared name
)

// basis holds the predeclared words.
var basis = lazy.Value[*wordTable]{Make: func() *wordTable {
	t := &wordTable{}
	t.number("\n") // 0 is not a name
	for _, s := range standard {
		t.mark(t.number(s), wordStandard)
	}
	return t
}}

func newWordTable(tokens int) wordTable {
	return wordTable{basis.Get().Clone(), slices.Clone(basis.Get().words), make([]int32, tokens)}
}

func (u *uses) id(i int) int32 {
	if i >= len(u.idOf) {
		return u.numberOf(u.spelling(u.tokens[i]))
	}
	if u.idOf[i] == 0 {
		u.idOf[i] = u.numberOf(u.spelling(u.tokens[i]))
	}
	return u.idOf[i]
}

func (t *wordTable) mark(id int32, is uint8) { t.words[id].is |= is }

func (t *wordTable) number(name string) int32 { return t.known(t.Number(name)) }

func (t *wordTable) numberOf(spelling []byte) int32 { return t.known(t.NumberOf(spelling)) }

func (t *wordTable) known(id int32) int32 {
	if int(id) < len(t.words) {
		return id
	}
	spelled := t.Text(id)
	w := wordUse{}
	if looksMacro(spelled) {
		w.is |= wordCapitals
	}
	if strings.IndexByte(spelled, '.') >= 0 {
		w.is |= wordDotted
	}
	t.words = append(t.words, w)
	return id
}

func (u *uses) past(i int) int {
	if i >= len(u.tokens) {
		return len(u.tokens)
	}
	return u.after(i)
}
