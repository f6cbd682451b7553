package rust

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

func (o *outline) bodies(f *source.File) {
	w := newWalker(o, f.Symbols)
	w.file(f.Symbols)
	w.found.References(len(f.Symbols), w, w.forks, func(owner int, list []source.Reference) {
		if owner == source.NoOwner {
			f.Body = list
			return
		}
		s := &f.Symbols[owner]
		s.Body, s.Nests = list, source.NestsOf(list, w.forks)
	})
}

func (w *walker) file(symbols []source.Symbol) {
	used := make([]bool, len(symbols))
	give := func(name string, list []source.Mention) {
		at, ok := w.known[name]
		if !ok || len(list) == 0 {
			return
		}
		again := used[at] && (w.kinds[at] == source.Func || w.kinds[at] == source.Method) // of a namesake for other platforms
		used[at] = true
		for i := range list {
			if list[i].Owner = int32(at); again {
				list[i].Branch = control.Apart
			}
		}
	}
	for _, it := range w.o.items {
		give(it.name, w.declaration(it))
	}
	for _, s := range w.o.impls {
		give(s.name(), w.head(s))
	}
	for _, it := range w.o.loose {
		w.declaration(it)
	}
}

// Spell implements source.Speller.
func (w *walker) Spell(to []byte, name int32) []byte { return w.words.Spell(to, name) }

// LineOf implements source.Speller.
func (w *walker) LineOf(at int32) int { return int(w.o.toks[at].line) }

func (s *scope) name() string { return strings.TrimSuffix(s.prefix, ".") }

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
	fails   int             // positive in macros that report a failure
	globs   int             // wildcard imports in scope
	depth   int
	stuck   int // no item starts before this token
	names   scopes
	pending []string // pattern bindings that are not in scope yet
	path    []int
	spelled []byte
	words   kernel.Words
	found   source.Mentions
	start   int // of the current item's mentions
	// branches are those of the tokens.
	branches []control.Branch
	forks    *control.Forks
}

func newWalker(o *outline, symbols []source.Symbol) *walker {
	w := &walker{o: o, known: make(map[string]int, len(symbols)), names: newScopes()}
	w.branches, w.forks = (&control.Braces{
		Tokens: len(o.toks), After: o.after, Bare: true, Code: o.renderValue, Parts: o.compiled(),
		Text: func(i int) string { return string(o.text(i)) },
		Word: func(i int) control.Word { return control.WordOf(o.text(i)) },
	}).Branches()
	for i := range symbols {
		w.known[symbols[i].Name] = i
		w.kinds = append(w.kinds, symbols[i].Kind)
	}
	return w
}

func (w *walker) declaration(it *item) []source.Mention {
	w.begin(it.scope)
	switch s := it.scope; s.kind {
	case inImpl:
		w.bindAll(s.generics)
		w.self = w.typeOf(s)
	case inTrait:
		w.bindAll(s.generics)
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

func (w *walker) mentions() []source.Mention { return w.found.List[w.start:] }

func (w *walker) begin(s *scope) {
	w.names.leave(0)
	w.self, w.inTrait, w.modules, w.heads = "", false, s.modules, true
	w.open, w.apart, w.fails, w.globs, w.depth, w.stuck = 0, 0, 0, 0, 0, 0
	w.pending, w.path, w.start = w.pending[:0], w.path[:0], len(w.found.List)
}

// head returns the references in the head of an impl block whose members are separate symbols.
func (w *walker) head(s *scope) []source.Mention {
	w.begin(s)
	w.self = w.typeOf(s)
	w.attributes(s.attrs, s.head)
	w.item(s.head, s.headEnd)
	if own := s.name(); w.isKnown(own) {
		itself := w.words.Number(own)
		kept := slices.DeleteFunc(w.mentions(), func(m source.Mention) bool { return m.Name == itself })
		w.found.List = w.found.List[:w.start+len(kept)]
	}
	return w.mentions()
}

// typeOf returns the impl's type: in the form of the file's symbols if the file declares it, otherwise as written.
func (w *walker) typeOf(s *scope) string {
	if s.typed {
		return s.self
	}
	s.typed, s.self = true, s.name()
	if !w.isKnown(s.self) {
		mark := len(w.found.List)
		_, s.self = w.typ(s.selfAt, s.headEnd)
		w.found.List = w.found.List[:mark]
	}
	return s.self
}

func (w *walker) passed(it *item) {
	kind := source.AsValue
	if capital(it.path[strings.LastIndexByte(it.path, ':')+1:]) {
		kind = source.AsType
	}
	w.emit(w.rooted(strings.Split(it.path, "::")), kind, it.label)
}

func (w *walker) emit(name string, how source.How, at int) {
	if name == "" || len(name) > maxPath {
		return
	}
	m := source.Mention{
		Owner: source.NoOwner, Name: w.words.Number(name), At: int32(at), Place: int32(at), How: how, Branch: w.branches[at],
	}
	switch {
	case w.fails > 0:
		m.Branch = control.Apart
	case w.apart > 0:
		m.Branch = w.forks.In(control.Later, m.Branch)
	}
	w.found.List = append(w.found.List, m)
}

func (w *walker) isKnown(name string) bool {
	_, ok := w.known[name]
	return ok
}
