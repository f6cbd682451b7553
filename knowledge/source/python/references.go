package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
)

// finish converts the remaining uses to references, assigns them to the symbols, and returns those of the file.
func (w *walker) finish() (own []source.Reference) {
	w.markSymbols()
	if len(w.uses)+len(w.loose) == 0 {
		return nil
	}
	w.flow = w.course()
	for i := range w.uses {
		w.tell(&w.uses[i])
	}
	for _, l := range w.loose {
		w.found(l.owner, w.word(int(l.token)), l.token, l.kind|source.AsOpen, l.program)
	}
	w.mentions.References(len(w.symbols), w, &w.flow.Forks, func(owner int, list []source.Reference) {
		if owner == source.NoOwner {
			own = list
			return
		}
		s := &w.symbols[owner]
		s.Body, s.Nests = list, source.NestsOf(list, &w.flow.Forks)
	})
	return own
}

// Spell implements source.Speller.
func (w *walker) Spell(to []byte, word int32) []byte { return w.words.Spell(to, word) }

// LineOf implements source.Speller.
func (w *walker) LineOf(at int32) int { return int(w.toks[at].line) }

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
		k = source.AsValue
	}
	member := w.member(class, u.from)
	typ := w.fields[string(member)]
	n := w.words.NumberOf(member)
	w.widen(n)
	w.tellName(u, n, k, u.program)
	from := u.from + 2
	if u.from > u.first && from <= u.last && w.isBound(typ) {
		if k = source.AsValue; from == u.last {
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

func (w *walker) tellName(u *use, word int32, k source.How, program bool) {
	if k == source.AsCall && w.makes(u, w.words.Text(word)) {
		k = source.AsType
	}
	w.found(u.owner, word, u.first, k, program)
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

func (w *walker) found(owner, word, token int32, how source.How, program bool) {
	call := how&^source.AsOpen == source.AsCall
	m := source.Mention{Owner: owner, Name: word, At: token, Place: w.flow.order(token, call), How: how, Branch: w.flow.branches[token]}
	if call && w.flow.made[token] {
		m.Branch = control.Apart
	}
	if w.again && owner != module {
		m.Owner = w.places[w.words.Number(w.symbols[owner].Name)]
	}
	w.mentions.List = append(w.mentions.List, m)
	if program && owner != module {
		m.Owner = module
		w.mentions.List = append(w.mentions.List, m)
	}
}
