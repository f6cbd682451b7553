package ecma

import "github.com/causaldocs/causal/knowledge/source/surface"

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
	i = b.x.typ(i, limit, b)
	if b.infers != outer {
		b.leave()
	}
	b.infers = outer
	b.depth--
	return i
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
	mark := b.mark()
	b.members(open)
	b.take(mark)
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
