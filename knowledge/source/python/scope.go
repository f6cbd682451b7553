package python

import "github.com/causaldocs/causal/knowledge/source"

// use is a use of a name before its binding is known.
type use struct {
	root        int32 // word of its first name
	first, last int32 // tokens of the dotted name
	from        int32 // first selector after base
	base        int32
	owner       int32
	kind        source.How
	outer       bool // in an inner scope: class names do not bind it
	global      bool // declared global
	imported    bool // bound by an import inside a function
	settled     bool // base is a class of the module
	program     bool
}

type loose struct {
	token, owner int32
	kind         source.How
	program      bool
}

// bound is a word bound by a scope.
type bound struct {
	word  int32
	place int32 // first token at which it holds; for comprehensions and lambdas, the depth of its owner
	token int32 // assignment token, or byImport or byOther
}

// Kinds of binding other than assignment.
const (
	byOther  = -1
	byImport = -2
)

// base is a known type: a class of the module by name, or a type as written.
type base struct {
	class       string
	first, last int32
	root        int32
	header      bool // in the function's header, outside its scope
	constructor bool // a call that constructs it if it is a class
}

type typedName struct{ word, base int32 }

// space is a scope with a body: the module, a class or a function.
type space struct {
	level              int32
	kind               place
	head, uses         int32 // start of the uses in its header and body
	binds, typed       int32
	parameters         []int32 // type parameters
	globals, nonlocals []int32
	symbol             int32  // of a class, otherwise -1
	receiver           int32  // word of the self or cls parameter, or -1
	class              string // class of receiver
	owner              int32  // owner of the code after it
	hidden             bool
}

// maxSpaces bounds the nesting of scopes that are distinguished.
const maxSpaces = 64

// Binding kinds of a word, in the low bits of its stamp.
const (
	boundOnce = iota
	boundAgain
	boundImport // only by imports
	boundGlobal
	boundNonlocal
)

const boundBits = 3

// Module-level bindings of a word.
const (
	markBound    uint8 = 1 << iota // in any way
	markImport                     // an import
	markClass                      // a class that is a symbol
	markDeclared                   // another symbol
	markSymbol                     // the word is a symbol's full name; places holds its number
)

func (w *walker) space() *space { return &w.spaces[len(w.spaces)-1] }

func (w *walker) word(i int) int32 { return w.numbered(w.text(i)) }

func (w *walker) numbered(s string) int32 {
	n := w.words.Number(s)
	w.widen(n)
	return n
}

func (w *walker) widen(n int32) {
	if int(n) >= len(w.stamps) {
		w.widenMore()
	}
}

func (w *walker) widenMore() {
	more := max(256, len(w.stamps))
	w.stamps, w.slots = append(w.stamps, make([]int32, more)...), append(w.slots, make([]int32, more)...)
	w.marks, w.places = append(w.marks, make([]uint8, more)...), append(w.places, make([]int32, more)...)
}

// use records the dotted name in tokens first to last.
func (w *walker) use(first, last int, k source.How) {
	if w.hidden > 0 {
		return
	}
	w.uses = append(w.uses, use{
		root: w.word(first), first: int32(first), last: int32(last), owner: w.owner, kind: k, program: w.program,
	})
}

func (w *walker) selected(i int, k source.How) {
	if w.hidden == 0 {
		w.loose = append(w.loose, loose{token: int32(i), owner: w.owner, kind: k, program: w.program})
	}
}

// selections records the members of a use from a token on.
func (w *walker) selections(u *use, from int32) {
	for i := from; i <= u.last; i += 2 {
		k := source.AsValue
		if i == u.last {
			k = u.kind
		}
		w.loose = append(w.loose, loose{token: i, owner: u.owner, kind: k, program: u.program})
	}
}

func (w *walker) bind(i int) { w.bindWord(w.word(i), int32(i), markBound) }

func (w *walker) bindOther(i int) { w.bindWord(w.word(i), byOther, markBound) }

func (w *walker) bindImport(i int) { w.bindWord(w.word(i), byImport, markBound|markImport) }

func (w *walker) bindWord(word, token int32, mark uint8) {
	if w.space().kind == inModule {
		w.marks[word] |= mark
		return
	}
	w.binds = append(w.binds, bound{word: word, place: w.effect, token: token})
}
