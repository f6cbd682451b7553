package ecma

import (
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// annotation reads the type of local n, or of something else if n is 0.
func (b *binder) annotation(i, limit int, n int32) (typ *surface.Node, end int) {
	since := len(b.events)
	end = b.typ(i, limit)
	typ = b.typeNode(i, end)
	if n == 0 || i >= end || b.t[i].kind != tIdent {
		return typ, end
	}
	last := end
	for b.at(last-2).isPunct('|') && (b.x.textIs(last-1, "null") || b.x.textIs(last-1, "undefined")) {
		last -= 2
	}
	after := b.x.chain(i)
	if b.at(after).isPunct('<') {
		after = b.x.skipAngles(after)
	}
	switch {
	case after+2 == last && b.at(after).isPunct('[') && b.at(after+1).isPunct(']'):
		b.locals[n].typ = builtin
	case after != last:
	case primitive[b.x.text(i)]:
		b.locals[n].typ = builtin
	default:
		b.typesLocal(n, since, i)
	}
	return typ, end
}

// primitive lists types whose members belong to the language.
var primitive = map[string]bool{"string": true, "number": true, "boolean": true, "bigint": true, "symbol": true}

func (b *binder) types(i, limit int) {
	for i < limit {
		i = max(b.typ(i, limit), i)
		i++
	}
}

func (b *binder) typ(i, limit int) int {
	if b.tooDeep() {
		b.depth--
		return limit
	}
	outer := b.infers
	conditions, operand := 0, false
	for i < limit {
		t := b.t[i]
		if !operand {
			next, done := b.typeOperand(i, limit)
			if next == i {
				break
			}
			i, operand = next, done
			continue
		}
		if t.isPunct('<') && !t.has(fNewline) {
			i = b.typeArguments(i)
			continue
		}
		if t.isPunct('[') && !t.has(fNewline) {
			b.types(i+1, b.partner(i))
			i = b.partner(i) + 1
			continue
		}
		switch {
		case t.isPunct('|'), t.isPunct('&'), t.isKeyword(kIs) && !t.has(fNewline):
		case t.isKeyword(kExtends) && !b.x.namesMember(i):
			if conditions++; conditions == 1 {
				b.infers = b.enter(false)
			}
		case conditions > 0 && (t.isPunct('?') || t.isPunct(':')):
		default:
			return b.typeEnd(i, conditions, outer)
		}
		operand = false
		i++
	}
	return b.typeEnd(i, conditions, outer)
}

func (b *binder) typeEnd(i, conditions int, outer int32) int {
	if conditions > 0 {
		b.leave()
	}
	b.infers = outer
	b.depth--
	return i
}

// typeOperand reads a type operand or a type prefix; done is set for an operand. It returns next == i if there is
// none.
func (b *binder) typeOperand(i, limit int) (next int, done bool) {
	t := b.t[i]
	switch t.kind {
	case tIdent:
		return b.typeWord(i)
	case tTemplateHead:
		end := b.partner(i)
		b.types(i+1, end)
		return end + 1, true
	case tPunct:
	default:
		return b.x.skip(i), true
	}
	end := b.partner(i)
	switch t.id {
	case '(':
		if b.at(end+1).isPunct(pArrow) && b.x.parameters(i) {
			return b.functionType(i, limit), true
		}
		b.types(i+1, end)
		return end + 1, true
	case '<':
		return b.functionType(i, limit), true
	case '{':
		b.typeMembers(i)
		return end + 1, true
	case '[':
		b.tuple(i)
		return end + 1, true
	case '|', '&', '-', '*', '?', '!':
		return i + 1, false
	}
	return i, false
}

func (b *binder) typeWord(i int) (next int, done bool) {
	after := b.at(i + 1)
	switch b.t[i].id {
	case kKeyof, kUnique, kReadonly, kNew:
		return i + 1, after.kind == tPunct && (after.id == ';' || after.id == ',' || after.id == ')')
	case kTypeof:
		if after.kind != tIdent || after.id == kImport {
			return i + 1, false
		}
		end := b.x.chain(i + 1)
		b.refer(i+1, end, source.AsValue, asValue)
		return end, true
	case kInfer:
		if after.kind == tIdent {
			b.bind(b.name(i+1), b.infers, asType)
		}
		return i + 2, true
	case kAsserts, kAbstract:
		if after.kind != tIdent || after.has(fNewline) || after.id == kIs {
			return i + 1, true
		}
		if b.t[i].id == kAsserts {
			i++
		}
		return i + 1, b.at(i).id != kAbstract
	case kImport:
		end := b.x.skip(i + 1)
		for b.at(end).isPunct('.') {
			end += 2
		}
		return end, true
	case kThis, kVoid, kConst:
		return i + 1, true
	}
	end := b.x.chain(i)
	if is := b.at(end); is.isKeyword(kIs) && !is.has(fNewline) {
		return end, true
	}
	meaning := asType
	if end > i+1 {
		meaning = asNamespace
	}
	b.refer(i, end, source.AsType, meaning)
	return end, true
}

func (b *binder) functionType(i, limit int) int {
	b.enter(false)
	if b.t[i].isPunct('<') {
		i = b.typeParameters(i)
	}
	if b.at(i).isPunct('(') {
		_, i = b.parameters(i)
	}
	if i < limit && b.t[i].isPunct(pArrow) {
		i = b.typ(i+1, limit)
	}
	b.leave()
	return i
}

func (b *binder) typeArguments(i int) int {
	end := b.x.skipAngles(i)
	b.types(i+1, end-1)
	return end
}

// typeParameters reads `<T extends A = B>`.
func (b *binder) typeParameters(open int) int {
	end := b.x.skipAngles(open)
	b.x.list(open, end-1, func(i int) int {
		for b.t[i].kind == tIdent && b.at(i+1).kind == tIdent && b.at(i+1).id != kExtends {
			i++ // const, in, out
		}
		b.declare(i, asType)
		i++
		if b.at(i).isKeyword(kExtends) {
			i = b.typ(i+1, end-1)
		}
		if i < end-1 && b.t[i].isPunct('=') {
			i = b.typ(i+1, end-1)
		}
		return i
	})
	return end
}

func (b *binder) tuple(open int) {
	end := b.partner(open)
	for i := open + 1; i < end; i++ {
		if b.t[i].isPunct(pSpread) {
			i++
		}
		if next := b.at(i + 1); b.at(i).kind == tIdent && (next.isPunct(':') || next.isPunct('?') && b.at(i+2).isPunct(':')) {
			i += 2 + b2i(next.isPunct('?'))
		}
		i = max(b.typ(i, end), i)
		if b.at(i).isPunct('?') {
			i++
		}
	}
}

func (b *binder) typeMembers(open int) {
	end := b.partner(open)
	for i := open + 1; i < end; {
		i = max(b.typeMember(i, end), i+1)
	}
}

func (b *binder) typeMember(i, limit int) int {
	for b.t[i].isPunct('+') || b.t[i].isPunct('-') {
		i++
	}
	i = b.x.memberModifiers(i, &member{})
	if i >= limit {
		return limit
	}
	t := b.t[i]
	switch {
	case t.isPunct('[') && b.at(i+2).isKeyword(kIn):
		return b.mapped(i, limit)
	case t.isPunct('['):
		mark := b.mark()
		b.computedKey(i)
		b.take(mark)
	case t.isPunct('('), t.isPunct('<'):
		return b.callSignature(i, limit)
	case t.kind == tPunct:
		return i + 1
	case t.isKeyword(kNew) && (b.at(i+1).isPunct('(') || b.at(i+1).isPunct('<')):
		return b.callSignature(i+1, limit)
	}
	i = b.x.skip(i)
	if b.at(i).isPunct('?') {
		i++
	}
	if i >= limit {
		return limit
	}
	switch t := b.t[i]; {
	case t.isPunct('('), t.isPunct('<'):
		return b.callSignature(i, limit)
	case t.isPunct(':'):
		return b.typ(i+1, limit)
	}
	return i
}

// computedKey reads `[key: string]` and `[expression]`.
func (b *binder) computedKey(open int) {
	end := b.partner(open)
	if b.at(open+1).kind == tIdent && b.at(open+2).isPunct(':') {
		b.typ(open+3, end)
		return
	}
	b.expressions(open+1, end)
}

func (b *binder) callSignature(i, limit int) int {
	b.enter(false)
	i = b.signature(b.node(surface.Func, i, i+1), i, limit)
	b.leave()
	return i
}

// mapped reads `[K in T as U]?: V`.
func (b *binder) mapped(open, limit int) int {
	end := b.partner(open)
	b.enter(false)
	b.declare(open+1, asType)
	i := b.typ(open+3, end)
	if b.at(i).isKeyword(kAs) {
		b.typ(i+1, end)
	}
	for i = end + 1; i < limit && (b.t[i].isPunct('+') || b.t[i].isPunct('-') || b.t[i].isPunct('?')); {
		i++
	}
	if i < limit && b.t[i].isPunct(':') {
		i = b.typ(i+1, limit)
	}
	b.leave()
	return i
}
