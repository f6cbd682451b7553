package typescript

import (
	"github.com/causaldocs/causal/knowledge/source/ecma"
	"github.com/causaldocs/causal/testgen/spec"
)

// resolver resolves type names of a file.
type resolver struct {
	pkg    *Package
	file   *file
	params map[string]*Type // type parameters
	open   map[string]bool  // aliases being resolved, to stop recursion
	left   *int             // remaining budget of names for one function
}

// resolve looks a name up among type parameters, declarations of the file, and imports from the repository.
func (r *resolver) resolve(name string, depth int) *Type {
	if t := r.params[name]; t != nil {
		return t
	}
	at, d := r.pkg.find(r.file, name, 0)
	key := name
	if d != nil {
		key = at.name + " " + d.name
	}
	if *r.left--; d == nil || depth > deepest || r.open[key] || d.generics || *r.left < 0 {
		return opaque(name)
	}
	if r.open == nil {
		r.open = map[string]bool{}
	}
	r.open[key] = true
	defer delete(r.open, key)
	inner := &resolver{pkg: r.pkg, file: at, open: r.open, left: r.left}
	var t *Type
	switch d.kind {
	case aType:
		p := typeParser{t: at.tokens, i: d.body.from, names: inner, depth: depth}
		t = p.parse(0)
	case aInterface:
		t = inner.iface(d, depth)
	case anEnum:
		t = enumType(at, d)
	default:
		return opaque(name)
	}
	if t.Kind == Opaque {
		return opaque(name)
	}
	named := *t
	named.Text, named.Foreign = name, true
	return &named
}

func (r *resolver) iface(d *decl, depth int) *Type {
	if d.body.to == 0 {
		return opaque(d.name)
	}
	p := typeParser{t: r.file.tokens, i: d.body.from, names: r, depth: depth}
	fields, elem, ok := p.properties(d.body.to, 0)
	if !ok {
		return opaque(d.name)
	}
	if d.extends.to > 0 {
		base := typeParser{t: r.file.tokens, i: d.extends.from, names: r, depth: depth}
		for base.i < d.extends.to {
			b := base.name(0)
			if b.Kind != Object || elem != nil {
				return opaque(d.name)
			}
			fields = joinFields(b.Fields, fields)
			if !base.is(",") {
				break
			}
			base.i++
		}
	}
	return objectOf(fields, elem)
}

// enumType returns a numeric enum as a union of its values.
func enumType(f *file, d *decl) *Type {
	var list []*Type
	next := int64(0)
	for i := d.body.from; i < d.body.to && len(list) < 50; i++ {
		if f.tokens[i].Kind != ecma.Word {
			return opaque(d.name)
		}
		var v spec.Value = next
		i++
		if i < d.body.to && f.tokens[i].Text == "=" {
			var ok bool
			if v, i, ok = literal(f.tokens, i+1); !ok {
				return opaque(d.name)
			}
			n, number := v.(int64)
			if next = n + 1; !number {
				return opaque(d.name) // strings cannot be assigned to a string enum
			}
		} else {
			next++
		}
		list = append(list, literalType(v))
		if i < d.body.to && f.tokens[i].Text != "," {
			return opaque(d.name)
		}
	}
	if len(list) == 0 {
		return opaque(d.name)
	}
	return union(list)
}
