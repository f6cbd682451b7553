package api

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// javaType is the header of a class, an interface, an enum or a record.
type javaType struct {
	source.Header

	variables map[string]string // erasures of type parameters
}

// javaMethod is a method or a constructor. Its types are erased, as in the descriptors of compiled code.
type javaMethod struct {
	source.Header

	result string
	types  []string
}

// readType reads the header of a type. around has the type variables of enclosing types.
func readType(d *source.Declared, around map[string]string) (javaType, bool) {
	h, ok := header(d)
	return javaType{h, erasures(h, around)}, ok
}

// erasures returns the type parameters of a declaration and its enclosing types, with their erasures.
func erasures(h source.Header, around map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, around)
	for _, p := range h.TypeParams {
		first, _, _ := strings.Cut(cmp.Or(p.Type, "Object"), " & ")
		out[p.Name] = erase(first, out)
	}
	return out
}

// erase reduces a type to its form in compiled code, without type arguments, annotations and qualifiers.
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

// same reports whether two methods have the same descriptor, apart from the result.
func (m javaMethod) same(other javaMethod) bool {
	return slices.EqualFunc(m.types, other.types, func(a, b string) bool { return arrays(a) == arrays(b) })
}

func arrays(typ string) string {
	if rest, ok := strings.CutSuffix(typ, "..."); ok {
		return rest + "[]"
	}
	return typ
}

func (m javaMethod) variadic() bool {
	return len(m.types) > 0 && strings.HasSuffix(m.types[len(m.types)-1], "...")
}
