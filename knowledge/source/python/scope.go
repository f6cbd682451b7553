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
	n := w.words.number(s)
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

// closeScopeOf sifts the uses of a comprehension or a lambda; depth tells what it binds from what others do.
func (w *walker) closeScopeOf(c context, depth int32) {
	w.serial++
	kept := w.inner[:c.inner]
	for _, b := range w.inner[c.inner:] {
		if b.place != depth {
			kept = append(kept, b)
			continue
		}
		w.stamps[b.word] = w.serial << boundBits
	}
	w.inner = kept
	w.sift(c.uses, c.iter, c.past)
}

// closeInner sifts the uses from one on by what is bound since inner.
func (w *walker) closeInner(uses, inner int, iter, past int32) {
	w.serial++
	for _, b := range w.inner[inner:] {
		w.stamps[b.word] = w.serial << boundBits
	}
	w.inner = w.inner[:inner]
	w.sift(int32(uses), iter, past)
}

// sift drops the uses that are stamped, but for those in [iter, past).
func (w *walker) sift(from, iter, past int32) {
	kept := from
	for i := from; i < int32(len(w.uses)); i++ {
		u := &w.uses[i]
		if i < iter || i >= past {
			if w.stamps[u.root]>>boundBits == w.serial && !u.settled && !u.global {
				w.dropLocal(u)
				continue
			}
			u.outer = true
		}
		if kept != i {
			w.uses[kept] = *u
		}
		kept++
	}
	w.uses = w.uses[:kept]
}

// dropLocal takes a use of a local name out: what is selected from it is not known.
func (w *walker) dropLocal(u *use) {
	from := u.from
	if u.base == 0 {
		from = u.first + 2
	}
	w.selections(u, from)
}

// leaveSpaces closes the scopes that a line at the given level is not part of.
func (w *walker) leaveSpaces(level int32) {
	for len(w.spaces) > 1 && w.space().level >= level {
		s := *w.space()
		w.spaces = w.spaces[:len(w.spaces)-1]
		switch {
		case s.hidden:
			w.hidden--
			w.binds, w.typed = w.binds[:s.binds], w.typed[:s.typed]
		case s.kind == inClass:
			w.closeClass(&s)
		default:
			w.closeFunction(&s)
		}
		w.owner = s.owner
	}
}

// stampBinds stamps what a function binds and returns what it binds for the function around it.
func (w *walker) stampBinds(s *space) (passed []bound) {
	w.serial++
	stamp := w.serial << boundBits
	for _, word := range s.nonlocals {
		w.stamps[word] = stamp | boundNonlocal
	}
	for _, word := range s.globals {
		w.stamps[word] = stamp | boundGlobal
	}
	for _, b := range w.binds[s.binds:] {
		switch w.stamps[b.word] {
		case stamp | boundImport:
			if b.token != byImport {
				w.stamps[b.word] = stamp | boundAgain
			}
		case stamp, stamp | boundAgain:
			w.stamps[b.word] = stamp | boundAgain
		case stamp | boundGlobal:
			w.marks[b.word] |= markBound
			if b.token >= 0 {
				w.uses = append(w.uses, use{root: b.word, first: b.token, last: b.token, owner: w.owner, kind: useValue, program: w.program})
			}
		case stamp | boundNonlocal:
			passed = append(passed, b)
		default:
			w.stamps[b.word] = stamp
			if b.token == byImport {
				w.stamps[b.word] = stamp | boundImport
			}
		}
	}
	return passed
}

func (w *walker) closeFunction(s *space) {
	program := w.program
	w.program = false
	passed := w.stampBinds(s)
	w.program = program
	w.knownTypes(s)
	stamp := w.serial << boundBits
	kept := s.uses
	for i := s.uses; i < int32(len(w.uses)); i++ {
		u := &w.uses[i]
		if !u.settled && !u.global {
			switch w.stamps[u.root] {
			case stamp:
				if !w.standsFor(u, w.slots[u.root]) {
					w.dropLocal(u)
					continue
				}
			case stamp | boundAgain:
				w.dropLocal(u)
				continue
			case stamp | boundImport:
				continue // its members are told by the import
			case stamp | boundGlobal:
				u.global = true
			default:
				u.outer = true
			}
		}
		if kept != i {
			w.uses[kept] = *u
		}
		kept++
	}
	w.uses = w.uses[:kept]
	for _, t := range w.typed[s.typed:] {
		w.slots[t.word] = 0
	}
	w.binds, w.typed = append(w.binds[:s.binds], passed...), w.typed[:s.typed]
	if len(s.parameters) > 0 {
		w.dropParameters(s)
	}
}

// knownTypes notes what the words of a function stand for.
func (w *walker) knownTypes(s *space) {
	if s.receiver >= 0 {
		w.bases = append(w.bases, base{class: s.class})
		w.typed = append(w.typed, typedName{word: s.receiver, base: int32(len(w.bases) - 1)})
	}
	for _, t := range w.typed[s.typed:] {
		w.slots[t.word] = t.base
	}
}

// standsFor puts the type of a local name into the place of the name; false when nothing is known or selected of it.
func (w *walker) standsFor(u *use, slot int32) bool {
	if slot == 0 || u.base != 0 || u.first == u.last {
		return false
	}
	b := &w.bases[slot]
	if !b.header && b.class == "" && w.stamps[b.root]>>boundBits == w.serial {
		return false // a class of the function's own
	}
	u.base, u.from = slot, u.first+2
	if b.class != "" {
		u.settled = true
		return true
	}
	u.root, u.outer = b.root, !b.header
	return true
}

// dropParameters takes the uses of type parameters out, in the header and in the body.
func (w *walker) dropParameters(s *space) {
	w.serial++
	for _, word := range s.parameters {
		w.stamps[word] = w.serial << boundBits
	}
	kept := s.head
	for i := s.head; i < int32(len(w.uses)); i++ {
		u := &w.uses[i]
		if w.stamps[u.root]>>boundBits == w.serial && !u.settled && !u.global {
			w.dropLocal(u)
			continue
		}
		if kept != i {
			w.uses[kept] = *u
		}
		kept++
	}
	w.uses = w.uses[:kept]
}

// closeClass sifts the uses in the body of a class: its names hold from where they are bound on, and not in the
// functions in it.
func (w *walker) closeClass(s *space) {
	w.stampClass(s)
	stamp := w.serial << boundBits
	class := int32(0)
	if s.class != "" {
		w.bases = append(w.bases, base{class: s.class})
		class = int32(len(w.bases) - 1)
	}
	kept := s.uses
	for i := s.uses; i < int32(len(w.uses)); i++ {
		u := &w.uses[i]
		switch {
		case u.settled || u.global || u.outer:
		case w.stamps[u.root] == stamp|boundGlobal:
			u.global = true
		case w.stamps[u.root] != stamp || w.places[u.root] > u.first:
			u.outer = true
		case class == 0:
			w.dropLocal(u)
			continue
		default:
			w.memberOf(u, class)
		}
		if kept != i {
			w.uses[kept] = *u
		}
		kept++
	}
	w.uses = w.uses[:kept]
	w.binds, w.typed = w.binds[:s.binds], w.typed[:s.typed]
	if len(s.parameters) > 0 {
		w.dropParameters(s)
	}
}

func (w *walker) stampClass(s *space) {
	w.serial++
	stamp := w.serial << boundBits
	for _, word := range s.globals {
		w.stamps[word] = stamp | boundGlobal
	}
	for _, b := range w.binds[s.binds:] {
		switch w.stamps[b.word] {
		case stamp | boundGlobal:
			w.marks[b.word] |= markBound
		case stamp:
			w.places[b.word] = min(w.places[b.word], b.place)
		default:
			w.stamps[b.word], w.places[b.word] = stamp, b.place
		}
	}
}

// memberOf settles the use of a name that a class binds: of the class's member, or of a member of the type that it is.
func (w *walker) memberOf(u *use, class int32) {
	u.settled = true
	if u.base == 0 {
		u.base, u.from = class, u.first
		return
	}
	b := w.bases[u.base]
	w.bases = append(w.bases, base{class: w.bases[class].class + "." + w.dottedText(b.first, b.last)})
	u.base = int32(len(w.bases) - 1)
}
