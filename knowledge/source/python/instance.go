package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

type tokens struct{ from, to int }

// selfAssigned reads instance attributes in a method: `self.name = value`, `self.name = self.other = value` and
// `self.name: type = value`.
func (x *reader) selfAssigned(from, to int) {
	method := strings.TrimSuffix(x.top().prefix, ".")
	class := method[:strings.LastIndexByte(method, '.')+1]
	if class == "" || !x.isSelf(from, to) {
		return
	}
	if x.is(from+3, to, ":") {
		a := assigned{name: from + 2, statement: from, statementEnd: to, annotation: from + 4, annotationEnd: to}
		if eq := x.topLevel(from+4, to, "="); eq < to {
			a.annotationEnd, a.operator, a.value, a.valueEnd = eq, "=", eq+1, to
		}
		x.give(a, class)
		return
	}
	var names []int
	value := from
	for x.isSelf(value, to) && x.is(value+3, to, "=") {
		names, value = append(names, value+2), value+4
	}
	for _, name := range names {
		a := assigned{name: name, statement: from, statementEnd: to}
		x.typed(&a, value, to)
		x.give(a, class)
	}
}

func (x *reader) isSelf(i, to int) bool {
	return x.isName(i, to) && x.text(i) == "self" && x.is(i+1, to, ".") && x.isName(i+2, to)
}

// typed infers an attribute's type from a parameter, a called class or a literal. Other values are implementation
// details.
func (x *reader) typed(a *assigned, value, end int) {
	if x.types == nil {
		x.types = x.typesOfParameters(x.method.from, x.method.to)
	}
	only := end == value+1
	switch t, annotated := x.types[x.text(min(value, end-1))]; {
	case value >= end:
	case only && x.isName(value, end) && annotated:
		a.annotation, a.annotationEnd = t.from, t.to
	case only && !x.isName(value, end):
		a.operator, a.value, a.valueEnd = "=", value, end
	case only:
	default:
		open := value
		for x.isName(open, end) && x.is(open+1, end, ".") {
			open += 2
		}
		if x.isName(open, end) && isClassName(x.text(open)) && x.is(open+1, end, "(") && x.closes(open+1, end) == end-1 {
			a.annotation, a.annotationEnd = value, open+1
		}
	}
}

func isClassName(s string) bool { return s[0] >= 'A' && s[0] <= 'Z' }

func (x *reader) give(a assigned, class string) {
	local := x.text(a.name)
	x.fieldType(&a, class+local)
	if !visibleMember(local) || isDunder(local) || len(x.given) >= source.MostSymbols {
		return
	}
	x.evaluate(&a, nil)
	x.given = append(x.given, x.symbolOf(&a, class, local, inClass))
}

func (x *reader) typesOfParameters(at, to int) map[string]tokens {
	out := map[string]tokens{}
	list, _ := x.parameters(at, to)
	for _, p := range list {
		if !p.variable && p.annotated > 0 {
			out[x.text(p.name)] = tokens{p.annotation, p.annotated}
		}
	}
	return out
}

// longestType limits the tokens of a field's type.
const longestType = 32

// fieldType records the type of a field with an annotation that is a name. A field with two types has none.
func (x *reader) fieldType(a *assigned, field string) {
	typ := ""
	if from, to := a.annotation, a.annotationEnd; from < to && from > 0 && to-from <= longestType {
		for i := from; i < to; i++ {
			typ += x.text(i)
		}
		typ = strings.Trim(typ, `'"`)
	}
	if was, again := x.fields[field]; again && was != typ {
		typ = ""
	}
	if x.fields == nil {
		x.fields = map[string]string{}
	}
	x.fields[field] = typ
}
