package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Limits that hand-written code does not reach.
const (
	deepestNamespace = 32
	longestPrefix    = 1000
)

type modifiers struct {
	start    int // first token, including decorators and modifiers
	export   bool
	byName   bool // export default
	headFrom int  // first token of the signature, after export, default and declare
	decor    span
}

func (x *extractor) statement(i int) int {
	m := modifiers{start: i, headFrom: i}
	i = x.decorators(i)
	m.decor = span{From: m.start, To: i}
	m.headFrom = i
	t := x.at(i)
	if t.kind == tIdent && t.id == kImport && !x.at(i+1).isPunct('(') && !x.at(i+1).isPunct('.') {
		return x.importStatement(i, m)
	}
	if t.kind == tIdent && t.id == kExport {
		return x.exportStatement(i, m)
	}
	if next, ok := x.declare(i, m); ok {
		return next
	}
	return x.expressionStatement(m.start)
}

// decorators passes the decorators at i.
func (x *extractor) decorators(i int) int {
	for x.at(i).isPunct('@') {
		i = x.decorator(i)
	}
	return i
}

func (x *extractor) decorator(i int) int {
	i++
	if x.at(i).isPunct('(') {
		return x.skip(i)
	}
	if i = max(x.chain(i), i+1); x.at(i).isPunct('<') {
		i = x.skipAngles(i)
	}
	if x.at(i).isPunct('(') && !x.at(i).has(fNewline) {
		i = x.skip(i)
	}
	return i
}

// declare reads a declaration whose keywords start at i, if there is one.
func (x *extractor) declare(i int, m modifiers) (int, bool) {
	keyword, at := x.declares(i)
	x.ambient = at > i && x.at(i).isKeyword(kDeclare)
	m.headFrom = i + b2i(x.ambient)
	switch keyword {
	case kFunction:
		return x.function(at, m), true
	case kClass:
		return x.class(at, m), true
	case kInterface:
		return x.interfaceDeclaration(at, m), true
	case kEnum:
		return x.enum(at, m), true
	case kType:
		return x.alias(at, m), true
	case kNamespace, kModule:
		return x.namespace(at, m)
	case kGlobal:
		if x.ambient || x.scopes[x.current].ambient {
			return x.namespace(at, m)
		}
	}
	t, next := x.at(at), x.at(at+1)
	if t.isKeyword(kConst) || t.isKeyword(kVar) || t.isKeyword(kLet) && (next.kind == tIdent || next.isPunct('{') || next.isPunct('[')) {
		return x.variables(at, m), true
	}
	return i, false
}

// declares returns the keyword that tells the kind of the declaration at i, and its token. It returns kNone for
// variables, imports, exports and other statements.
func (x *extractor) declares(i int) (keyword uint8, at int) {
	t, next := x.at(i), x.at(i+1)
	named := next.kind == tIdent && !next.has(fNewline)
	for named && (t.isKeyword(kDeclare) || t.isKeyword(kAbstract)) {
		i++
		t, next = next, x.at(i+1)
		named = next.kind == tIdent && !next.has(fNewline)
	}
	if t.kind != tIdent {
		return kNone, i
	}
	ok := false
	switch t.id {
	case kFunction, kClass:
		ok = true
	case kAsync, kConst:
		if t.id == kAsync && named && next.id == kFunction || t.id == kConst && next.isKeyword(kEnum) {
			return next.id, i + 1
		}
	case kInterface, kEnum, kNamespace:
		ok = named
	case kModule:
		ok = named || next.kind == tString
	case kType:
		ok = named && (x.at(i+2).isPunct('=') || x.at(i+2).isPunct('<'))
	case kGlobal:
		ok = next.isPunct('{')
	}
	if !ok {
		return kNone, i
	}
	return t.id, i
}

func (x *extractor) complete(d declaration, m modifiers) int {
	s := x.scopes[x.current]
	if m.byName {
		if d.name != "" {
			x.reexport("default", d.name, exportSignature(d.name, "default"), d.line)
		} else {
			d.name = "default"
		}
	}
	d.name = s.prefix + d.name
	d.doc, d.exported = m.start, m.export
	d.parent, d.scope = s.parent, x.current
	n := x.add(d)
	x.symbols[n].Renamed = m.byName && x.symbols[n].Name != "default"
	return n
}

func (x *extractor) function(i int, m modifiers) int {
	at, j := x.functionName(i)
	head, params := x.signatureEnd(j)
	end := x.bodyEnd(head)
	if at == j && !m.byName || params < 0 {
		return max(end, i+1)
	}
	d := declared(x.dotted(at, j), source.Func, span{From: m.start, To: end})
	d.words, d.call = span{From: m.headFrom, To: at}, j
	d.bare = !x.at(head).isPunct('{')
	d.visible = []span{{From: m.headFrom, To: head}}
	d.signature = x.render(m.headFrom, head)
	x.complete(d, m)
	return end
}

// functionName returns the token of a function's name, and the next one; they are the same for a function without a
// name. i is at the keyword.
func (x *extractor) functionName(i int) (name, next int) {
	name = i + 1 + b2i(x.at(i+1).isPunct('*'))
	return name, name + b2i(x.at(name).kind == tIdent)
}

// signatureEnd skips type parameters, parameters and result type. params is the opening parenthesis, or -1.
func (x *extractor) signatureEnd(i int) (end, params int) {
	if x.at(i).isPunct('<') {
		i = x.skipAngles(i)
	}
	if !x.at(i).isPunct('(') {
		return i, -1
	}
	params = i
	i = x.skip(i)
	if x.at(i).isPunct(':') {
		i = x.skipType(i + 1)
	}
	return i, params
}

// bodyEnd skips the body, or the semicolon in its place.
func (x *extractor) bodyEnd(i int) int {
	if x.at(i).isPunct('{') {
		return x.skip(i)
	}
	return x.semicolon(i)
}

func (x *extractor) alias(i int, m modifiers) int {
	j := i + 2
	if x.at(j).isPunct('<') {
		j = x.skipAngles(j)
	}
	if !x.at(j).isPunct('=') {
		return x.skipStatement(i + 1)
	}
	open, end := j+1, x.skipType(j+1)
	d := declared(x.text(i+1), source.Type, span{From: m.start, To: end})
	d.visible, d.bases = []span{{From: m.headFrom, To: end}}, span{From: i + 2, To: j}
	if x.at(open).isPunct('{') && x.skip(open) == end && !x.mapped(open) {
		x.objectType(d, m, open) // as an interface
	} else {
		d.inner, d.signature = true, x.render(m.headFrom, end)
		x.complete(d, m)
	}
	return x.semicolon(end)
}

func (x *extractor) semicolon(i int) int {
	if x.at(i).isPunct(';') {
		return i + 1
	}
	return i
}

func (x *extractor) enum(i int, m modifiers) int {
	open := i + 2
	if !x.at(open).isPunct('{') {
		return x.skipStatement(i)
	}
	end := x.skip(open)
	d := declaration{name: x.text(i + 1), kind: source.Enum, line: m.start, content: []span{{From: m.start, To: end}}, inner: true}
	d.visible, d.bases = []span{{From: m.headFrom, To: end}}, span{From: open, To: end}
	d.signature = x.renderEnum(m.headFrom, open)
	x.complete(d, m)
	return end
}

// namespace reads a namespace, `declare module "x"` or `declare global` and enters it.
func (x *extractor) namespace(i int, m modifiers) (int, bool) {
	name, open := x.namespaceName(i)
	body, outside := x.at(open).isPunct('{'), x.at(open-1).kind == tString
	if name == "" || !body && !outside {
		return i, false
	}
	d := declared(name, source.Namespace, span{From: m.start, To: open})
	d.refs, d.signature = []string{}, x.render(m.headFrom, open)
	m.export = m.export || outside || x.at(i).id == kGlobal
	if !body {
		x.complete(d, m)
		return x.semicolon(open), true
	}
	d.last = x.skip(open) - 1
	symbol := x.complete(d, m)
	if len(x.open) > deepestNamespace || len(x.scopes[x.current].prefix)+len(name) > longestPrefix {
		return x.skip(open), true
	}
	x.enter(open, x.scopes[x.current].prefix+name, symbol)
	return open + 1, true
}

// namespaceName returns the name of a namespace and the token after it; i is at the keyword.
func (x *extractor) namespaceName(i int) (name string, next int) {
	switch next = i + 1; {
	case x.at(i).id == kGlobal:
		return "global", next
	case x.at(next).kind == tString:
		return unquote([]byte(x.text(next))), next + 1
	}
	t := x.target(next)
	return strings.Join(t.path, "."), t.To
}
