package java

import "github.com/causaldocs/causal/knowledge/source"

// reached classifies the result of a chain of names.
type reached uint8

const (
	unknown reached = iota // a value of unknown type
	ofType                 // a value of the type name
	aType                  // the type name itself
	aPackage
)

// operand is the result of a chain. name is closed if no repository declares its members.
type operand struct {
	is   reached
	name dotted
}

func (w *walker) self(i int32, super bool) (int32, operand) {
	c := &w.classes[w.inside[len(w.inside)-1]]
	d := c.name
	if super {
		d = c.base
	}
	if w.kind(i+1) == '(' {
		if super {
			w.certain(d, source.AsType, i)
		}
		end := w.group(i + 1)
		if !super && d > 0 {
			_, last := w.Split(d)
			w.certain(w.Join(d, last), source.AsCall, i)
		}
		return end, operand{}
	}
	if !super && d == 0 {
		d = c.base
	}
	if d == 0 {
		return i + 1, operand{}
	}
	return i + 1, operand{ofType, d}
}

// call reads an unqualified call. It records the call after its arguments, in the order of evaluation.
func (w *walker) call(i int32, id ident) int32 {
	where, of := w.methodOf(id)
	end := w.group(i + 1)
	switch {
	case where == inClass:
		w.certain(w.Join(w.classes[of].name, id), source.AsCall, i)
	case where == inBody, w.has(id, wordOfObject):
	case w.has(id, wordImported):
		w.certain(w.alone(id), source.AsCall, i)
	default:
		w.open(id, source.AsCall, i)
	}
	return end
}

func (w *walker) first(i int32, id ident) operand {
	where, of, typ := w.variable(id)
	switch where {
	case inBody:
		return valueOf(typ)
	case inClass:
		if w.ofLabel(i, of) {
			w.open(id, source.AsValue, i)
			return operand{}
		}
		if !w.isTypeHere(i) {
			w.certain(w.Join(w.classes[of].name, id), source.AsValue, i)
			return valueOf(typ)
		}
	}
	if w.kind(i+1) == '.' || w.isReference(i+1) || w.ends[i+1] > 0 && (w.kind(i+1) == '<' || w.kind(i+1) == '[' && w.kind(i+2) == ']') {
		if op, ok := w.qualifier(i, id, where == inherited); ok {
			return op
		}
	}
	if w.has(id, wordImported) {
		w.certain(w.alone(id), source.AsValue, i)
	} else {
		w.open(id, source.AsValue, i)
	}
	return operand{}
}

// ofLabel reports whether the name at i in a case label may be an enum constant rather than a member of class of.
func (w *walker) ofLabel(i, of int32) bool {
	if !w.inLabel || w.classes[of].kind == source.Enum {
		return false
	}
	k := w.kind(i + 1)
	return k == ',' || k == ':' || w.isArrow(i+1)
}

func (w *walker) isTypeHere(i int32) bool {
	if w.kind(i+1) == '[' {
		return w.kind(i+2) == ']'
	}
	if w.kind(i+1) != '.' {
		return false
	}
	id := w.id(i + 2)
	return id == idClass || id == idThis || id == idSuper
}

func valueOf(typ dotted) operand {
	if typ == 0 {
		return operand{}
	}
	return operand{ofType, typ}
}

// qualifier classifies a qualifying name that is not a variable of this file: a type or the first part of a package.
// ok is false if it may be a variable from elsewhere.
func (w *walker) qualifier(i int32, id ident, inherits bool) (op operand, ok bool) {
	info := &w.info[id]
	spelled := w.Text(id)
	switch {
	case info.typ > 0 || info.flags&wordType > 0:
		return operand{aType, w.typeNamed(id)}, true
	case info.flags&wordImported > 0:
		if lowerCase(spelled) || info.flags&wordStatic > 0 && !typeLike(spelled) {
			return operand{}, false
		}
		return operand{aType, w.alone(id)}, true
	case info.flags&wordPredeclared > 0:
		return operand{aType, closed}, true
	case typeLike(spelled):
		return operand{aType, w.alone(id)}, true
	case lowerCase(spelled):
		return operand{aPackage, w.alone(id)}, w.inPackage(i)
	}
	return operand{aType, w.alone(id)}, !inherits && !w.wildcards
}

func (w *walker) inPackage(i int32) bool {
	for w.kind(i+1) == '.' && w.kind(i+2) == word {
		i += 2
		if typeLike(w.Text(w.ids[i])) {
			return true
		}
		if !lowerCase(w.Text(w.ids[i])) {
			return false
		}
	}
	return false
}

func (w *walker) selections(i int32, op operand) (int32, operand) {
	for {
		switch w.kind(i) {
		case '[':
			if w.kind(i+1) == ']' {
				w.settle(op, i-1, source.AsType)
				op = operand{ofType, closed}
				i = w.ends[i]
				continue
			}
			i, op = w.group(i), operand{}
		case '.':
			var more bool
			if i, op, more = w.selected(i+1, op); !more {
				return i, op
			}
		case '<':
			if op.is != aType || w.ends[i] == 0 {
				w.settle(op, i-1, source.AsValue)
				return i, op
			}
			w.typeArguments(i)
			i = w.ends[i]
		case operator:
			if w.isReference(i) {
				return w.reference(i, op), operand{}
			}
			w.settle(op, i-1, source.AsValue)
			return i, op
		default:
			w.settle(op, i-1, source.AsValue)
			return i, op
		}
	}
}

// settle records the type at the end of a chain.
func (w *walker) settle(op operand, token int32, how source.How) {
	if op.is == aType {
		w.certain(op.name, how, token)
	}
}

// selected reads the name after a dot; more reports whether the chain may continue.
func (w *walker) selected(i int32, op operand) (next int32, now operand, more bool) {
	if w.kind(i) == '<' && w.ends[i] > 0 {
		w.typeArguments(i)
		i = w.ends[i]
	}
	for w.kind(i) == '@' {
		i = w.annotation(i)
	}
	if w.kind(i) != word {
		w.settle(op, i-1, source.AsValue)
		return i, operand{}, false
	}
	id := w.ids[i]
	switch id {
	case idClass:
		w.settle(op, i, source.AsType)
		return i + 1, operand{ofType, closed}, true
	case idThis:
		return i + 1, operand{ofType, op.name}, true
	case idSuper:
		return i + 1, w.superOf(op), true
	case idNew:
		next, now = w.creation(i+1, op.name)
		return next, now, true
	}
	if w.kind(i+1) == '(' {
		end := w.group(i + 1)
		w.selection(op, id, source.AsCall, i)
		return end, operand{}, true
	}
	return i + 1, w.field(i, id, op), true
}

// superOf resolves `Name.super`: the superclass of an enclosing class Name, otherwise the interface Name.
func (w *walker) superOf(op operand) operand {
	for _, c := range w.inside {
		if op.name > 0 && w.classes[c].name == op.name {
			return valueOf(w.classes[c].base)
		}
	}
	return valueOf(op.name)
}

func (w *walker) selection(op operand, id ident, how source.How, token int32) {
	switch {
	case op.is == unknown || op.name == 0 || op.is == aPackage:
		w.open(id, how, token)
	case op.name != closed:
		w.certain(w.Join(op.name, id), how, token)
	}
}

func (w *walker) field(i int32, id ident, op operand) operand {
	switch op.is {
	case aPackage:
		d := w.Join(op.name, id)
		if lowerCase(w.Text(id)) {
			return operand{aPackage, d}
		}
		return operand{aType, d}
	case aType:
		if op.name > 0 && w.nestedType(op.name, id, i) {
			return operand{aType, w.Join(op.name, id)}
		}
	}
	w.selection(op, id, source.AsValue, i)
	if op.is != unknown && op.name > 0 {
		if c, ok := w.declared[op.name]; ok {
			if of, m, ok := w.declaring(c, id, false); ok && of >= 0 {
				return valueOf(m.typ)
			}
		}
	}
	return operand{}
}

func (w *walker) nestedType(of dotted, id ident, token int32) bool {
	if w.has(id, wordType) {
		if d, ok := w.Find(of, id); ok && w.isDeclared(d) {
			return true
		}
	}
	if c, ok := w.declared[of]; ok {
		if _, _, field := w.declaring(c, id, false); field {
			return false
		}
	}
	if w.isReference(token + 1) {
		return typeLike(w.Text(id))
	}
	return w.kind(token+1) == '.' && typeLike(w.Text(id))
}

func (w *walker) reference(i int32, op operand) int32 {
	i++
	if w.kind(i) == '<' && w.ends[i] > 0 {
		w.typeArguments(i)
		i = w.ends[i]
	}
	if w.kind(i) != word {
		w.settle(op, i-1, source.AsValue)
		return i
	}
	if w.ids[i] == idNew {
		w.settle(op, i, source.AsType)
		return i + 1
	}
	w.selection(op, w.ids[i], source.AsValue, i)
	return i + 1
}

// creation reads the type after new; outer is the qualifying object's type for an inner class.
func (w *walker) creation(i int32, outer dotted) (int32, operand) {
	for w.kind(i) == '<' || w.kind(i) == '@' {
		if w.kind(i) == '@' {
			i = w.annotation(i)
			continue
		}
		w.typeArguments(i)
		i = max(i+1, w.ends[i])
	}
	from := i
	if outer != 0 {
		w.silent++
	}
	i, d := w.typeName(i)
	if outer != 0 {
		w.silent--
	}
	if outer != 0 {
		d = 0
		if w.kind(from) == word {
			w.open(w.ids[from], source.AsType, from)
		}
	}
	if w.kind(i) == '[' {
		for w.kind(i) == '[' {
			i = w.group(i)
		}
		d = closed
	}
	if d == closed && w.kind(i) == '{' {
		return w.group(i), operand{ofType, closed}
	}
	if w.kind(i) == '(' {
		i = w.group(i)
	}
	if w.kind(i) == '{' {
		i = w.localClass(i, localType{base: max(d, 0), foreign: d != closed})
		return i, operand{}
	}
	return i, valueOf(d)
}
