package python

// use is a name that is used, until it is known what binds it.
type use struct {
	root        int32 // word of its first name
	first, last int32 // tokens of the dotted name
	from        int32 // the first selector, when base stands for what is before it
	base        int32
	owner       int32
	kind        useKind
	outer       bool // it stands in a scope inside: names of a class do not bind it
	global      bool // declared so
	imported    bool // an import in a function binds it
	settled     bool // base is a class of the module itself
	program     bool
}

type useKind uint8

// In the order of the words for them.
const (
	useCall useKind = iota
	useType
	useValue
)

// loose is a selection from a value of unknown type.
type loose struct {
	token, owner int32
	kind         useKind
	program      bool
}

// bound is a word that a scope binds.
type bound struct {
	word  int32
	place int32 // the token from which on it holds; of comprehensions and lambdas, which of them it belongs to
	token int32 // where it is assigned, or byImport, or byOther
}

// How a word is bound that is not assigned.
const (
	byOther  = -1
	byImport = -2
)

// base is what a name stands for whose type is known: a class of the module by its name, or a type as it is written.
type base struct {
	class       string
	first, last int32
	root        int32
	header      bool // written in the header of the function, outside of its scope
	constructor bool // a call that makes one if it is a class
}

// typedName is a variable with its type.
type typedName struct{ word, base int32 }

// space is a scope with a body: the module, a class, a function.
type space struct {
	level              int32
	kind               place
	head, uses         int32 // where the uses of its header and its body begin
	binds, typed       int32
	parameters         []int32 // type parameters
	globals, nonlocals []int32
	symbol             int32  // of a class, -1 without one
	receiver           int32  // the word of the parameter that holds the object or the class, -1 without one
	class              string // that receiver is of
	owner              int32  // of what follows it
	hidden             bool
}

// maxSpaces bounds how deep blocks that are scopes are told apart.
const maxSpaces = 64

// How a scope binds a word, in the low bits of its stamp.
const (
	boundOnce = iota
	boundAgain
	boundImport // by nothing but imports
	boundGlobal
	boundNonlocal
)

// boundBits is the width of the above.
const boundBits = 3

// What the module binds a word to.
const (
	markBound    uint8 = 1 << iota // in any way
	markImport                     // an import
	markClass                      // a class that is a symbol
	markDeclared                   // another symbol
	markSymbol                     // the word is the whole name of a symbol, whose number is in places
)

func (w *walker) space() *space { return &w.spaces[len(w.spaces)-1] }

// word is the number of a name.
func (w *walker) word(i int) int32 { return w.numbered(w.text(i)) }

func (w *walker) numbered(s string) int32 {
	n := w.words.Number(s)
	w.widen(n)
	return n
}

// widen makes room for what is noted of a word.
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

// use takes the dotted name in tokens first to last.
func (w *walker) use(first, last int, k useKind) {
	if w.hidden > 0 {
		return
	}
	w.uses = append(w.uses, use{
		root: w.word(first), first: int32(first), last: int32(last), owner: w.owner, kind: k, program: w.program,
	})
}

// selected takes a member of a value of unknown type.
func (w *walker) selected(i int, k useKind) {
	if w.hidden == 0 {
		w.loose = append(w.loose, loose{token: int32(i), owner: w.owner, kind: k, program: w.program})
	}
}

// selections takes the members that a use names from a token on.
func (w *walker) selections(u *use, from int32) {
	for i := from; i <= u.last; i += 2 {
		k := useValue
		if i == u.last {
			k = u.kind
		}
		w.loose = append(w.loose, loose{token: i, owner: u.owner, kind: k, program: u.program})
	}
}

// bind takes a name that is assigned at token i.
func (w *walker) bind(i int) { w.bindWord(w.word(i), int32(i), markBound) }

// bindOther takes a name that is bound by something that is no assignment.
func (w *walker) bindOther(i int) { w.bindWord(w.word(i), byOther, markBound) }

func (w *walker) bindImport(i int) { w.bindWord(w.word(i), byImport, markBound|markImport) }

func (w *walker) bindWord(word, token int32, mark uint8) {
	if w.space().kind == inModule {
		w.marks[word] |= mark
		return
	}
	w.binds = append(w.binds, bound{word: word, place: w.effect, token: token})
}
