package python

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
)

type found struct {
	owner, word, token int32
	kind               useKind
	open               bool
}

// Bit fields of the sort key of a reference: rank of the word, kind, open, token.
const (
	keyOpen = 1 << 32
	keyKind = 33
	keyWord = 35
)

var refKinds = [...]source.RefKind{source.RefCall, source.RefType, source.RefValue}

// finish converts the remaining uses to references, assigns them to the symbols, and returns those of the file.
func (w *walker) finish() []source.Reference {
	w.markSymbols()
	for i := range w.uses {
		w.tell(&w.uses[i])
	}
	for _, l := range w.loose {
		w.found(l.owner, l.program, found{word: w.word(int(l.token)), token: l.token, kind: l.kind, open: true})
	}
	if !utf8.ValidString(w.src) {
		w.makeSound()
	}
	return w.hand()
}

func (w *walker) makeSound() {
	for i := range w.refs {
		r := &w.refs[i]
		if text := w.words.Text(r.word); !utf8.ValidString(text) {
			r.word = w.numbered(sound(text))
		}
	}
}

// hand sorts the references by owner and gives each symbol its own.
func (w *walker) hand() []source.Reference {
	if len(w.refs) == 0 {
		return nil
	}
	texts := w.rank()
	ends := slices.Grow(w.ends[:0], len(w.symbols)+2)[:len(w.symbols)+2]
	clear(ends)
	for i := range w.refs {
		ends[w.refs[i].owner+2]++
	}
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	keys := slices.Grow(w.keys[:0], len(w.refs))[:len(w.refs)]
	w.ends, w.keys = ends, keys
	for i := range w.refs {
		r := &w.refs[i]
		key := uint64(w.slots[r.word])<<keyWord | uint64(r.kind)<<keyKind | uint64(r.token)
		if r.open {
			key |= keyOpen
		}
		at := &ends[r.owner+1] // moves from the start of the owner's keys to their end
		keys[*at] = key
		*at++
	}
	all := make([]source.Reference, 0, w.distinct(keys, ends))
	var own []source.Reference
	start, course := int32(0), w.course()
	for i, end := range ends[:len(ends)-1] {
		first := len(all)
		for j := start; j < end; j++ {
			key := keys[j]
			kind := useKind(key >> keyKind & 3)
			order, branch := course.order(int32(uint32(key)), kind), course.branches[uint32(key)]
			if kind == useCall && course.made[uint32(key)] {
				branch = control.Apart
			}
			if j == start || keys[j-1]>>32 != key>>32 {
				all = append(all, source.Reference{
					Name: texts[key>>keyWord], Kind: refKinds[kind], Open: key&keyOpen != 0,
					Line: int(w.toks[uint32(key)].line), Order: order, Branch: course.Settle(branch),
				})
			} else {
				last := &all[len(all)-1]
				last.Branch, last.Order = control.Merge(&course.Forks, last.Branch, last.Order, branch, order)
			}
		}
		switch {
		case first == len(all):
		case i == 0:
			own = all[first:len(all):len(all)]
		default:
			s := &w.symbols[i-1]
			s.Body = all[first:len(all):len(all)]
			s.Nests = source.NestsOf(s.Body, &course.Forks)
		}
		start = end
	}
	return own
}

// distinct sorts each owner's keys and counts those that differ in more than the token.
func (w *walker) distinct(keys []uint64, ends []int32) int {
	n, start := 0, int32(0)
	for _, end := range ends[:len(ends)-1] {
		own := keys[start:end]
		slices.Sort(own)
		for i := range own {
			if i == 0 || own[i-1]>>32 != own[i]>>32 {
				n++
			}
		}
		start = end
	}
	return n
}

// rank sorts the words of the references, stores their positions in slots, and returns copies that do not retain the
// file's text.
func (w *walker) rank() []string {
	list := w.ranked[:0]
	size := 0
	for i := range w.refs {
		if n := w.refs[i].word; w.slots[n] == 0 {
			w.slots[n] = 1
			list = append(list, ranked{w.words.Head(n), n})
			size += len(w.words.Text(n))
		}
	}
	w.alphabetical(list)
	w.ranked = list
	var all strings.Builder
	all.Grow(size)
	for i, r := range list {
		w.slots[r.word] = int32(i)
		all.WriteString(w.words.Text(r.word))
	}
	texts, rest := make([]string, len(list)), all.String()
	for i, r := range list {
		n := len(w.words.Text(r.word))
		texts[i], rest = rest[:n], rest[n:]
	}
	return texts
}

// markSymbols marks the symbols of the module. For a repeated name, the first symbol gets the uses of all, and a
// condition only if all have one.
func (w *walker) markSymbols() {
	for i := range w.symbols {
		s := &w.symbols[i]
		n := w.numbered(s.Name)
		if w.marks[n]&markSymbol == 0 {
			w.marks[n] |= markSymbol
			w.places[n] = int32(i)
		} else {
			f := &w.symbols[w.places[n]]
			f.Guard = either(f.Guard, s.Guard)
			w.again = true
		}
		if s.Kind != source.Class {
			w.marks[n] |= markDeclared
		}
	}
	for i := range w.symbols { // declarations of one name under the same condition become one symbol
		s := &w.symbols[i]
		s.Guard = w.symbols[w.places[w.numbered(s.Name)]].Guard
	}
}

// tell makes a reference from a use that the module's scopes do not bind.
func (w *walker) tell(u *use) {
	mark := w.marks[u.root] &^ markSymbol
	b := &w.bases[u.base]
	switch {
	case u.imported && mark != 0 && mark != markBound|markImport:
		return // bound in some other way: the imports do not determine its meaning
	case u.settled && u.from == u.first && !w.declaresMember(b.class, u.first):
		w.selections(u, u.from+2) // loop variable in a class
	case u.settled:
		w.tellMember(u, b.class)
	case u.base != 0 && (mark&markDeclared != 0 || b.constructor && mark != markBound|markClass && (mark != markBound|markImport || !isClassName(w.words.Text(u.root)))):
		w.selections(u, u.from) // alias, type variable or function
	case mark == 0 && predeclared[w.words.Text(u.root)] && (u.base != 0 || !effects.Has("", w.words.Text(u.root))):
		if u.base != 0 {
			w.selections(u, u.from+2)
		}
	case u.base != 0:
		w.tellMember(u, w.dottedText(b.first, b.last))
	case mark == markBound && u.owner == module:
		w.selections(u, u.first+2)
	case mark == markBound && u.program:
		w.tellName(u, w.wordOf(u.first, u.last), u.kind, false)
		u.owner = module
		w.selections(u, u.first+2)
	default:
		w.tellName(u, w.wordOf(u.first, u.last), u.kind, u.program)
	}
}

func (w *walker) wordOf(first, last int32) int32 {
	if first == last {
		return w.word(int(first))
	}
	return w.numbered(w.dottedText(first, last))
}

func (w *walker) member(class string, token int32) []byte {
	t := w.toks[token]
	w.scratch = append(append(append(w.scratch[:0], class...), '.'), w.src[t.start:t.end]...)
	return w.scratch
}

func (w *walker) declaresMember(class string, token int32) bool {
	n := w.words.FindOf(w.member(class, token))
	return n >= 0 && int(n) < len(w.marks) && w.marks[n]&markSymbol != 0
}

// tellMember makes a reference to the first member selected from a class; the type of that member is unknown.
func (w *walker) tellMember(u *use, class string) {
	k := u.kind
	if u.from < u.last {
		k = useValue
	}
	member := w.member(class, u.from)
	typ := w.fields[string(member)]
	n := w.words.NumberOf(member)
	w.widen(n)
	w.tellName(u, n, k, u.program)
	from := u.from + 2
	if u.from > u.first && from <= u.last && w.isBound(typ) {
		if k = useValue; from == u.last {
			k = u.kind
		}
		w.tellName(u, w.numbered(string(w.member(typ, from))), k, u.program)
		from += 2
	}
	w.selections(u, from)
}

// isBound reports whether the module binds the first element of a name.
func (w *walker) isBound(name string) bool {
	name, _, _ = strings.Cut(name, ".")
	n := w.words.FindOf([]byte(name))
	return name != "" && n >= 0 && int(n) < len(w.marks) && w.marks[n]&^markSymbol != 0
}

func (w *walker) tellName(u *use, word int32, k useKind, program bool) {
	if k == useCall && w.makes(u, w.words.Text(word)) {
		k = useType
	}
	w.found(u.owner, program, found{word: word, token: u.first, kind: k})
}

// makes reports whether a callee is a class: one of the module, or an imported one, judged by its spelling.
func (w *walker) makes(u *use, name string) bool {
	mark := w.marks[u.root]
	plain := u.base == 0 && u.first == u.last
	if plain && mark&(markClass|markDeclared) != 0 {
		return mark&markClass != 0
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	last = strings.TrimLeft(last, "_")
	return last != "" && last[0] >= 'A' && last[0] <= 'Z'
}

func (w *walker) found(owner int32, program bool, r found) {
	if r.owner = owner; w.again && owner != module {
		r.owner = w.places[w.words.Number(w.symbols[owner].Name)]
	}
	w.refs = append(w.refs, r)
	if program && owner != module {
		r.owner = module
		w.refs = append(w.refs, r)
	}
}
