package ecma

import "github.com/causaldocs/causal/knowledge/source"

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
	i++
	for x.at(i).isPunct('.') {
		i += 2
	}
	if x.at(i).isPunct('<') {
		i = x.skipAngles(i)
	}
	if x.at(i).isPunct('(') && !x.at(i).has(fNewline) {
		i = x.skip(i)
	}
	return i
}

// declare reads a declaration whose keywords start at i, if there is one.
func (x *extractor) declare(i int, m modifiers) (int, bool) {
	m.headFrom = i
	x.ambient = false
	for {
		t, next := x.at(i), x.at(i+1)
		if t.kind != tIdent || next.kind != tIdent || next.has(fNewline) {
			break
		}
		if t.id == kDeclare {
			x.ambient = true
			i++
			m.headFrom = i
			continue
		}
		if t.id == kAbstract && next.id == kClass {
			i++
			continue
		}
		break
	}
	t, next := x.at(i), x.at(i+1)
	if t.kind != tIdent {
		return i, false
	}
	named := next.kind == tIdent && !next.has(fNewline)
	switch {
	case t.id == kFunction:
		return x.function(i, m), true
	case t.id == kAsync && next.isKeyword(kFunction) && !next.has(fNewline):
		return x.function(i+1, m), true
	case t.id == kClass:
		return x.class(i, m), true
	case t.id == kInterface && named:
		return x.interfaceDeclaration(i, m), true
	case t.id == kEnum && next.kind == tIdent:
		return x.enum(i, m), true
	case t.id == kConst && next.isKeyword(kEnum):
		return x.enum(i+1, m), true
	case t.id == kType && named && (x.at(i+2).isPunct('=') || x.at(i+2).isPunct('<')):
		return x.alias(i, m), true
	case (t.id == kNamespace || t.id == kModule) && (named || next.kind == tString && t.id == kModule),
		t.id == kGlobal && next.isPunct('{') && (x.ambient || x.scopes[x.current].ambient):
		return x.namespace(i, m)
	case t.id == kConst || t.id == kVar || t.id == kLet && (next.kind == tIdent || next.isPunct('{') || next.isPunct('[')):
		return x.variables(i, m), true
	}
	return i, false
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
	j := i + 1
	if x.at(j).isPunct('*') {
		j++
	}
	words, name := j, ""
	if x.at(j).kind == tIdent {
		name = x.text(j)
		j++
	}
	head, params := x.signatureEnd(j)
	end := x.bodyEnd(head)
	if name == "" && !m.byName || params < 0 {
		return max(end, i+1)
	}
	d := declaration{name: name, kind: source.Func, line: m.start, content: []span{{From: m.start, To: end}}, words: span{From: m.headFrom, To: words}, call: j}
	d.bare = !x.at(head).isPunct('{')
	d.visible = []span{{From: m.headFrom, To: head}}
	d.signature = x.render(m.headFrom, head)
	x.complete(d, m)
	return end
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
	if t := x.at(i); t.isPunct('{') {
		return x.skip(i)
	} else if t.isPunct(';') {
		return i + 1
	}
	return i
}

func (x *extractor) alias(i int, m modifiers) int {
	j := i + 2
	if x.at(j).isPunct('<') {
		j = x.skipAngles(j)
	}
	if !x.at(j).isPunct('=') {
		return x.skipStatement(i + 1)
	}
	end := x.skipType(j + 1)
	d := declaration{name: x.text(i + 1), kind: source.Type, line: m.start, content: []span{{From: m.start, To: end}}, inner: true}
	d.visible, d.bases = []span{{From: m.headFrom, To: end}}, span{From: i + 2, To: j}
	open := j + 1
	switch object := x.at(open).isPunct('{') && x.skip(open) == end; {
	case object && !x.mapped(open): // as an interface
		d.inner = false
		x.objectType(d, m, open)
	case object:
		d.signature = x.renderMembers(m.headFrom, open)
		x.complete(d, m)
	default:
		d.signature = x.render(m.headFrom, end)
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
	j, name := i, "global"
	if x.at(i).id != kGlobal {
		j = i + 1
		name = x.text(j)
		if x.at(j).kind == tString {
			name = unquote([]byte(name))
		}
		for x.at(j+1).isPunct('.') && x.at(j+2).kind == tIdent {
			j += 2
			name += "." + x.text(j)
		}
	}
	open := j + 1
	if name == "" || !x.at(open).isPunct('{') && x.at(i).id != kModule {
		return i, false
	}
	d := declaration{name: name, kind: source.Namespace, line: m.start, content: []span{{From: m.start, To: open}}, refs: []string{}}
	d.signature = x.render(m.headFrom, open)
	if x.at(i).id == kGlobal || x.at(j).kind == tString {
		m.export = true
	}
	if !x.at(open).isPunct('{') {
		if x.at(j).kind != tString {
			return i, false
		}
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
