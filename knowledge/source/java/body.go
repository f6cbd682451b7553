package java

import (
	"sync"

	"github.com/causaldocs/causal/knowledge/source"
)

// walker goes through the declarations of a file and their bodies for the names that they use and do not bind.
type walker struct {
	*parser
	collector
	scopes
	// declared are the types of the file that are declared outside of bodies, with their classes.
	declared map[dotted]int32
	owners   map[string]int32 // symbols by their names
	decls    []decl           // the declarations that are being gone through
	classOf  []int32          // the classes of those that are types
	depth    int
	local    int  // how many classes of bodies are around this place
	silent   int  // above 0 nothing is recorded
	inLabel  bool // in a case, whose arrow makes no lambda
	// wildcards says that an import brings names that are not listed.
	wildcards bool
}

var walkers = sync.Pool{New: func() any {
	return &walker{declared: map[dotted]int32{}, scopes: scopes{byName: map[string]int32{}, members: map[memberKey]member{}}}
}}

// maxKept bounds the memory that is kept for the next file, in tokens of this one.
const maxKept = 1 << 18

// bodies fills in what the declarations of f use.
func (p *parser) bodies(f *source.File) {
	w := walkers.Get().(*walker)
	w.walk(p, f.Symbols)
	w.deliver(func(owner int32, list []source.Reference) {
		if owner < 0 {
			f.Body = list
		} else {
			f.Symbols[owner].Body = list
		}
	})
	w.let()
}

// let gives the walker back, without what it refers to.
func (w *walker) let() {
	if len(w.toks) > maxKept {
		return
	}
	w.words.Reset()
	w.parser, w.owners, w.decls, w.classOf = nil, nil, nil, nil
	walkers.Put(w)
}

func (w *walker) walk(p *parser, symbols []source.Symbol) {
	w.prepare(p)
	w.owners = make(map[string]int32, len(symbols))
	for i := range symbols {
		w.owners[symbols[i].Name] = int32(i)
	}
	w.survey()
	w.own(-1)
	if p.docOf >= 0 {
		w.modifiersAt(p.docOf)
	}
	w.inside = append(w.inside[:0], 0)
	for k := 0; k < len(w.decls); {
		k = w.declarationAt(k)
	}
}

func (w *walker) prepare(p *parser) {
	w.parser, w.decls = p, p.decls
	w.number(p.unit)
	w.reset()
	clear(w.declared)
	clear(w.byName)
	clear(w.members)
	w.vars, w.kinds, w.classes = w.vars[:0], w.kinds[:0], append(w.classes[:0], class{})
	w.depth, w.local, w.silent, w.inLabel, w.wildcards = 0, 0, 0, false, false
	for i := range p.imports {
		imp := &p.imports[i]
		w.wildcards = w.wildcards || imp.All
		for _, n := range imp.Names {
			w.info[w.intern(n.Name)].flags |= wordImported
		}
	}
	for _, name := range p.statics {
		w.info[w.intern(name)].flags |= wordStatic
	}
}

// certain records a reference whose name says what is meant.
func (w *walker) certain(d dotted, kind int, token int32) {
	if w.silent == 0 {
		w.collector.certain(w.unit, d, kind, token)
	}
}

// open records a selection from what the syntax does not tell.
func (w *walker) open(id ident, kind int, token int32) {
	if w.silent == 0 {
		w.collector.open(w.unit, id, kind, token)
	}
}

// spelled is the text of a word.
func (w *walker) spelled(id ident) string { return w.Text(int32(id)) }

func (w *walker) isDeclared(d dotted) bool {
	_, ok := w.declared[d]
	return ok
}

// ownerOf is the symbol that the references of a declaration belong to: its own, or that of the class around one that is
// not listed.
func (w *walker) ownerOf(d *decl) int32 {
	if w.local > 0 {
		return w.owner()
	}
	if i, ok := w.owners[d.name]; ok {
		return i
	}
	if i, ok := w.owners[d.scope]; ok {
		return i
	}
	return w.owner()
}

// declarationAt goes through declaration k with those inside of it, and returns the index of the next one.
func (w *walker) declarationAt(k int) int {
	d := &w.decls[k]
	before := w.owner()
	w.own(w.ownerOf(d))
	defer w.own(before)
	if w.local > 0 && d.declared.To == 0 { // it is called later, if at all
		w.apart++
		defer func() { w.apart-- }()
	}
	if isType(d.kind) {
		return w.typeAt(k)
	}
	vars, types := w.mark()
	w.memberAt(d)
	w.release(vars, types)
	return k + 1
}

// typeAt goes through the class that is declaration k.
func (w *walker) typeAt(k int) int {
	d := &w.decls[k]
	vars, types := w.mark()
	defer w.release(vars, types)
	c := w.classOf[k]
	w.modifiersIn(d.mods)
	w.typeHeader(d, c)
	w.inside = append(w.inside, c)
	k = w.bodyOfClass(c, d.head.To, d.members, k+1)
	w.inside = w.inside[:len(w.inside)-1]
	return k
}

// modifiersIn reads the annotations of a declaration.
func (w *walker) modifiersIn(m modifiers) {
	for _, a := range w.parser.notes[m.notes.From:m.notes.To] {
		w.annotation(a.From)
	}
}

// typeHeader reads a type's parameters, components and supertypes.
func (w *walker) typeHeader(d *decl, c int32) {
	i, end := d.head.From+2, d.head.To
	if w.kind(i) == '<' {
		i = w.typeParameters(i)
	}
	if w.kind(i) == '(' {
		vars, types := w.mark()
		w.parameters(i)
		w.componentTypes(c, w.vars[vars:])
		w.release(vars, types)
		i = w.ends[i]
	}
	for i < end {
		id := w.id(i)
		switch id {
		case idExtends, idImplements, idPermits:
			i = w.typesOf(i+1, end, func(d dotted) { w.inherits(c, id, d) })
		default:
			i++
		}
	}
}

// componentTypes notes the types of the components of record c.
func (w *walker) componentTypes(c int32, list []local) {
	for _, l := range list {
		w.declareName(c, l.name, true, true, l.typ)
	}
}

// inherits notes the supertype d that follows the word clause in the header of class c.
func (w *walker) inherits(c int32, clause ident, d dotted) {
	k := &w.classes[c]
	if clause == idExtends && k.base == 0 {
		k.base = max(d, 0)
	}
	if k.name != 0 || clause == idPermits {
		return // known from the survey
	}
	if b, ok := w.declared[d]; ok {
		k.bases = append(k.bases, b)
	} else {
		k.foreign = k.foreign || d != closed
	}
}

// bodyOfClass goes through the class whose body opens at token open: its constants, its members from declaration k
// on, and the initialisers between them.
func (w *walker) bodyOfClass(c, open int32, constants []span, k int) int {
	w.classes[c].vars, w.classes[c].types = w.mark()
	at, end := open+1, w.inner(open)
	for _, m := range constants {
		for i := m.From; i < m.To-1; {
			i = max(w.annotation(i), i+1)
		}
		at = m.To
		if w.kind(at) == '(' {
			at = w.group(at)
		}
		if w.kind(at) == '{' {
			at = w.localClass(at, localType{base: w.classes[c].name, foreign: true})
		}
	}
	w.fieldTypes(c, k, end)
	for k < len(w.decls) && w.decls[k].all.From < end {
		d := &w.decls[k]
		w.gap(at, d.all.From)
		k = w.declarationAt(k)
		at = max(at, d.all.To, d.rest.To)
	}
	w.gap(at, end)
	return k
}

// fieldTypes notes the types of the fields of class c, whose declarations begin at k.
func (w *walker) fieldTypes(c int32, k int, end int32) {
	w.silent++
	for ; k < len(w.decls) && w.decls[k].all.From < end; k++ {
		d := &w.decls[k]
		if isType(d.kind) {
			for k+1 < len(w.decls) && w.decls[k+1].all.From < d.all.To {
				k++
			}
			continue
		}
		if d.declared.To > 0 {
			key := memberKey{c, w.ids[d.declared.From]}
			m := w.members[key]
			_, m.typ = w.typeName(d.head.From)
			_, m.typ = w.dimensionsOf(d.declared.From+1, m.typ)
			w.members[key] = m
		}
	}
	w.silent--
}

// gap reads the initialisers between two members.
func (w *walker) gap(i, end int32) {
	for i < end {
		if w.kind(i) == '{' {
			i = w.blockAt(i)
		} else {
			i++
		}
	}
}

// memberAt goes through a field, a method or a constructor.
func (w *walker) memberAt(d *decl) {
	w.modifiersIn(d.mods)
	if d.declared.To > 0 {
		w.typeName(d.head.From)
		if !d.value.Empty() {
			w.valueOfField(d.value.From + 1)
		}
		return
	}
	i := d.head.From
	if d.components == 0 {
		w.componentsOf()
		if w.kind(i+1) == '{' {
			w.blockAt(i + 1)
		}
		return
	}
	if w.kind(i) == '<' {
		i = w.typeParameters(i)
	}
	if i < d.components-1 {
		w.typeName(i)
	}
	w.parameters(d.components)
	for i = w.ends[d.components]; i < d.all.To; {
		switch {
		case w.kind(i) == '{':
			w.blockAt(i)
			return
		case w.id(i) == idThrows:
			i = w.typesOf(i+1, d.all.To, func(dotted) {})
		case w.id(i) == idDefault:
			i = max(w.expression(i+1), i+1)
		default:
			i++
		}
	}
}

// valueOfField reads the expression at i. Where that is a lambda, its course is that of the field.
func (w *walker) valueOfField(i int32) {
	if w.local == 0 && (w.isArrow(i+1) || w.kind(i) == '(' && w.isArrow(w.ends[i])) {
		w.apart--
		defer func() { w.apart++ }()
	}
	w.expression(i)
}

// parameters binds the parameters in the parenthesis at i, and reads their types.
func (w *walker) parameters(i int32) {
	end := w.inner(i)
	for i++; i < end; {
		i = w.modifiersAt(i)
		next, d := w.typeName(i)
		if next <= i {
			i++
			continue
		}
		for i = next; i < end && w.kind(i) == '.'; i++ {
		}
		if w.kind(i) == word && !w.has(w.ids[i], wordReserved) {
			_, typ := w.dimensionsOf(i+1, d)
			w.bind(w.ids[i], typ)
		}
		for i < end && w.kind(i) != ',' {
			i = max(i+1, w.skipped(i))
		}
		i++
	}
}

// skipped is the index after the bracket at i, or 0.
func (w *walker) skipped(i int32) int32 {
	switch w.kind(i) {
	case '(', '[', '{':
		return w.ends[i]
	}
	return 0
}

// componentsOf binds the components of the record around this place, as its compact constructor sees them.
func (w *walker) componentsOf() {
	c := w.inside[len(w.inside)-1]
	for _, f := range w.classes[c].components {
		w.bind(f, w.members[memberKey{c, f}].typ)
	}
}
