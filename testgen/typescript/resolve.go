package typescript

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/ecma"
	"github.com/causaldocs/causal/testgen/spec"
)

// resolver finds the meaning of types in a file.
type resolver struct {
	pkg    *Package
	file   *file
	params map[string]*Type // type parameters
	open   map[string]bool  // aliases being resolved, to stop recursion
	left   *int             // remaining budget of names for one function
	depth  int              // of aliases
}

// of returns the meaning of a type as written.
func (r *resolver) of(text string) *Type { return r.meaning(r.file.typeOf(text)) }

func (r *resolver) meaning(t ecma.Type) *Type {
	switch t.Form {
	case ecma.Union:
		return union(r.meanings(t.Of))
	case ecma.Intersection:
		return intersection(r.meanings(t.Of))
	case ecma.Array:
		return arrayOf(r.meaning(t.Of[0]))
	case ecma.Tuple:
		return tupleOf(r.meanings(t.Of))
	case ecma.Object:
		return r.object(t.Fields)
	case ecma.Dictionary:
		return dictionaryOf(r.meaning(t.Of[0]))
	case ecma.Function:
		return &Type{Text: "function", Kind: Callable, Foreign: true}
	case ecma.Predicate:
		return &Type{Text: "boolean", Kind: Boolean}
	case ecma.Literal:
		if v, ok := valueOf(t.Text); ok {
			return literalType(v)
		}
	case ecma.Named:
		return r.named(t.Text, r.meanings(t.Of))
	}
	return opaque(t.Text)
}

func (r *resolver) meanings(list []ecma.Type) (out []*Type) {
	for _, t := range list {
		out = append(out, r.meaning(t))
	}
	return out
}

// mostFields limits the properties of an object.
const mostFields = 100

func (r *resolver) object(list []ecma.Field) *Type {
	if len(list) > mostFields {
		return opaque("object")
	}
	var fields []Field
	for _, f := range list {
		fields = append(fields, Field{f.Name, f.Optional, r.meaning(f.Type)})
	}
	return objectOf(fields)
}

func (r *resolver) named(name string, args []*Type) *Type {
	if len(args) == 1 {
		switch a := args[0]; name {
		case "Array", "ReadonlyArray":
			return arrayOf(a)
		case "Promise", "PromiseLike":
			t := *a
			t.Text, t.Async = "Promise<"+a.Text+">", true
			return &t
		case "Readonly", "NonNullable", "Required":
			return a
		case "Partial":
			if a.Kind == Object {
				t := &Type{Text: "Partial<" + a.Text + ">", Kind: Object, Foreign: a.Foreign}
				for _, f := range a.Fields {
					t.Fields = append(t.Fields, Field{f.Name, true, f.Type})
				}
				return t
			}
		case "Uint8Array":
			return &Type{Text: "Uint8Array", Kind: Bytes}
		}
	}
	if name == "Record" && len(args) == 2 && args[0].Kind == Text {
		return dictionaryOf(args[1])
	}
	if kind, ok := predeclared[name]; ok && len(args) == 0 {
		return &Type{Text: name, Kind: kind}
	}
	if len(args) == 0 {
		return r.resolve(name)
	}
	return opaque(name)
}

// resolve looks a name up among type parameters, declarations of the file, and imports from the repository.
func (r *resolver) resolve(name string) *Type {
	if t := r.params[name]; t != nil {
		return t
	}
	d := r.pkg.find(r.file, name, 0)
	key := name
	if d != nil {
		key = d.file.name + " " + d.Name
	}
	if *r.left--; d == nil || r.depth >= deepest || r.open[key] || *r.left < 0 {
		return opaque(name)
	}
	if r.open == nil {
		r.open = map[string]bool{}
	}
	r.open[key] = true
	defer delete(r.open, key)
	t := (&resolver{pkg: r.pkg, file: d.file, open: r.open, left: r.left, depth: r.depth + 1}).declared(d)
	if t == nil || t.Kind == Opaque {
		return opaque(name)
	}
	named := *t
	named.Text, named.Foreign = name, true
	return &named
}

// declared returns the meaning of a declared type; nil if it has type parameters or several declarations.
func (r *resolver) declared(d *decl) *Type {
	list := d.Headers()
	if len(list) != 1 || len(list[0].TypeParams) > 0 {
		return nil
	}
	switch h := list[0]; d.Kind {
	case source.Type:
		return r.of(h.Value)
	case source.Interface:
		return r.iface(h)
	case source.Enum:
		return enumType(h.Members)
	}
	return nil
}

// call returns the header of a function type, and moves r to the file that declares it. It returns nil for another type.
func (r *resolver) call(text string) *source.Header {
	t := r.file.typeOf(text)
	if t.Form == ecma.Named && len(t.Of) == 0 {
		d := r.pkg.find(r.file, t.Text, 0)
		if d == nil || d.Kind != source.Type {
			return nil
		}
		if list := d.Headers(); len(list) == 1 && len(list[0].TypeParams) == 0 {
			r.file, t = d.file, d.file.typeOf(list[0].Value)
		}
	}
	return t.Call
}

func (r *resolver) iface(h source.Header) *Type {
	t := r.of(h.Value)
	for _, text := range h.Bases {
		base := r.of(text)
		if base.Kind != Object || t.Kind != Object {
			return nil
		}
		t = objectOf(joinFields(base.Fields, t.Fields))
	}
	return t
}

const mostMembers = 50

// enumType returns a numeric enum as a union of its values; nil for another enum, whose values have no literal form.
func enumType(members []source.Parameter) *Type {
	var list []*Type
	next := int64(0)
	for _, m := range members[:min(len(members), mostMembers)] {
		if m.Default != "" {
			v, ok := valueOf(m.Default)
			n, number := v.(int64)
			if !ok || !number {
				return nil
			}
			next = n
		}
		list = append(list, literalType(next))
		next++
	}
	if len(list) == 0 {
		return nil
	}
	return union(list)
}

func literalType(v spec.Value) *Type {
	return &Type{Text: flatCode(v), Kind: Literal, Value: v}
}

func arrayOf(t *Type) *Type {
	text := t.Text
	if strings.ContainsAny(text, " ") {
		text = "(" + text + ")"
	}
	return &Type{Text: text + "[]", Kind: Array, Elem: t, Foreign: t.Foreign}
}

func dictionaryOf(t *Type) *Type {
	return &Type{Text: "Record<string, " + t.Text + ">", Kind: Dictionary, Elem: t, Foreign: t.Foreign}
}

func tupleOf(list []*Type) *Type {
	return &Type{Text: "[" + textOfAll(list, ", ") + "]", Kind: Tuple, Elems: list, Foreign: slices.ContainsFunc(list, isForeign)}
}

func textOfAll(list []*Type, between string) string {
	texts := make([]string, len(list))
	for i, t := range list {
		texts[i] = t.Text
	}
	return strings.Join(texts, between)
}

func isForeign(t *Type) bool { return t.Foreign }

func objectOf(fields []Field) *Type {
	t := &Type{Kind: Object, Fields: fields, Text: "{}"}
	texts := []string{}
	for _, f := range fields {
		name := f.Name
		if f.Optional {
			name += "?"
		}
		texts, t.Foreign = append(texts, name+": "+f.Type.Text), t.Foreign || f.Type.Foreign
	}
	if len(texts) > 0 {
		t.Text = "{ " + strings.Join(texts, "; ") + " }"
	}
	return t
}

func intersection(list []*Type) *Type {
	t := list[0]
	for _, other := range list[1:] {
		text := t.Text + " & " + other.Text
		if t.Kind != Object || other.Kind != Object {
			t = opaque(text)
			continue
		}
		t = &Type{Text: text, Kind: Object, Fields: joinFields(t.Fields, other.Fields), Foreign: t.Foreign || other.Foreign}
	}
	return t
}

// joinFields returns b's fields, then those of a that b lacks.
func joinFields(a, b []Field) []Field {
	out := append([]Field{}, b...)
	for _, f := range a {
		if !slices.ContainsFunc(b, func(o Field) bool { return o.Name == f.Name }) {
			out = append(out, f)
		}
	}
	return out
}
