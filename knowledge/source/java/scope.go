package java

import "github.com/causaldocs/causal/knowledge/source"

// closed is the type of values whose members no repository declares, including arrays. 0 is an unknown type.
const closed dotted = -1

// local is a local variable, parameter or pattern variable, or a type declared in a body.
type local struct {
	name  ident
	outer int32  // 1 + the shadowed local
	typ   dotted // of a variable
}

type class struct {
	name       dotted // 0 in a body, whose members cannot be named elsewhere
	kind       source.Kind
	base       dotted  // of super
	components []ident // of a record
	bases      []int32 // supertypes declared in the file
	// foreign marks a class that inherits from types of other files.
	foreign bool
	// vars and types are the numbers of locals at the start of its body.
	vars, types int32
}

type memberKey struct {
	class int32
	name  ident
}

type member struct {
	field, method bool
	typ           dotted // of the field, set when its class is entered
}

type scopes struct {
	vars, kinds []local // variables, and types declared in a body
	classes     []class
	byName      map[string]int32 // classes declared outside bodies
	members     map[memberKey]member
	inside      []int32 // enclosing classes, innermost last
}

func (w *walker) bind(id ident, typ dotted) {
	if id == 0 {
		return
	}
	info := &w.info[id]
	w.vars = append(w.vars, local{id, info.local, typ})
	info.local = int32(len(w.vars))
}

func (w *walker) bindType(id ident) {
	if id == 0 {
		return
	}
	info := &w.info[id]
	w.kinds = append(w.kinds, local{id, info.typ, 0})
	info.typ = int32(len(w.kinds))
}

func (w *walker) mark() (vars, types int32) { return int32(len(w.vars)), int32(len(w.kinds)) }

func (w *walker) release(vars, types int32) {
	for n := int32(len(w.vars)); n > vars; n-- {
		l := w.vars[n-1]
		w.info[l.name].local = l.outer
	}
	w.vars = w.vars[:vars]
	for n := int32(len(w.kinds)); n > types; n-- {
		l := w.kinds[n-1]
		w.info[l.name].typ = l.outer
	}
	w.kinds = w.kinds[:types]
}

// maxBases limits the supertypes searched, which may be cyclic.
const maxBases = 32

// declaring returns the class that declares name: c or a supertype in this file.
func (w *walker) declaring(c int32, name ident, method bool) (int32, member, bool) {
	var found [maxBases]int32
	list := append(found[:0], c)
	for i := 0; i < len(list); i++ {
		if m, ok := w.members[memberKey{list[i], name}]; ok && (method && m.method || !method && m.field) {
			return list[i], m, true
		}
		for _, b := range w.classes[list[i]].bases {
			if len(list) < maxBases {
				list = append(list, b)
			}
		}
	}
	return 0, member{}, false
}

// scopeOf is the scope of a simple name.
type scopeOf uint8

const (
	nowhere   scopeOf = iota // not in this file
	inBody                   // bound in the body
	inClass                  // a member of a class in this file
	inherited                // perhaps inherited from another file
)

func (w *walker) variable(name ident) (where scopeOf, owner int32, typ dotted) {
	at := w.info[name].local
	anyMember := w.has(name, wordMember)
	foreign := false
	for i := len(w.inside) - 1; i >= 0; i-- {
		c := w.inside[i]
		if at > w.classes[c].vars {
			return inBody, 0, w.vars[at-1].typ
		}
		if anyMember {
			if of, m, ok := w.declaring(c, name, false); ok {
				return w.memberOf(of), of, m.typ
			}
		}
		foreign = foreign || w.classes[c].foreign
	}
	if at > 0 {
		return inBody, 0, w.vars[at-1].typ
	}
	if foreign {
		return inherited, 0, 0
	}
	return nowhere, 0, 0
}

func (w *walker) memberOf(c int32) scopeOf {
	if w.classes[c].name == 0 && !w.implicit(c) {
		return inBody
	}
	return inClass
}

// implicit reports whether c is the implicit class of a file.
func (w *walker) implicit(c int32) bool { return c == 0 }

func (w *walker) methodOf(name ident) (where scopeOf, owner int32) {
	if w.has(name, wordMember) {
		for i := len(w.inside) - 1; i >= 0; i-- {
			if of, _, ok := w.declaring(w.inside[i], name, true); ok {
				return w.memberOf(of), of
			}
			if w.classes[w.inside[i]].foreign {
				return inherited, 0 // it takes precedence over outer classes
			}
		}
	}
	return nowhere, 0
}

// typeNamed resolves a simple type name; 0 for a type variable or local class.
func (w *walker) typeNamed(name ident) dotted {
	info := &w.info[name]
	if info.flags&wordType == 0 {
		if info.typ > 0 {
			return 0
		}
		return w.alone(name)
	}
	for i := len(w.inside) - 1; i >= 0; i-- {
		c := w.inside[i]
		if info.typ > w.classes[c].types {
			return 0
		}
		if d, ok := w.nested(c, name); ok {
			return d
		}
	}
	if info.typ > 0 {
		return 0
	}
	return w.alone(name)
}

func (w *walker) nested(c int32, name ident) (dotted, bool) {
	var found [maxBases]int32
	list := append(found[:0], c)
	for i := 0; i < len(list); i++ {
		k := &w.classes[list[i]]
		if k.name > 0 {
			if _, last := w.Split(k.name); last == name {
				return k.name, true
			}
			if d, ok := w.Find(k.name, name); ok && w.isDeclared(d) {
				return d, true
			}
		}
		for _, b := range k.bases {
			if len(list) < maxBases {
				list = append(list, b)
			}
		}
	}
	return 0, false
}
