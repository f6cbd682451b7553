package ecma

import (
	"cmp"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

func (b *binder) declaration(i, limit int) (int, bool) {
	keyword, at := b.x.declares(i)
	switch keyword {
	case kFunction:
		return b.functionDeclaration(at, limit), true
	case kClass:
		n, end := b.class(at, limit)
		b.push(n)
		return end, true
	case kInterface:
		return b.interfaceDeclaration(at, limit), true
	case kEnum:
		return b.enum(at, limit), true
	case kType:
		return b.alias(at, limit), true
	case kNamespace, kModule, kGlobal:
		return b.namespace(at, limit)
	}
	switch next := b.at(i + 1); b.t[i].id {
	case kImport:
		if !next.isPunct('(') && !next.isPunct('.') {
			return b.importStatement(i), true
		}
	case kExport:
		return b.export(i, limit), true
	}
	if b.bindsVariables(at) {
		return b.x.semicolon(b.variables(at, limit)), true
	}
	return i, false
}

func (b *binder) functionDeclaration(i, limit int) int {
	c := callable{own: true, node: b.node(surface.Func, i+1, i+2)}
	name, i := b.x.functionName(i)
	if name < i {
		c.node.Text = b.text(name)
		b.declare(name, asValue)
		if len(b.x.constructors) > 0 && b.x.constructors[b.x.text(name)] && b.current() == 0 {
			c.receiver = b.literal(b.x.text(name))
		}
	}
	n, end := b.function(i, limit, c)
	b.push(n)
	return b.x.semicolon(end)
}

func (b *binder) interfaceDeclaration(i, limit int) int {
	b.declare(i+1, asType)
	b.enter(false)
	i += 2
	if b.at(i).isPunct('<') {
		i = b.typeParameters(i)
	}
	if b.at(i).isKeyword(kExtends) {
		i = b.typeList(i+1, limit)
	}
	if i < limit && b.t[i].isPunct('{') {
		b.typeMembers(i)
		i = b.partner(i) + 1
	}
	b.leave()
	return i
}

func (b *binder) alias(i, limit int) int {
	n := b.declare(i+1, asType)
	b.enter(false)
	i += 2
	if b.at(i).isPunct('<') {
		i = b.typeParameters(i)
	}
	if b.at(i).isPunct('=') {
		open := i + 1
		i = b.typ(open, limit)
		b.locals[n].vague = !b.at(open).isPunct('{') || b.partner(open)+1 != i
	}
	b.leave()
	return b.x.semicolon(i)
}

func (b *binder) enum(i, limit int) int {
	b.declare(i+1, asAny)
	open := i + 2
	if open >= limit || !b.t[open].isPunct('{') {
		return open
	}
	end := b.partner(open)
	b.enter(false)
	b.x.list(open, end, func(i int) int {
		b.declare(i, asValue)
		if i++; b.at(i).isPunct('=') {
			_, i = b.expression(i+1, end, false)
		}
		return i
	})
	b.leave()
	return end + 1
}

// namespace reads a namespace or an ambient module. Its declarations are visible to other files, below its name.
func (b *binder) namespace(i, limit int) (int, bool) {
	name, open := b.x.namespaceName(i)
	t := b.t[i]
	if open >= limit || !b.t[open].isPunct('{') || t.id == kGlobal && !b.typed {
		return i, b.at(open-1).kind == tString
	}
	if t.id != kGlobal {
		b.declare(i+1, asValue|asNamespace)
	}
	if len(b.prefixes) > deepestNamespace || len(b.outer())+len(name) > longestPrefix {
		return b.partner(open) + 1, true
	}
	prefix, mark, node := b.outer()+name, b.mark(), b.node(surface.Block, open, open+1)
	n := b.enter(true)
	b.blocks[n].outer, b.blocks[n].prefix = true, prefix
	b.prefixes = append(b.prefixes, prefix+".")
	b.statements(open+1, b.partner(open))
	b.prefixes = b.prefixes[:len(b.prefixes)-1]
	b.leave()
	node.Text, node.Body = "{", b.take(mark)
	b.push(node)
	return b.partner(open) + 1, true
}

// outer qualifies the symbols of the innermost namespace.
func (b *binder) outer() string {
	if len(b.prefixes) == 0 {
		return ""
	}
	return b.prefixes[len(b.prefixes)-1]
}

func (b *binder) importStatement(i int) int {
	end := i + 1
	for ; end < len(b.t); end = b.x.skip(end) {
		if t := b.t[end]; t.kind == tString || t.isPunct(';') || end > i+1 && t.is(kwHead) {
			break
		}
		if b.t[end].isPunct('=') && b.at(end-1).kind == tIdent {
			return b.importEquals(end)
		}
	}
	if b.at(end).kind != tString {
		return b.x.skipStatement(i)
	}
	for j := i + 1; j < end; j++ {
		if next := b.t[j+1]; next.isPunct(',') || next.isPunct('}') || next.isKeyword(kFrom) && j+2 == end {
			b.declare(j, asAny)
		}
	}
	return b.x.importEnd(end + 1)
}

func (b *binder) importEquals(i int) int {
	b.declare(i-1, asAny)
	i++
	if b.at(i).kind != tIdent {
		return i
	}
	end := b.selectors(i)
	if !b.at(end).isPunct('(') {
		b.refer(i, end, source.AsValue, asNamespace)
	}
	return b.x.semicolon(b.x.skipExpression(i))
}

func (b *binder) export(i, limit int) int {
	of := b.x.exportedAt(i)
	switch t := b.at(of); {
	case t.isKeyword(kDefault), t.isPunct('='):
		mark := b.mark()
		end := b.exportDefault(of+1, limit)
		if value := b.last(mark); value != nil && t.isKeyword(kDefault) {
			n, to := b.node(surface.Bind, of+1, of+2), b.node(surface.Name, of+1, of+1)
			to.Text = defaultName
			n.Args, n.X, n.Line = b.listOf(to), value, value.Line
			b.push(n)
		}
		return end
	case t.isPunct('{'):
		end := b.partner(of) + 1
		if b.at(end).isKeyword(kFrom) && b.at(end+1).kind == tString {
			return b.x.importEnd(end + 2)
		}
		names, at := b.x.specifiers(of)
		for i, n := range names {
			if b.t[at[i]].kind == tIdent {
				b.passOn(at[i], cmp.Or(n.As, n.Name))
			}
		}
		return b.x.semicolon(end)
	case t.isPunct('*'):
		return b.x.skipStatement(i + 1)
	case t.isKeyword(kAs):
		return b.x.skipStatement(i)
	}
	return b.statement(i+1, limit)
}

func (b *binder) exportDefault(i, limit int) int {
	if b.at(i).isPunct('@') || b.x.declaresDefault(i) {
		return b.statement(i, limit)
	}
	if b.at(i).kind == tIdent && b.x.skipExpression(i) == i+1 {
		b.passOn(i, defaultName)
		b.push(b.leaf(surface.Name, i))
		return b.x.semicolon(i + 1)
	}
	return b.expressionStatement(i, limit)
}

// passOn records that the name at token i is exported by the Reexport symbol outer; a name exported unchanged has none.
func (b *binder) passOn(i int, outer string) {
	by := int32(-1)
	if n, ok := b.x.index[b.outer()+outer]; ok && b.x.symbols[n].Kind == source.Reexport {
		by = int32(n)
	}
	b.events = append(b.events, event{kind: passes, use: source.AsValue, meaning: asAny, token: int32(i), end: int32(i + 1), name: b.name(i), types: by})
}
