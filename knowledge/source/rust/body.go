package rust

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// mention is one reference with the token that it starts at. There are many: it is kept small.
type mention struct {
	name  string
	at    int32
	place int32 // the token where it stands in the course of the code
	kind  byte  // the first letter of the kind, by which kinds are sorted
	open  bool
	apart bool // from that course
}

var kindOf = map[byte]source.RefKind{'c': source.RefCall, 't': source.RefType, 'v': source.RefValue}

// bodies fills in what the symbols of the file, and the code between them, name.
func (o *outline) bodies(f *source.File) {
	found, loose := o.mentions(f.Symbols)
	for i := range f.Symbols {
		f.Symbols[i].Body = o.sorted(found[i])
	}
	f.Body = o.sorted(loose)
}

// mentions lists what each symbol names, and what the rest of the file does.
func (o *outline) mentions(symbols []source.Symbol) (found [][]mention, loose []mention) {
	w := newWalker(o, symbols)
	found = make([][]mention, len(symbols))
	add := func(name string, list []mention) {
		if at, ok := w.known[name]; ok {
			if found[at] == nil {
				found[at] = list
			} else {
				found[at] = append(found[at], list...)
			}
		} else {
			loose = append(loose, list...)
		}
	}
	for _, it := range o.items {
		add(it.name, w.declaration(it))
	}
	for _, s := range o.impls {
		add(s.name(), w.head(s))
	}
	for _, it := range o.loose {
		loose = append(loose, w.declaration(it)...)
	}
	return found, loose
}

// name is the symbol of the type that the scope's items are members of.
func (s *scope) name() string { return strings.TrimSuffix(s.prefix, ".") }

// sorted returns the mentions as references, each once.
func (o *outline) sorted(list []mention) []source.Reference {
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(a, b mention) int {
		if c := a.order(b); c != 0 {
			return c
		}
		return cmp.Compare(a.at, b.at)
	})
	list = distinct(list)
	out := make([]source.Reference, len(list))
	for i, m := range list {
		out[i] = source.Reference{
			Name: m.name, Kind: kindOf[m.kind], Open: m.open, Line: int(o.toks[m.at].line), Order: int(m.place) + 1, Apart: m.apart,
		}
	}
	return out
}

// distinct keeps the first of equal mentions, in place. It stands where the first of them does that is not apart.
func distinct(list []mention) []mention {
	out := list[:1]
	for _, m := range list[1:] {
		last := &out[len(out)-1]
		if last.order(m) != 0 {
			out = append(out, m)
			continue
		}
		if m.apart == last.apart && m.place < last.place || last.apart && !m.apart {
			last.place, last.apart = m.place, m.apart
		}
	}
	return out
}

func (m mention) order(other mention) int {
	if c := strings.Compare(m.name, other.name); c != 0 {
		return c
	}
	if c := cmp.Compare(m.kind, other.kind); c != 0 || m.open == other.open {
		return c
	}
	if m.open {
		return 1
	}
	return -1
}

// maxNesting bounds how deep expressions, types and patterns are looked into; what is deeper names nothing.
const maxNesting = 200

// walker follows code through its scopes and notes what it names that it does not bind.
type walker struct {
	o     *outline
	known map[string]int // the symbols of the file
	kinds []source.Kind  // theirs
	// self is the type that Self stands for, dotted like the symbols; empty when it is none that has a name. In a trait
	// it is the trait, and Self itself is not.
	self    string
	inTrait bool
	own     map[string]bool // what an impl of a trait declares itself, which is part of it
	modules []string        // the inline modules around
	heads   bool            // the members of traits and modules are symbols of their own
	open    int             // above 0 in code whose names may mean anything: the arguments of a macro
	apart   int             // above 0 in what is no part of the course of the item: closures, items in it
	globs   int             // how many wildcard imports of local scopes are in sight
	depth   int
	stuck   int // no item starts before this token
	names   scopes
	pending []string // the bindings of patterns that do not hold yet
	path    []int    // the segments of paths that are being read
	spelled []byte
	intern  map[string]string
	frees   map[string]string // what single names mean that nothing around binds
	found   []mention
	start   int // where those of the item begin that is being read
}

func newWalker(o *outline, symbols []source.Symbol) *walker {
	w := &walker{o: o, known: make(map[string]int, len(symbols)), names: newScopes(), intern: map[string]string{}, frees: map[string]string{}}
	for i := range symbols {
		w.known[symbols[i].Name] = i
		w.kinds = append(w.kinds, symbols[i].Kind)
	}
	return w
}

// declaration returns what an item names.
func (w *walker) declaration(it *item) []mention {
	w.begin(it.scope)
	switch s := it.scope; s.kind {
	case inImpl:
		w.owner(s)
		w.self = w.typeOf(s)
	case inTrait:
		w.owner(s)
		w.self, w.inTrait = s.name(), true
	}
	if it.form == using {
		w.passed(it)
		return w.mentions()
	}
	w.attributes(it.attrs, it.first)
	if next, ok := w.item(it.first, it.end); !ok {
		w.elements(next, it.end)
	}
	return w.mentions()
}

// mentions are those of the item that was read last.
func (w *walker) mentions() []mention { return slices.Clip(w.found[w.start:]) }

// begin forgets the item before.
func (w *walker) begin(s *scope) {
	w.names.leave(0)
	w.self, w.inTrait, w.modules, w.heads = "", false, s.modules, true
	w.open, w.apart, w.globs, w.depth, w.stuck = 0, 0, 0, 0, 0
	w.pending, w.path, w.start = w.pending[:0], w.path[:0], len(w.found)
}

// head returns what the head of an impl block names whose members are symbols of their own.
func (w *walker) head(s *scope) []mention {
	w.begin(s)
	w.self = w.typeOf(s)
	w.attributes(s.attrs, s.head)
	w.item(s.head, s.headEnd)
	own := s.name()
	if _, ok := w.known[own]; !ok {
		return w.mentions()
	}
	return slices.DeleteFunc(w.mentions(), func(m mention) bool { return m.name == own })
}

// owner binds the generics of the head around members.
func (w *walker) owner(s *scope) {
	o := w.o
	for i := s.head; i < min(s.head+maxHead, s.headEnd); i++ {
		switch string(o.text(i)) {
		case "impl":
			w.bindAll(o.parameters(i+1, s.headEnd))
			return
		case "trait":
			w.bindAll(o.parameters(i+2, s.headEnd))
			return
		}
	}
}

// maxHead is how many words may stand in front of trait or impl.
const maxHead = 8

// typeOf is how references name the type that the impl block of a scope is of: like its symbols when the file declares
// it, else as the head names it.
func (w *walker) typeOf(s *scope) string {
	if s.typed {
		return s.self
	}
	s.typed, s.self = true, s.name()
	if _, ok := w.known[s.self]; !ok {
		mark := len(w.found)
		_, s.self = w.typ(w.o.selfStart(s), s.headEnd)
		w.found = w.found[:mark]
	}
	return s.self
}

// selfStart is where the type starts in the head of an impl.
func (o *outline) selfStart(s *scope) int {
	for i := s.head; i < s.headEnd; i++ {
		if o.is(i, "impl") {
			_, self := o.implHead(i+1, s.headEnd)
			return self
		}
	}
	return s.headEnd
}

// passed notes what a re-export passes on.
func (w *walker) passed(it *item) {
	kind := source.RefValue
	if capital(it.path[strings.LastIndexByte(it.path, ':')+1:]) {
		kind = source.RefType
	}
	w.emit(w.rooted(strings.Split(it.path, "::")), kind, false, it.label)
}

func (w *walker) emit(name string, kind source.RefKind, open bool, at int) {
	if name != "" && len(name) <= maxPath {
		w.found = append(w.found, mention{name: name, kind: kind[0], open: open, at: int32(at), place: int32(at), apart: w.apart > 0})
	}
}
