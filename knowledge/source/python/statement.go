package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// statement reads line i: a block header with the rest of its line, or simple statements. decorators is the first
// decorator's line, or -1; start is the statement's start in canon.
func (x *reader) statement(i, decorators, start int) {
	l := x.lines[i]
	first, end := int(l.first), int(l.end)
	body := int(l.colon) + 1
	if l.block && l.colon < 0 {
		x.problem.Report(l.last, "expected ':'")
		body = end
	}
	head := first
	if x.is(head, end, "async") {
		head++
	}
	switch {
	case x.is(head, end, "def") || x.is(first, end, "class"):
		x.top().needDoc = false
		x.declare(i, decorators, start, head, body)
	case l.block || x.opensBlock(i):
		s := *x.top()
		x.top().needDoc = false
		s.level, s.symbol, s.needDoc = l.level, -1, false
		s.noVars = s.noVars || x.is(head, end, "for") || x.is(head, end, "while")
		s.standsIn = s.standsIn || x.is(head, end, "except") && x.importFails(head+1, end)
		x.main = x.main || s.place == inModule && x.guardsMain(first, end)
		x.scopes = append(x.scopes, s)
	default:
		body = first
	}
	x.simpleStatements(l, body, x.simple)
}

func (x *reader) importFails(from, to int) bool {
	for i := from; i < to; i++ {
		if text := x.text(i); text == "ImportError" || text == "ModuleNotFoundError" {
			return true
		}
	}
	return false
}

// simpleStatements calls read with the semicolon-separated statements of a line, starting at a token.
func (x *reader) simpleStatements(l line, from int, read func(from, to int)) {
	end := int(l.end)
	for i := from; i <= end; i++ {
		if i == end || l.semicolons && x.is(i, end, ";") {
			if from < i {
				read(from, i)
			}
			from = i + 1
		}
	}
}

func (x *reader) simple(from, to int) {
	switch x.toks[from].kind {
	case keyword:
		if x.is(from, to, "import") || x.is(from, to, "from") {
			x.importStatement(from, to)
		}
	case str:
		if doc, ok := x.lone(from, to); ok {
			x.setDoc(doc)
		}
	case name, op:
		if s := x.top(); s.place != inFunction {
			x.assignment(from, to)
		} else {
			x.selfAssigned(from, to)
		}
	}
	x.top().needDoc = false
}

func (x *reader) guardsMain(from, to int) bool {
	if !x.is(from, to, "if") {
		return false
	}
	for i := from + 1; i+2 < to; i++ {
		if x.is(i+1, to, "==") && (x.isMainTest(i, i+2) || x.isMainTest(i+2, i)) {
			return true
		}
	}
	return false
}

func (x *reader) isMainTest(variable, value int) bool {
	if x.toks[variable].kind != name || x.toks[value].kind != str || x.text(variable) != "__name__" {
		return false
	}
	v, ok := stringValue(x.text(value))
	return ok && v == "__main__"
}

// declare reads a def or class header with the keyword at token head and the body at token body.
func (x *reader) declare(i, decorators, start, head, body int) {
	l, outer := x.lines[i], *x.top()
	inner := scope{level: l.level, place: inFunction, symbol: -1, start: start}
	class := x.is(head, int(l.end), "class")
	if class && outer.place != inFunction {
		inner.place = inClass
	}
	if !x.isName(head+1, int(l.end)) {
		x.problem.Report(l.start, "expected a name")
		inner.place = inFunction
		x.scopes = append(x.scopes, inner)
		return
	}
	if outer.place == inFunction {
		x.scopes = append(x.scopes, inner)
		return
	}
	if x.full(l.start) {
		inner.place = inFunction
		x.scopes = append(x.scopes, inner)
		return
	}
	headerEnd := body - 1
	if l.colon < 0 {
		headerEnd = int(l.end)
	}
	if outer.standsIn {
		x.stands = append(x.stands, len(x.symbols))
	}
	h := header{decorators: decorators, line: i, first: int(l.first), head: head, end: headerEnd}
	local := x.text(head + 1)
	inner.prefix, inner.needDoc, inner.symbol = outer.prefix+local+".", true, len(x.symbols)
	sym := x.declared(h, outer)
	if outer.place == inClass && !class {
		x.method, x.types = tokens{head + 2, headerEnd}, nil
	}
	if class {
		inner.members = &members{}
		inner.suite = x.isSuite(local, h)
	}
	if !class && x.isTestFunction(local, outer) {
		x.tests = append(x.tests, sym.Name)
	}
	x.symbols, x.at = append(x.symbols, sym), append(x.at, int32(head+1))
	x.scopes = append(x.scopes, inner)
}

type header struct {
	decorators, line int // decorators is -1 if there are none
	first, head, end int // tokens: the statement, its def or class, the end of the header
}

func (x *reader) declared(h header, outer scope) source.Symbol {
	sym := source.Symbol{
		Name: valid(outer.prefix + x.text(h.head+1)), Kind: source.Func, Line: int(x.lines[h.line].start),
	}
	switch {
	case x.is(h.head, h.end, "class"):
		sym.Kind = source.Class
	case outer.place == inClass:
		sym.Kind = source.Method
	}
	var signature strings.Builder
	signature.Grow(int(x.toks[h.end-1].end-x.toks[h.first].start) + 1)
	r := refs{reader: x}
	if h.decorators >= 0 {
		for _, d := range x.lines[h.decorators:h.line] {
			x.render(&signature, int(d.first), int(d.end))
			signature.WriteByte('\n')
			r.expression(int(d.first)+1, int(d.end))
			if sym.Deprecated == "" {
				sym.Deprecated = x.deprecatedBy(int(d.first), int(d.end))
			}
		}
	}
	fields, cuts := x.annotatedDocs(h.head, h.end)
	x.renderWithout(&signature, h.first, h.end, cuts)
	sym.Doc = sound(strings.TrimSuffix(fields, "\n"))
	r.header(h)
	sym.Signature = sound(signature.String())
	sym.Type = x.parts(h, sym.Kind, sym.Signature, cuts)
	sym.Interface = x.digestOf(string(sym.Kind), sym.Signature)
	sym.Refs = sortedNames(r.found)
	return sym
}

// isSuite recognises test classes: by pytest's naming or by unittest's base class.
func (x *reader) isSuite(local string, h header) bool {
	if strings.HasPrefix(local, "Test") {
		return true
	}
	for i := h.head + 2; i < h.end; i++ {
		if x.toks[i].kind == name && strings.HasSuffix(x.text(i), "TestCase") {
			return true
		}
	}
	return false
}

func (x *reader) isTestFunction(local string, outer scope) bool {
	if outer.place == inClass {
		return outer.suite && strings.HasPrefix(local, "test")
	}
	return strings.HasPrefix(local, "test_")
}

// deprecatedBy returns the reason in a deprecation decorator, or "".
func (x *reader) deprecatedBy(from, to int) string {
	i := from + 1
	for x.isName(i, to) && x.is(i+1, to, ".") {
		i += 2
	}
	if !x.isName(i, to) || x.text(i) != "deprecated" {
		return ""
	}
	for j := i + 1; j < to; j++ {
		reason := x.is(j-1, to, "(") || x.is(j-1, to, "=") && x.isName(j-2, to) && x.text(j-2) == "reason"
		if v, ok := stringValue(x.text(j)); reason && x.toks[j].kind == str && ok && v != "" {
			return valid(v)
		}
	}
	return "deprecated"
}

// deprecatedIn returns the reason in Sphinx's deprecated directive.
func deprecatedIn(doc string) string {
	_, rest, found := strings.Cut(doc, ".. deprecated::")
	if !found {
		return ""
	}
	version, rest, _ := strings.Cut(rest, "\n")
	reason, _, _ := strings.Cut(rest, "\n\n")
	if !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "\n ") {
		reason = ""
	}
	if reason = strings.Join(strings.Fields(reason), " "); reason != "" {
		return strings.Clone(reason)
	}
	if version = strings.TrimSpace(version); version != "" {
		return "since " + version
	}
	return "deprecated"
}
