package ecma

import (
	"cmp"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// target is a dotted name, such as the left-hand side of an assignment.
type target struct {
	span
	path []string
}

// expressionStatement reads a statement without declaration syntax: in JavaScript an assignment may export something
// or add a method to a class.
func (x *extractor) expressionStatement(i int) int {
	x.topCall(i)
	if x.current != 0 {
		return x.skipStatement(i)
	}
	targets, value := x.assignment(i)
	if !x.javascript {
		for _, t := range targets {
			if n, ok := x.index[t.path[0]]; ok && len(t.path) == 2 && x.symbols[n].Kind == source.Func {
				x.assignedMember(t.path[0], t.path[1], t.span, value, modifiers{start: i, headFrom: t.From})
			}
		}
		return x.skipStatement(i)
	}
	if len(targets) == 0 {
		x.definition(i)
		x.delegation(i)
		x.merging(i)
		x.each(i)
		return x.skipStatement(i)
	}
	for _, t := range targets {
		x.assign(t, value, modifiers{start: i, headFrom: t.From, export: true})
	}
	return x.semicolon(max(value.To, i+1))
}

// assignment reads `a.b = c.d = value`. It returns no targets for other statements.
func (x *extractor) assignment(i int) (targets []target, value span) {
	for {
		t := x.target(i)
		if len(t.path) == 0 || !x.at(t.To).isPunct('=') {
			break
		}
		targets = append(targets, t)
		i = t.To + 1
	}
	if len(targets) > 0 {
		value = span{From: i, To: x.skipExpression(i)}
	}
	return targets, value
}

// target reads a.b.c at i; its path is empty if there is none.
func (x *extractor) target(i int) target {
	t := target{span: span{From: i, To: x.chain(i)}}
	for ; i < t.To; i += 2 {
		t.path = append(t.path, x.text(i))
	}
	return t
}

// assignedTo returns the value that a variable is bound to: `exports = module.exports = {}` also exports it, and the
// value is after the last =.
func (x *extractor) assignedTo(name int, value span) span {
	if !x.javascript || x.current != 0 || x.at(name).kind != tIdent {
		return value
	}
	targets, behind := x.assignment(value.From)
	for _, t := range targets {
		switch p := exported(t.path); {
		case p[0] != "exports" || len(p) > 2:
			return value
		case len(p) == 2:
			x.exportLocal(x.text(name), p[1], t.From)
		case len(t.path) == 2:
			x.exportLocal(x.text(name), defaultName, t.From)
			if x.at(behind.From).isPunct('{') && x.skip(behind.From) >= behind.To {
				x.whole[x.text(name)] = true
				x.exportObject(behind.From, modifiers{start: behind.From, headFrom: behind.From, export: true})
			}
		}
	}
	if len(targets) == 0 {
		return value
	}
	return behind
}

func (x *extractor) assign(t target, value span, m modifiers) {
	p := exported(t.path)
	switch {
	case p[0] == "exports" && len(p) == 1:
		if len(t.path) == 2 {
			x.exportValue(value, m)
		}
	case p[0] == "exports" && len(p) == 2:
		x.exportMember(p[1], t.span, value, m)
	case len(p) == 3 && p[1] == "prototype":
		x.assignedMember(p[0], p[2], t.span, value, m)
		x.constructors[p[0]] = true
	case len(p) == 2:
		x.assignedMember(p[0], p[1], t.span, value, m)
	}
}

func (x *extractor) exportValue(value span, m modifiers) {
	if to, objects, ok := x.merged(value); ok {
		x.exportValue(to, m)
		for _, object := range objects {
			x.exportMembers(object, m)
		}
		return
	}
	first := x.at(value.From)
	m.byName, m.headFrom = true, value.From
	switch {
	case x.exportMembers(value, m):
	case first.isKeyword(kClass), first.isKeyword(kFunction) && x.isFunction(value),
		first.isKeyword(kAsync) && x.at(value.From+1).isKeyword(kFunction) && x.isFunction(value):
		x.declare(value.From, m)
	default:
		x.defaultValue(value, m)
	}
}

func (x *extractor) isFunction(value span) bool {
	_, _, ok := x.functionValue(value)
	return ok
}

// requireEnd returns the end of require("path") at i, or i.
func (x *extractor) requireEnd(i int) int {
	if x.at(i).isKeyword(kRequire) && x.at(i+1).isPunct('(') && x.at(i+2).kind == tString && x.at(i+3).isPunct(')') && !x.afterDot(i) {
		return i + 4
	}
	return i
}

// exportObject reads `module.exports = { a, b: c, d() {}, get e() {} }`.
func (x *extractor) exportObject(open int, m modifiers) {
	m.byName = false
	x.elements(open, func(e member, end int) {
		i := e.start
		m.start, m.headFrom = i, i
		switch {
		case x.at(i).isPunct(pSpread):
			x.exportMembers(span{From: i + 1, To: end}, m)
		case e.name == "":
		case e.params >= 0:
			d := declaration{name: e.name, kind: source.Func, line: i, content: []span{{From: i, To: end}}}
			if e.kind != source.Method { // read without a call
				d.kind = source.Var
			}
			d.visible = []span{{From: i, To: e.head}}
			d.signature = x.render(i, e.head)
			x.describe(&d, e)
			x.complete(d, m)
		case e.key+1 == end:
			x.exportLocal(e.name, e.name, i)
		case x.at(e.key + 1).isPunct(':'):
			x.exportMember(e.name, span{From: e.key, To: e.key + 1}, span{From: e.key + 2, To: end}, m)
		}
	})
}

func (x *extractor) exportMember(name string, left, value span, m modifiers) {
	if x.at(value.From).isKeyword(kVoid) {
		return // compiler-generated forward declaration
	}
	i := value.From
	literal := x.isNothing(i) || x.textIs(i, "true") || x.textIs(i, "false")
	if value.To == i+1 && x.at(i).kind == tIdent && !literal {
		x.exportLocal(x.text(value.From), name, m.start)
		return
	}
	if end := x.requireEnd(value.From); end > value.From {
		imp := source.Import{All: true, As: localName(name, unquote([]byte(x.text(value.From+2))))}
		if x.at(end).isPunct('.') && x.at(end+1).kind == tIdent && end+2 == value.To {
			imp = source.Import{Names: []source.Name{{Name: x.text(end + 1), As: name}}}
		}
		x.taken[value.From] = true
		x.addImport(value.From+2, x.at(value.From).line, imp)
		x.reexport(name, name, exportSignature(name, name), m.start)
		return
	}
	if x.passesOn(name, value, m) {
		return
	}
	x.noteList(name, value, true)
	d := declaration{name: name, kind: source.Const, line: m.start, content: []span{{From: m.start, To: value.To}}}
	if x.classValue(left, value, d, m) {
		return
	}
	x.bind(&d, []span{{From: left.To - 1, To: left.To}}, value)
	x.noteObject(x.complete(d, m), value)
}

// passesOn reads `exports.name = other.member` where other is an imported module.
func (x *extractor) passesOn(name string, value span, m modifiers) bool {
	i := value.From
	imp, ok := x.bindings[x.text(i)]
	if !ok || value.To != i+3 || x.at(i).kind != tIdent || !x.at(i+1).isPunct('.') || x.at(i+2).kind != tIdent {
		return false
	}
	imported := source.Name{Name: x.text(i + 2), As: name}
	x.imports = append(x.imports, source.Import{Path: x.imports[imp].Path, Line: int(x.at(i).line), Names: []source.Name{imported}})
	x.reexport(name, name, exportSignature(name, name), m.start)
	return true
}

// assignedMember reads `Class.prototype.name = function …` and `name.member = function …`. Other values are members if they
// are declarations of the file, or documented.
func (x *extractor) assignedMember(holder, name string, left, value span, m modifiers) {
	parent, ok := x.index[holder]
	if !ok {
		return
	}
	kind, of := source.Method, x.target(value.From)
	n, known := x.index[strings.Replace(strings.Join(of.path, "."), ".prototype.", ".", 1)]
	known = known && of.To == value.To
	if !x.isFunction(value) {
		if doc, _ := x.docBefore(m.start); doc == "" && !known {
			return
		}
		if kind = source.Field; known && (x.symbols[n].Kind == source.Func || x.symbols[n].Kind == source.Method) {
			kind = source.Method
		}
	}
	x.receivers[value.From] = holder
	x.extended[holder] = true
	d := x.memberOf(holder, name, parent, kind, span{From: m.start, To: value.To})
	d.target = left
	x.bind(&d, []span{left}, value)
	d.kind = kind
	if i := x.add(d); known {
		s, same := &x.symbols[i], &x.symbols[n]
		x.aliased[i] = cmp.Or(x.aliased[n], same.Signature) // not of the aliases between
		s.Signature, s.Type, s.Doc = x.render(left.From, left.To)+" = "+x.aliased[i], same.Type, cmp.Or(s.Doc, same.Doc)
		s.Interface, s.Content = source.DigestOf(string(s.Interface), string(same.Interface)), source.DigestOf(string(s.Content), string(same.Content))
	}
}

// requires reads `name = require("path")` and `{a, b: c} = require("path")`, which bind imports.
func (x *extractor) requires(name int, value span) bool {
	end := x.requireEnd(value.From)
	if end == value.From {
		return false
	}
	line, whole := x.at(value.From).line, end == value.To
	switch {
	case whole && x.at(name).kind == tIdent:
		x.bindModule(name, x.addImport(value.From+2, line, source.Import{}))
	case whole && x.at(name).isPunct('{'):
		imp := source.Import{All: true}
		if names, ok := x.patternImports(name); ok {
			imp = source.Import{Names: names}
		}
		x.addImport(value.From+2, line, imp)
	case x.at(name).kind == tIdent && x.at(end).isPunct('.') && x.at(end+1).kind == tIdent && end+2 == value.To:
		x.addImport(value.From+2, line, source.Import{Names: []source.Name{importedName(x.text(end+1), x.text(name))}})
	default:
		return false
	}
	x.taken[value.From] = true
	return true
}

// patternImports reads `{a, b: c}`; it returns false for any other pattern.
func (x *extractor) patternImports(open int) (names []source.Name, ok bool) {
	ok = true
	x.list(open, int(x.t[open].match), func(i int) int {
		name, as := i, i
		if x.at(i + 1).isPunct(':') {
			as = i + 2
		}
		ok = ok && x.at(name).kind == tIdent && x.at(as).kind == tIdent
		names = append(names, importedName(x.text(name), x.text(as)))
		if x.at(as + 1).isPunct('=') {
			return x.skipExpression(as + 2)
		}
		return as + 1
	})
	return sortedNames(names), ok
}
