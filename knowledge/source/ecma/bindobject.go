package ecma

import (
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// object pushes the properties of an object literal, or of the pattern of an assignment.
func (b *binder) object(open int) {
	end := b.partner(open)
	for i := open + 1; i < end; {
		i = max(b.property(i, end), i+1)
	}
}

func (b *binder) property(i, limit int) int {
	t := b.t[i]
	if t.isPunct(pSpread) {
		n, end := b.expression(i, limit, false)
		b.push(n)
		return end
	}
	for i+1 < limit && (t.isPunct('*') || (t.isKeyword(kGet) || t.isKeyword(kSet) || t.isKeyword(kAsync)) && startsKey(b.t[i+1])) {
		i++
		t = b.t[i]
	}
	if t.kind == tPunct && t.id != '[' {
		return i + 1
	}
	key, n := i, b.key(i)
	i = b.x.skip(i)
	next := b.at(i)
	switch {
	case i < limit && (next.isPunct('(') || next.isPunct('<')):
		n.X, i = b.function(i, limit, callable{own: true, node: b.node(surface.Func, i, i+1)})
	case i < limit && next.isPunct(':'):
		n.X, i = b.expression(i+1, limit, false)
	case t.kind == tIdent:
		b.refer(key, key+1, source.AsValue, asValue)
		n.X = b.leaf(surface.Name, key)
		if i < limit && next.isPunct('=') {
			n.X, i = b.byDefault(n.X, i, limit)
		}
	}
	b.push(n)
	return i
}

// byDefault reads a default value of x; i is at its equals sign.
func (b *binder) byDefault(x *surface.Node, i, limit int) (n *surface.Node, next int) {
	n = b.around(surface.Bind, x)
	n.Args = b.listOf(x)
	n.X, next = b.expression(i+1, limit, false)
	return n, next
}

// key returns the binding of the property whose name is at i.
func (b *binder) key(i int) *surface.Node {
	n, key := b.node(surface.Bind, i, i+1), b.constant(i)
	switch t := b.t[i]; t.kind {
	case tPunct:
		if mark := b.mark(); t.id == '[' {
			b.computedKey(i)
			key = b.some(b.last(mark), i)
		}
	case tIdent, tPrivate, tNumber:
		key = b.leaf(surface.Text, i)
		n.Key = key.Text
	default:
		n.Key = key.Text
	}
	n.Args = b.listOf(key)
	return n
}

// startsKey reports whether a token can be a property name after a modifier.
func startsKey(t token) bool {
	return t.kind == tIdent || t.kind == tString || t.kind == tNumber || t.kind == tPrivate || t.isPunct('[') || t.isPunct('*')
}
