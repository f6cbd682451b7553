package java

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (p *parser) member(start int32, mods modifiers) {
	i := p.at
	if p.kind(i) == '<' {
		i = max(i+1, p.ends[i])
		for p.kind(i) == '@' && p.kind(i+1) == word {
			i = p.annotationEnd(i)
		}
	}
	if p.kind(i) == word && reserved[p.text(i)] {
		p.fail(i, "expected a declaration, not "+p.describe(i))
		return
	}
	if p.kind(i) == word && len(p.types) > 0 && p.text(i) != "void" {
		switch p.kind(i + 1) {
		case '(':
			if p.name(i) != p.types[len(p.types)-1].simple {
				p.problem.Report(p.line(i), "expected a result type before %s", p.describe(i))
			}
			p.method(start, p.at, i, mods)
			return
		case '{':
			if top := p.types[len(p.types)-1]; top.kind == source.Record && p.name(i) == top.simple {
				p.compactConstructor(start, i, mods)
				return
			}
		}
	}
	name := p.typeEnd(i)
	switch {
	case name < 0:
		p.fail(i, "expected a declaration, not "+p.describe(i))
	case p.kind(name) != word || reserved[p.text(name)]:
		p.fail(name, "expected a name, not "+p.describe(name))
	case p.kind(name+1) == '(':
		p.method(start, p.at, name, mods)
	default:
		p.variables(start, span{From: p.at, To: name}, mods)
	}
}

// typeEnd returns the index after the type at token i, or -1.
func (p *parser) typeEnd(i int32) int32 {
	for {
		for p.kind(i) == '@' && p.kind(i+1) == word {
			i = p.annotationEnd(i)
		}
		if p.kind(i) != word {
			return -1
		}
		i++
		if p.kind(i) == '<' && p.ends[i] > 0 {
			i = p.ends[i]
		}
		if p.kind(i) != '.' {
			return p.dimensions(i)
		}
		i++
	}
}

func (p *parser) dimensions(i int32) int32 {
	for {
		k := i
		for p.kind(k) == '@' && p.kind(k+1) == word {
			k = p.annotationEnd(k)
		}
		if p.kind(k) != '[' {
			return i
		}
		i = p.ends[k]
	}
}

func (p *parser) method(start, head, name int32, mods modifiers) {
	body := p.methodBody(p.ends[name+1])
	end := body
	switch p.kind(body) {
	case '{':
		end = p.ends[body]
	case ';':
		end = body + 1
	default:
		p.problem.Report(p.line(body), "expected '{' or ';'")
	}
	d := p.add(decl{
		name: p.name(name), kind: p.functionKind(), mods: mods,
		all: span{From: start, To: end}, head: span{From: head, To: body}, components: name + 1,
	})
	p.noteMethod(d, name)
	p.at = end
}

func (p *parser) functionKind() source.Kind {
	if len(p.types) == 0 {
		return source.Func
	}
	return source.Method
}

func (p *parser) methodBody(i int32) int32 {
	limit := p.limit()
	for i < limit {
		switch p.kind(i) {
		case '{', ';', '}':
			return i
		case '[', '(':
			i = p.ends[i]
		case '@':
			i = p.annotationEnd(i)
		case word:
			if p.text(i) == "default" {
				return p.expressionEnd(i+1, false)
			}
			if reserved[p.text(i)] && p.text(i) != "throws" {
				return i
			}
			i++
		default:
			i++
		}
	}
	return limit
}

func (p *parser) compactConstructor(start, name int32, mods modifiers) {
	end := p.ends[name+1]
	p.add(decl{
		name: p.name(name), kind: source.Method, mods: mods, all: span{From: start, To: end}, head: span{From: name, To: name + 1},
	})
	p.at = end
}

func (p *parser) variables(start int32, typ span, mods modifiers) {
	kind := source.Field
	if len(p.types) == 0 {
		kind = source.Var
	}
	if mods.bits&(static|final) == static|final || p.inInterface() {
		kind = source.Const
	}
	name := typ.To
	for first := true; ; first = false {
		end := p.dimensions(name + 1)
		d := decl{
			name: p.name(name), kind: kind, mods: mods,
			all: span{From: start, To: end}, head: typ, declared: span{From: name, To: end},
		}
		if p.kind(end) == '=' {
			after := p.expressionEnd(end+1, true)
			d.value, end = span{From: end, To: after}, after
		}
		more := p.kind(end) == ',' && p.kind(end+1) == word
		switch {
		case p.kind(end) == ';':
			end++
		case !more:
			p.problem.Report(p.line(end), "expected ';'")
		}
		d.all.To = end
		if !first {
			d.all.To, d.rest = typ.To, span{From: name, To: end}
		}
		p.add(d)
		p.at = end
		if !more {
			return
		}
		name = end + 1
	}
}

func (p *parser) add(d decl) decl {
	d.scope = p.enclosing().name
	d.name = qualify(d.scope, d.name)
	d.exported = p.visible(d.mods)
	p.decls = append(p.decls, d)
	return d
}

// expressionEnd returns the end of an expression: a ';', or with list a ',' before another declarator.
func (p *parser) expressionEnd(i int32, list bool) int32 {
	limit := p.limit()
	for i < limit {
		switch p.kind(i) {
		case ';', '}':
			return i
		case '(', '[', '{':
			i = p.ends[i]
		case '<':
			i = max(i+1, p.ends[i])
		case ',':
			if list && p.declarator(i+1) {
				return i
			}
			i++
		case word:
			if modifierBits[p.text(i)]&(access|static) != 0 {
				return i
			}
			i++
		default:
			i++
		}
	}
	return limit
}

func (p *parser) declarator(i int32) bool {
	if p.kind(i) != word {
		return false
	}
	switch p.kind(p.dimensions(i + 1)) {
	case '=', ',', ';':
		return true
	}
	return false
}

var testAnnotations = map[string]bool{
	"Test": true, "ParameterizedTest": true, "RepeatedTest": true, "TestFactory": true, "TestTemplate": true,
}

func (p *parser) noteMethod(d decl, name int32) {
	_, isTest := p.annotated(d.mods, testAnnotations)
	if isTest || p.legacyTest(d, name) {
		p.tests = append(p.tests, d.name)
	}
	if p.text(name) == "main" {
		p.main = p.main || len(p.types) == 0 || d.mods.bits&(public|static) == public|static && p.takesStrings(name+1)
	}
}

func (p *parser) takesStrings(open int32) bool {
	i := open + 1
	if p.isWord(i, "final") {
		i++
	}
	return p.isWord(i, "String")
}

// legacyTest reports whether a method is a JUnit 3 test.
func (p *parser) legacyTest(d decl, name int32) bool {
	if d.mods.bits&public == 0 || !strings.HasPrefix(p.text(name), "test") || p.kind(name+2) != ')' {
		return false
	}
	header := p.enclosing().head
	for i := header.From; i+1 < header.To; i++ {
		if p.isWord(i, "extends") && p.isWord(i+1, "TestCase") {
			return true
		}
	}
	return false
}

var generatedAnnotations = map[string]bool{"Generated": true}

func (p *parser) noteType(d decl) {
	if _, ok := p.annotated(d.mods, generatedAnnotations); ok && d.scope == "" {
		p.generated = true
	}
	if _, ok := p.annotated(d.mods, testAnnotations); ok {
		p.testClass = true
	}
}
