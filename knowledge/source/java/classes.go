package java

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// survey records the file's types, members and inheritance before name resolution, because bodies may use later
// declarations.
func (w *walker) survey() {
	w.classOf = make([]int32, len(w.decls))
	for k := range w.decls {
		d := &w.decls[k]
		if !isType(d.kind) {
			continue
		}
		c := int32(len(w.classes))
		w.classOf[k] = c
		name := w.Join(w.nameOf(d.scope), w.ids[d.head.From+1])
		w.classes = append(w.classes, class{name: name, kind: d.kind})
		w.byName[d.name] = c
		w.declared[name] = c
		w.info[w.ids[d.head.From+1]].flags |= wordType
	}
	for k := range w.decls {
		d := &w.decls[k]
		if !isType(d.kind) {
			w.declareMember(w.byName[d.scope], d)
			continue
		}
		c := w.byName[d.name]
		w.declareType(c, d)
		w.basesOf(c, d)
	}
}

func (w *walker) nameOf(scope string) dotted {
	if scope == "" {
		return 0
	}
	return w.classes[w.byName[scope]].name
}

func (w *walker) declareMember(c int32, d *decl) {
	if d.declared.To > 0 {
		w.declareName(c, w.ids[d.declared.From], true, false, 0)
	} else if d.components > 0 && d.components-1 >= d.head.From {
		w.declareName(c, w.ids[d.components-1], false, true, 0)
	}
}

func (w *walker) declareName(c int32, id ident, field, method bool, typ dotted) {
	key := memberKey{c, id}
	m := w.members[key]
	m.field, m.method = m.field || field, m.method || method
	if typ != 0 {
		m.typ = typ
	}
	w.members[key] = m
	w.info[id].flags |= wordMember
}

// declareType records implicit members: enum constants and record components.
func (w *walker) declareType(c int32, d *decl) {
	for _, m := range d.members {
		w.declareName(c, w.ids[m.To-1], true, false, w.classes[c].name)
	}
	if d.kind == source.Enum {
		w.declareName(c, w.intern("values"), false, true, 0)
		w.declareName(c, w.intern("valueOf"), false, true, 0)
	}
	if d.kind != source.Record || d.components == 0 {
		return
	}
	for i, end := d.components+1, w.inner(d.components); i < end; i++ {
		switch w.kind(i) {
		case '@':
			i = w.annotationEnd(i) - 1
		case '<', '(', '[':
			i = max(i, w.ends[i]-1)
		case word:
			if k := w.kind(i + 1); k == ',' || k == ')' {
				w.declareName(c, w.ids[i], true, true, 0)
				w.classes[c].components = append(w.classes[c].components, w.ids[i])
			}
		}
	}
}

func (w *walker) basesOf(c int32, d *decl) {
	listed := false
	for i := d.head.From + 2; i < d.head.To; i++ {
		switch k := w.kind(i); {
		case k == '(' || k == '<':
			i = max(i, w.ends[i]-1)
		case k == '@':
			i = w.annotationEnd(i) - 1
		case k != word:
		case w.ids[i] == idExtends || w.ids[i] == idImplements:
			listed = true
		case w.ids[i] == idPermits:
			return
		case listed:
			from := i
			for w.kind(i+1) == '.' && w.kind(i+2) == word {
				i += 2
			}
			if b, ok := w.sibling(d.scope, from, i); ok && b != c {
				w.classes[c].bases = append(w.classes[c].bases, b)
			} else if !w.has(w.ids[i], wordPredeclared) {
				w.classes[c].foreign = true
			}
		}
	}
}

func (w *walker) sibling(scope string, from, to int32) (int32, bool) {
	if !w.has(w.ids[from], wordType) {
		return 0, false
	}
	for {
		d := w.nameOf(scope)
		for i := from; i <= to; i += 2 {
			d = w.Join(d, w.ids[i])
		}
		if c, ok := w.declared[d]; ok {
			return c, true
		}
		if scope == "" {
			return 0, false
		}
		scope = outerOf(scope)
	}
}

// localType is the known supertype of a class in a body.
type localType struct {
	base    dotted
	foreign bool
}

func (w *walker) localTypeDeclaration(i int32, kind source.Kind) int32 {
	w.bindType(w.ids[i+1])
	open, components := w.bodyOf(i + 2)
	if w.kind(open) != '{' {
		return max(open, i+2)
	}
	d := decl{kind: kind, head: span{From: i, To: open}, components: components}
	vars, types := w.mark()
	end := w.classIn(open, localType{}, &d)
	w.release(vars, types)
	return end
}

func (w *walker) localClass(open int32, t localType) int32 { return w.classIn(open, t, nil) }

func (w *walker) classIn(open int32, t localType, d *decl) int32 {
	end := w.ends[open]
	if !w.deeper() {
		return end
	}
	sub := w.outline(open, d)
	vars, types := w.mark()
	decls, classOf, notes, label := w.decls, w.classOf, w.notes, w.inLabel
	w.decls, w.notes, w.inLabel = sub.decls[1:], sub.notes, false
	c := w.enterLocal(t, d)
	w.local++
	apart := w.apart
	var constants []span
	if d != nil {
		w.typeHeader(d, c)
		constants = d.members
		w.apart++ // unlike an anonymous class, a named one is created elsewhere
	}
	w.inside = append(w.inside, c)
	w.bodyOfClass(c, open, constants, 0)
	w.local, w.apart = w.local-1, apart
	w.inside = w.inside[:len(w.inside)-1]
	w.decls, w.classOf, w.notes, w.inLabel = decls, classOf, notes, label
	w.release(vars, types)
	w.shallower()
	return end
}

// outline finds the declarations in a local class body; the first one stands for the class itself.
func (w *walker) outline(open int32, d *decl) *parser {
	quiet := *w.unit // errors within a body are not reported
	top := decl{kind: source.Class}
	scoped := scope{end: w.ends[open], kind: source.Class}
	if d != nil {
		top.kind, scoped.kind, scoped.simple = d.kind, d.kind, w.name(d.head.From+1)
	}
	sub := &parser{unit: &quiet, at: open + 1, decls: []decl{top}, types: []scope{scoped}}
	if d != nil && d.kind == source.Enum {
		d.members = sub.constants(scoped.end)
	}
	for len(sub.types) > 0 && int(sub.at) < len(sub.toks) {
		sub.step()
	}
	return sub
}

// enterLocal adds the class of a local type and its nested types.
func (w *walker) enterLocal(t localType, d *decl) int32 {
	c := int32(len(w.classes))
	own := class{base: t.base, foreign: t.foreign}
	if b, ok := w.declared[t.base]; ok {
		own.bases = append(own.bases, b)
	}
	w.classes = append(w.classes, own)
	if d != nil {
		w.declareType(c, d)
	}
	w.classOf = make([]int32, len(w.decls))
	named := map[string]int32{"": c}
	for k := range w.decls {
		m := &w.decls[k]
		if !isType(m.kind) {
			w.declareMember(named[m.scope], m)
			continue
		}
		w.bindType(w.ids[m.head.From+1])
		w.classOf[k] = int32(len(w.classes))
		named[m.name] = w.classOf[k]
		w.classes = append(w.classes, class{kind: m.kind})
		w.declareType(w.classOf[k], m)
	}
	return c
}

func outerOf(name string) string { return name[:max(0, strings.LastIndexByte(name, '.'))] }
