package python

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/source"
)

// found is a reference before it is put into words.
type found struct {
	owner, word, line int32
	kind              useKind
	open              bool
}

var refKinds = [...]source.RefKind{source.RefCall, source.RefType, source.RefValue}

// finish says what is left of the uses, sorts it by owners and by names, and returns those of the file.
func (w *walker) finish() []source.Reference {
	owners := w.markSymbols()
	for i := range w.uses {
		w.tell(&w.uses[i])
	}
	for _, l := range w.loose {
		w.found(l.owner, l.program, found{word: w.word(int(l.token)), line: w.toks[l.token].line, kind: l.kind, open: true})
	}
	if owners != nil {
		for i := range w.refs {
			if o := w.refs[i].owner; o >= 0 {
				w.refs[i].owner = owners[o]
			}
		}
	}
	ranks := w.ranks()
	slices.SortFunc(w.refs, func(a, b found) int {
		if a.owner != b.owner {
			return int(a.owner) - int(b.owner)
		}
		if a.word != b.word {
			return int(ranks[a.word]) - int(ranks[b.word])
		}
		return cmp.Or(cmp.Compare(a.kind, b.kind), compareBool(a.open, b.open), cmp.Compare(a.line, b.line))
	})
	w.refs = slices.CompactFunc(w.refs, func(a, b found) bool {
		return a.owner == b.owner && a.word == b.word && a.kind == b.kind && a.open == b.open
	})
	return w.hand()
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// hand gives each symbol its references, and returns those of the file.
func (w *walker) hand() []source.Reference {
	all := make([]source.Reference, len(w.refs))
	texts := make([]string, w.words.count())
	var own []source.Reference
	for i := 0; i < len(w.refs); {
		first, owner := i, w.refs[i].owner
		for ; i < len(w.refs) && w.refs[i].owner == owner; i++ {
			r := w.refs[i]
			if texts[r.word] == "" {
				texts[r.word] = strings.Clone(w.words.text(r.word))
			}
			all[i] = source.Reference{Name: texts[r.word], Kind: refKinds[r.kind], Open: r.open, Line: int(r.line)}
		}
		if owner == module {
			own = all[first:i:i]
		} else {
			w.symbols[owner].Body = all[first:i:i]
		}
	}
	return own
}

// ranks orders the words of the references.
func (w *walker) ranks() []int32 {
	ranks := make([]int32, w.words.count())
	var used []int32
	for i := range w.refs {
		if n := w.refs[i].word; ranks[n] == 0 {
			ranks[n] = 1
			used = append(used, n)
		}
	}
	slices.SortFunc(used, func(a, b int32) int { return strings.Compare(w.words.text(a), w.words.text(b)) })
	for i, n := range used {
		ranks[n] = int32(i)
	}
	return ranks
}

// markSymbols marks what the symbols of the module are. Where a name is declared repeatedly it returns, for each
// symbol, the first one of its name: that one uses what all of them use, and stands under a condition if all do.
func (w *walker) markSymbols() []int32 {
	var owners []int32
	if w.repeated() {
		owners = make([]int32, len(w.symbols))
	}
	firsts := map[string]int32{}
	for i := range w.symbols {
		s := &w.symbols[i]
		if owners != nil {
			first, again := firsts[s.Name]
			if !again {
				first = int32(i)
				firsts[s.Name] = first
			} else {
				f := &w.symbols[first]
				f.Guard = either(f.Guard, s.Guard)
			}
			owners[i] = first
		}
		if n := w.words.find(s.Name); n >= 0 && s.Kind != source.Class {
			w.marks[n] |= markDeclared
		}
	}
	return owners
}

// tell makes a reference of a use that no scope inside the module binds.
func (w *walker) tell(u *use) {
	mark := w.marks[u.root]
	b := &w.bases[u.base]
	switch {
	case u.settled && u.from == u.first && !w.known[b.class+"."+w.text(int(u.first))]:
		w.selections(u, u.from+2) // the variable of a loop in a class
	case u.settled:
		w.tellMember(u, b.class)
	case u.base != 0 && (mark&markDeclared != 0 || b.constructor && mark != markBound|markClass):
		w.selections(u, u.from) // an alias, a type variable, a function
	case mark == 0 && predeclared[w.words.text(u.root)]:
		if u.base != 0 {
			w.selections(u, u.from+2)
		}
	case u.base != 0:
		w.tellMember(u, w.dottedText(b.first, b.last))
	case mark == markBound && (u.owner == module || u.program):
		if u.owner != module {
			w.found(u.owner, false, found{word: w.numbered(w.dottedText(u.first, u.last)), line: w.toks[u.first].line, kind: u.kind})
		}
		u.owner = module
		w.selections(u, u.first+2)
	default:
		w.tellName(u, w.dottedText(u.first, u.last), u.kind)
	}
}

// tellMember makes a reference to the first member that is selected from a class; what is selected from that is not
// known.
func (w *walker) tellMember(u *use, class string) {
	k := u.kind
	if u.from < u.last {
		k = useValue
	}
	w.tellName(u, class+"."+w.text(int(u.from)), k)
	w.selections(u, u.from+2)
}

func (w *walker) tellName(u *use, name string, k useKind) {
	if k == useCall && w.makes(u, name) {
		k = useType
	}
	w.found(u.owner, u.program, found{word: w.numbered(name), line: w.toks[u.first].line, kind: k})
}

// makes reports whether what is called by a name is a class: a class of the module, or one from elsewhere by the
// spelling of its name.
func (w *walker) makes(u *use, name string) bool {
	mark := w.marks[u.root]
	plain := u.base == 0 && u.first == u.last
	if plain && mark&(markClass|markDeclared) != 0 {
		return mark&markClass != 0
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	last = strings.TrimLeft(last, "_")
	if last == "" || last[0] < 'A' || last[0] > 'Z' {
		return false
	}
	return strings.IndexFunc(last, func(c rune) bool { return c >= 'a' && c <= 'z' }) > 0
}

// found keeps a reference for its owner.
func (w *walker) found(owner int32, program bool, r found) {
	if text := w.words.text(r.word); !utf8.ValidString(text) {
		r.word = w.numbered(valid(text))
	}
	r.owner = owner
	w.refs = append(w.refs, r)
	if program && owner != module {
		r.owner = module
		w.refs = append(w.refs, r)
	}
}
