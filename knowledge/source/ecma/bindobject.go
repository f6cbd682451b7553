package ecma

import "github.com/causaldocs/causal/knowledge/source"

// object reads an object literal, or the pattern of an assignment.
func (b *binder) object(open int) {
	end := b.partner(open)
	for i := open + 1; i < end; {
		i = max(b.property(i, end), i+1)
	}
}

func (b *binder) property(i, limit int) int {
	t := b.t[i]
	if t.isPunct(pSpread) {
		return b.expression(i+1, limit, false)
	}
	for i+1 < limit && (t.isPunct('*') || (t.isKeyword(kGet) || t.isKeyword(kSet) || t.isKeyword(kAsync)) && startsKey(b.t[i+1])) {
		i++
		t = b.t[i]
	}
	key := i
	if t.isPunct('[') {
		b.expressions(i+1, b.partner(i))
	} else if t.kind == tPunct {
		return i + 1
	}
	i = b.x.skip(i)
	next := b.at(i)
	switch {
	case i < limit && (next.isPunct('(') || next.isPunct('<')):
		return b.function(i, limit, callable{own: true})
	case i < limit && next.isPunct(':'):
		return b.expression(i+1, limit, false)
	case t.kind == tIdent:
		b.refer(key, key+1, source.AsValue, asValue)
		if i < limit && next.isPunct('=') {
			return b.expression(i+1, limit, false)
		}
	}
	return i
}

// startsKey reports whether a token can be a property name after a modifier.
func startsKey(t token) bool {
	return t.kind == tIdent || t.kind == tString || t.kind == tNumber || t.kind == tPrivate || t.isPunct('[') || t.isPunct('*')
}
