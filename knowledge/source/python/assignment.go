package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

const maxValue = 80

type assigned struct {
	name                       int
	annotation, annotationEnd  int
	operator                   string // "=", "+=" etc.; "" without a value
	value, valueEnd            int
	unpacked                   bool // the name is one of several, so the value is not its own
	statement, statementEnd    int
	keyword                    string
	typeParameters, paramsEnds int

	// shared by all names of the statement
	content, valueDigest source.Digest
	refs                 []string
}

// assignment reads a simple statement at module or class level that may bind names.
func (x *reader) assignment(from, to int) {
	if x.all.method(x, from, to) || x.top().noVars {
		return
	}
	switch {
	case x.typeAlias(from, to):
	case x.isName(from, to) && x.is(from+1, to, ":"):
		a := assigned{name: from, annotation: from + 2, annotationEnd: to, statement: from, statementEnd: to}
		if eq := x.topLevel(from+2, to, "="); eq < to {
			a.annotationEnd, a.operator, a.value, a.valueEnd = eq, "=", eq+1, to
		}
		x.bind(&a)
	case x.isName(from, to) && from+1 < to && x.isAugmented(from+1):
		a := assigned{name: from, operator: x.text(from + 1), value: from + 2, valueEnd: to, statement: from, statementEnd: to}
		x.bind(&a)
	default:
		x.targets(from, to)
	}
}

// typeAlias reads `type X[T] = ...`.
func (x *reader) typeAlias(from, to int) bool {
	if !x.isName(from, to) || x.text(from) != "type" || !x.isName(from+1, to) {
		return false
	}
	eq := x.topLevel(from+2, to, "=")
	x.bind(&assigned{
		name: from + 1, operator: "=", value: min(eq+1, to), valueEnd: to, statement: from, statementEnd: to,
		keyword: "type", typeParameters: from + 2, paramsEnds: eq,
	})
	return true
}

func (x *reader) isAugmented(i int) bool {
	s := x.text(i)
	return x.toks[i].kind == op && len(s) >= 2 && s[len(s)-1] == '=' && strings.IndexByte("=!<>:", s[len(s)-2]) < 0 ||
		s == ">>=" || s == "<<="
}

// topLevel finds an operator outside brackets, or returns to.
func (x *reader) topLevel(from, to int, operator string) int {
	depth := 0
	for i := from; i < to; i++ {
		depth += x.depth(i)
		if depth <= 0 && x.is(i, to, operator) {
			return i
		}
	}
	return to
}

func (x *reader) depth(i int) int {
	if t := x.toks[i]; t.kind == op && t.end-t.start == 1 {
		switch x.src[t.start] {
		case '(', '[', '{':
			return 1
		case ')', ']', '}':
			return -1
		}
	}
	return 0
}

// targets reads `a = b = value` and `a, (b, c) = value`.
func (x *reader) targets(from, to int) {
	value := from
	for eq := x.topLevel(from, to, "="); eq < to; eq = x.topLevel(eq+1, to, "=") {
		value = eq + 1
	}
	a := assigned{operator: "=", value: value, valueEnd: to, statement: from, statementEnd: to}
	for start := from; start < value; {
		end := x.topLevel(start, to, "=")
		if a.name, a.unpacked = start, false; end == start+1 && x.isName(start, to) {
			x.bind(&a)
		} else {
			x.unpack(&a, start, end)
		}
		start = end + 1
	}
}

func (x *reader) unpack(a *assigned, from, to int) {
	for i := from; i < to; i++ {
		if !x.isName(i, to) && !x.is(i, to, ",") && !x.is(i, to, "*") && x.depth(i) == 0 {
			return // it contains an attribute or a subscript: rare, and hard to distinguish from a value
		}
		if i > from && x.isName(i-1, to) && x.depth(i) == 1 {
			return
		}
	}
	a.unpacked = true
	for i := from; i < to; i++ {
		if x.isName(i, to) {
			a.name = i
			x.bind(a)
		}
	}
}

func (x *reader) bind(a *assigned) {
	s, local := x.top(), x.text(a.name)
	if local == "__all__" && s.place == inModule {
		x.all.assign(x, *a)
	}
	if x.full(x.toks[a.statement].line) {
		return
	}
	if a.operator != "" && a.operator != "=" && !x.declaredBefore(s.prefix+local) {
		return // extends something not declared here
	}
	if a.content == "" {
		x.evaluate(a, s.members)
	}
	if s.place == inClass && a.annotation > 0 {
		x.fieldType(a, s.prefix+local)
	}
	sym := x.symbolOf(a, s.prefix, local, s.place)
	if s.members != nil && (visibleMember(local) || a.annotation > 0) {
		s.members.parts = append(s.members.parts, string(sym.Interface))
	}
	x.symbols, x.at = append(x.symbols, sym), append(x.at, int32(a.name))
}

// full reports whether the file has reached the limit of declarations, and records the first line beyond it.
func (x *reader) full(line int32) bool {
	if len(x.symbols) < source.MostSymbols {
		return false
	}
	x.problem.Report(line, "%s", source.TooManySymbols)
	return true
}

func (x *reader) symbolOf(a *assigned, prefix, local string, p place) source.Symbol {
	x.meter.Steps(len(a.refs)) // each name depends on all of them
	last := x.toks[a.statementEnd-1]
	sym := source.Symbol{
		Name: valid(prefix + local), Kind: assignedKind(local, p), Line: int(x.toks[a.statement].line),
		End: int(last.line) + strings.Count(x.src[last.start:last.end], "\n"), Content: a.content, Refs: a.refs,
	}
	if a.keyword == "type" {
		sym.Kind = source.Type
	}
	sym.Signature = sound(x.assignedSignature(*a, sym.Kind))
	sym.Type = x.assignedParts(a, sym.Signature)
	sym.Interface = x.digestOf(string(sym.Kind), sym.Signature, a.operator, string(a.valueDigest))
	return sym
}

func (x *reader) evaluate(a *assigned, m *members) {
	x.scratch = x.appendTokens(x.scratch[:0], a.statement, a.statementEnd)
	a.content = x.digest(x.scratch)
	x.scratch = x.appendTokens(x.scratch[:0], a.value, a.valueEnd)
	a.valueDigest = x.digest(x.scratch)
	r := refs{reader: x}
	r.expression(a.annotation, a.annotationEnd)
	r.expression(a.typeParameters, a.paramsEnds)
	r.expression(a.value, a.valueEnd)
	a.refs = sortedNames(r.found)
	if m != nil {
		m.refs = append(m.refs, a.refs...)
	}
}

func (x *reader) declaredBefore(name string) bool {
	for ; x.indexed < len(x.symbols); x.indexed++ {
		x.known[x.symbols[x.indexed].Name] = true
	}
	return x.known[name]
}

func assignedKind(local string, p place) source.Kind {
	switch {
	case p == inClass:
		return source.Field
	case isConstantName(local):
		return source.Const
	}
	return source.Var
}

func isConstantName(s string) bool {
	letters := false
	for _, c := range []byte(s) {
		switch {
		case c >= 'A' && c <= 'Z':
			letters = true
		case c == '_' || c >= '0' && c <= '9':
		default:
			return false
		}
	}
	return letters
}

// assignedSignature renders an assignment. It shows the value only if it defines the name's meaning.
func (x *reader) assignedSignature(a assigned, k source.Kind) string {
	var b strings.Builder
	if a.keyword != "" {
		b.WriteString(a.keyword + " ")
	}
	b.WriteString(x.text(a.name))
	x.render(&b, a.typeParameters, a.paramsEnds)
	if a.annotation > 0 {
		b.WriteString(": ")
		x.render(&b, a.annotation, a.annotationEnd)
	}
	if a.value >= a.valueEnd || a.unpacked || k == source.Var && a.keyword == "" && !x.isAlias(a) {
		return b.String()
	}
	const slack = 4 // factor by which rendering may shrink blanks and line breaks
	if x.toks[a.valueEnd-1].end-x.toks[a.value].start > slack*maxValue {
		return b.String()
	}
	var value strings.Builder
	x.render(&value, a.value, a.valueEnd)
	if v := value.String(); len(v) <= maxValue && strings.IndexByte(v, '\n') < 0 {
		b.WriteString(" " + a.operator + " " + v)
	}
	return b.String()
}

// isAlias reports whether a variable's value is another name or its name looks like a type.
func (x *reader) isAlias(a assigned) bool {
	if c := x.text(a.name)[0]; c >= 'A' && c <= 'Z' {
		return true
	}
	for i := a.value; i < a.valueEnd; i++ {
		if (i-a.value)%2 == 0 && !x.isName(i, a.valueEnd) || (i-a.value)%2 == 1 && !x.is(i, a.valueEnd, ".") {
			return false
		}
	}
	return (a.valueEnd-a.value)%2 == 1
}
