package api

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// javaType is the head of a class, an interface, an enum or a record.
type javaType struct {
	source.Header

	variables map[string]string // type parameters, by their erasures
}

// javaMethod is a method or a constructor. Types are erased, as in the names by which compiled code finds it.
type javaMethod struct {
	source.Header

	result string
	types  []string
}

// readType reads the head of a type; around are the variables of the types around it.
func readType(d *source.Declared, around map[string]string) (javaType, bool) {
	h, ok := header(d)
	return javaType{h, erasures(h, around)}, ok
}

// erasures are the type parameters of a declaration and of those around it.
func erasures(h source.Header, around map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, around)
	for _, p := range h.TypeParams {
		first, _, _ := strings.Cut(cmp.Or(p.Type, "Object"), " & ")
		out[p.Name] = erase(first, out)
	}
	return out
}

// erase is a type without what compiled code does not know of it: type arguments, annotations, where its name comes from.
func erase(typ string, variables map[string]string) string {
	var plain strings.Builder
	depth := 0
	for _, c := range typ {
		switch {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case depth == 0:
			plain.WriteRune(c)
		}
	}
	words := strings.Fields(plain.String())
	words = slices.DeleteFunc(words, func(w string) bool { return w == "final" || strings.HasPrefix(w, "@") })
	name := strings.Join(words, "")
	end := len(name)
	for end > 0 && (name[end-1] == '[' || name[end-1] == ']' || name[end-1] == '.') {
		end--
	}
	name, dimensions := name[:end], name[end:]
	name = name[strings.LastIndexByte(name, '.')+1:]
	if bound, ok := variables[name]; ok {
		name = bound
	}
	return name + dimensions
}

// readMethods reads the overloads of a method or a constructor; false where they could not be read.
func readMethods(d *source.Declared, around map[string]string) (out []javaMethod, ok bool) {
	for _, h := range d.Headers() {
		h.Params = slices.DeleteFunc(h.Params, func(p source.Parameter) bool { return p.Kind == source.Receiver })
		variables := erasures(h, around)
		m := javaMethod{Header: h, result: erase(h.Result, variables)}
		for _, p := range h.Params {
			m.types = append(m.types, erase(p.Type, variables))
		}
		out = append(out, m)
	}
	return out, len(out) > 0
}

// same reports whether compiled code that calls one finds the other.
func (m javaMethod) same(other javaMethod) bool {
	return slices.EqualFunc(m.types, other.types, func(a, b string) bool { return arrays(a) == arrays(b) })
}

// arrays spells a parameter that takes any number as what it is to those who were compiled.
func arrays(typ string) string {
	if rest, ok := strings.CutSuffix(typ, "..."); ok {
		return rest + "[]"
	}
	return typ
}

func (m javaMethod) variadic() bool {
	return len(m.types) > 0 && strings.HasSuffix(m.types[len(m.types)-1], "...")
}
