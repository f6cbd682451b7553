package java

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
)

// walker walks a file's declarations and bodies and records free names.
type walker struct {
	*parser
	collector
	scopes
	// declared maps the file's top-level and member types to their classes.
	declared  map[dotted]int32
	owners    map[string]int32 // symbols by name
	decls     []decl           // the declarations being walked
	classOf   []int32          // by declaration: the class of a type
	depth     int
	local     int  // the depth of classes within bodies
	silent    int  // positive while nothing is recorded
	inLabel   bool // in a case label, where an arrow is not a lambda's
	wildcards bool
}

// bodies sets the references of f's declarations.
func (p *parser) bodies(f *source.File) {
	w := newWalker(p)
	w.walk(f.Symbols)
	w.mentions.References(len(f.Symbols), w, w.forks, func(owner int, list []source.Reference) {
		if owner < 0 {
			f.Body = list
		} else {
			f.Symbols[owner].Body, f.Symbols[owner].Nests = list, source.NestsOf(list, w.forks)
		}
	})
}

func (w *walker) walk(symbols []source.Symbol) {
	for i := range symbols {
		w.owners[symbols[i].Name] = int32(i)
	}
	w.survey()
	if w.docOf >= 0 {
		w.modifiersAt(w.docOf)
	}
	for k := 0; k < len(w.decls); {
		k = w.declarationAt(k)
	}
}

func newWalker(p *parser) *walker {
	w := &walker{
		parser: p, collector: collector{words: numbered(p.unit), owner: source.NoOwner}, decls: p.decls, declared: map[dotted]int32{}, owners: map[string]int32{},
		scopes: scopes{byName: map[string]int32{}, members: map[memberKey]member{}, classes: []class{{}}, inside: []int32{0}},
	}
	w.branches, w.forks = (&control.Braces{
		Tokens: len(w.toks), Text: func(i int) string { return w.text(int32(i)) },
		Code: func(from, to int) string {
			var b strings.Builder
			w.render(&b, span{From: int32(from), To: int32(to)})
			return b.String()
		},
		Word: func(i int) control.Word {
			word := control.WordOf(w.text(int32(i)))
			if word == '?' && i > 0 && (w.text(int32(i-1)) == "<" || w.text(int32(i-1)) == ",") {
				return 0 // a wildcard
			}
			return word
		},
		After: func(i int) int { return max(i+1, int(w.skipped(int32(i)))) },
	}).Branches()
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
	return w
}

// certain records a resolved reference.
func (w *walker) certain(d dotted, how source.How, token int32) {
	if w.silent == 0 {
		w.use(w.unit, d, how, token)
	}
}

// open records a selection from a value of unknown type.
func (w *walker) open(id ident, how source.How, token int32) {
	if w.silent == 0 {
		w.use(w.unit, w.alone(id), how|source.AsOpen, token)
	}
}

func (w *walker) isDeclared(d dotted) bool {
	_, ok := w.declared[d]
	return ok
}

// ownerOf returns the symbol that owns a declaration's references: its own, or that of the enclosing class if it is
// not listed.
func (w *walker) ownerOf(d *decl) int32 {
	if w.local > 0 {
		return w.owner
	}
	if i, ok := w.owners[d.name]; ok {
		return i
	}
	if i, ok := w.owners[d.scope]; ok {
		return i
	}
	return w.owner
}

// declarationAt walks declaration k with its members and returns the next index.
func (w *walker) declarationAt(k int) int {
	d := &w.decls[k]
	before := w.owner
	w.owner = w.ownerOf(d)
	defer func() { w.owner = before }()
	if w.local > 0 && d.declared.To == 0 { // a local class's method runs later, if at all
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

func (w *walker) modifiersIn(m modifiers) {
	for _, a := range w.parser.notes[m.notes.From:m.notes.To] {
		w.annotation(a.From)
	}
}

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

func (w *walker) componentTypes(c int32, list []local) {
	for _, l := range list {
		w.declareName(c, l.name, true, true, l.typ)
	}
}

// inherits records supertype d of class c; clause is the preceding keyword.
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

// bodyOfClass walks a class body: its constants, its members from declaration k on, and the initializers between
// them.
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

func (w *walker) gap(i, end int32) {
	for i < end {
		if w.kind(i) == '{' {
			i = w.blockAt(i)
		} else {
			i++
		}
	}
}

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

// valueOfField reads a field's value. A lambda there belongs to the field's own control flow.
func (w *walker) valueOfField(i int32) {
	if w.local == 0 && (w.isArrow(i+1) || w.kind(i) == '(' && w.isArrow(w.ends[i])) {
		w.apart--
		defer func() { w.apart++ }()
	}
	w.expression(i)
}

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

func (w *walker) skipped(i int32) int32 {
	switch w.kind(i) {
	case '(', '[', '{':
		return w.ends[i]
	}
	return 0
}

// componentsOf binds the record's components, which its compact constructor sees.
func (w *walker) componentsOf() {
	c := w.inside[len(w.inside)-1]
	for _, f := range w.classes[c].components {
		w.bind(f, w.members[memberKey{c, f}].typ)
	}
}
