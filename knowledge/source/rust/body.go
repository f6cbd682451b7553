package rust

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
)

// mention is a reference with its token. There are many, which is why the fields are small.
type mention struct {
	name   string
	at     int32
	place  int32 // the token that decides the order of execution
	kind   byte  // the first letter of the RefKind
	open   bool
	branch control.Branch
}

var kindOf = map[byte]source.RefKind{'c': source.RefCall, 't': source.RefType, 'v': source.RefValue}

func (o *outline) bodies(f *source.File) {
	found, loose, forks := o.mentions(f.Symbols)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		s.Body = o.sorted(forks, found[i])
		s.Nests = source.NestsOf(s.Body, forks)
	}
	f.Body = o.sorted(forks, loose)
}

func (o *outline) mentions(symbols []source.Symbol) (found [][]mention, loose []mention, forks *control.Forks) {
	w := newWalker(o, symbols)
	found = make([][]mention, len(symbols))
	add := func(name string, list []mention) {
		if at, ok := w.known[name]; ok {
			if k := symbols[at].Kind; found[at] != nil && (k == source.Func || k == source.Method) { // of a namesake for other platforms
				for i := range list {
					list[i].branch = control.Apart
				}
			}
			found[at] = append(found[at], list...)
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
	return found, loose, w.forks
}

func (s *scope) name() string { return strings.TrimSuffix(s.prefix, ".") }

func (o *outline) sorted(forks *control.Forks, list []mention) []source.Reference {
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(a, b mention) int {
		if c := a.order(b); c != 0 {
			return c
		}
		return cmp.Compare(a.at, b.at)
	})
	for i := range list {
		list[i].place++ // 0 is no order
	}
	list = distinct(forks, list)
	out := make([]source.Reference, len(list))
	for i, m := range list {
		out[i] = source.Reference{
			Name: m.name, Kind: kindOf[m.kind], Open: m.open, Line: int(o.toks[m.at].line), Order: int(m.place), Branch: m.branch,
		}
	}
	return out
}

// distinct merges equal mentions in place.
func distinct(forks *control.Forks, list []mention) []mention {
	out := list[:1]
	for _, m := range list[1:] {
		last := &out[len(out)-1]
		if last.order(m) != 0 {
			out = append(out, m)
			continue
		}
		last.branch, last.place = control.Merge(forks, last.branch, last.place, m.branch, m.place)
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

// maxNesting limits the depth of expressions, types and patterns; deeper code yields no references.
const maxNesting = 200

// walker walks code with its scopes and records free names.
type walker struct {
	o     *outline
	known map[string]int
	kinds []source.Kind
	// self is the type behind Self, dotted like the symbols; empty if it has no name. In a trait it is the trait,
	// although Self is not.
	self    string
	inTrait bool
	own     map[string]bool // names declared by the trait impl itself
	modules []string        // the enclosing inline modules
	heads   bool            // the members of traits and modules are separate symbols
	open    int             // positive in macro arguments, where a name may mean anything
	apart   int             // positive in closures and nested items
	globs   int             // wildcard imports in scope
	depth   int
	stuck   int // no item starts before this token
	names   scopes
	pending []string // pattern bindings that are not in scope yet
	path    []int
	spelled []byte
	intern  map[string]string
	frees   map[string]string // resolved free single names
	found   []mention
	start   int // start of the current item's mentions
	// branches are those of the tokens.
	branches []control.Branch
	forks    *control.Forks
}

func newWalker(o *outline, symbols []source.Symbol) *walker {
	w := &walker{o: o, known: make(map[string]int, len(symbols)), names: newScopes(), intern: map[string]string{}, frees: map[string]string{}}
	w.branches, w.forks = (&control.Braces{
		Tokens: len(o.toks), After: o.after, Bare: true, Text: func(i int) string { return string(o.text(i)) },
		Word: func(i int) control.Word { return control.WordOf(o.text(i)) },
	}).Branches()
	for i := range symbols {
		w.known[symbols[i].Name] = i
		w.kinds = append(w.kinds, symbols[i].Kind)
	}
	return w
}

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

func (w *walker) mentions() []mention { return slices.Clip(w.found[w.start:]) }

func (w *walker) begin(s *scope) {
	w.names.leave(0)
	w.self, w.inTrait, w.modules, w.heads = "", false, s.modules, true
	w.open, w.apart, w.globs, w.depth, w.stuck = 0, 0, 0, 0, 0
	w.pending, w.path, w.start = w.pending[:0], w.path[:0], len(w.found)
}

// head returns the references in the head of an impl block whose members are separate symbols.
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

// maxHead limits the words before trait or impl.
const maxHead = 8

// typeOf returns the impl's type: in the form of the file's symbols if the file declares it, otherwise as written.
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

func (o *outline) selfStart(s *scope) int {
	for i := s.head; i < s.headEnd; i++ {
		if o.is(i, "impl") {
			_, self := o.implHead(i+1, s.headEnd)
			return self
		}
	}
	return s.headEnd
}

func (w *walker) passed(it *item) {
	kind := source.RefValue
	if capital(it.path[strings.LastIndexByte(it.path, ':')+1:]) {
		kind = source.RefType
	}
	w.emit(w.rooted(strings.Split(it.path, "::")), kind, false, it.label)
}

func (w *walker) emit(name string, kind source.RefKind, open bool, at int) {
	if name != "" && len(name) <= maxPath {
		branch := control.Apart
		if w.apart == 0 {
			branch = w.branches[at]
		}
		w.found = append(w.found, mention{name, int32(at), int32(at), kind[0], open, branch})
	}
}
