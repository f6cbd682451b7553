package ecma

import (
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// classExpression reads a class that is a value; its name is visible only inside it.
func (b *binder) classExpression(i, limit int) (*surface.Node, int) {
	b.enter(false)
	n, i := b.class(i, limit)
	b.leave()
	return n, i
}

func (b *binder) class(i, limit int) (*surface.Node, int) {
	n := b.node(surface.Class, i, i+1)
	n.Marks, b.marks = b.marks, nil
	i++
	if t := b.at(i); t.kind == tIdent && t.id != kExtends && t.id != kImplements {
		n.Text = b.text(i)
		b.declare(i, asValue|asType)
		i++
	}
	b.enter(false)
	self := b.bind(nameThis, b.current(), asValue)
	private := b.bind(namePrivate, b.current(), asValue)
	super := b.bind(nameSuper, b.current(), asValue)
	if b.at(i).isPunct('<') {
		i = b.typeParameters(i)
	}
	if b.at(i).isKeyword(kExtends) {
		if b.at(i+1).kind == tIdent {
			n.Args = b.listOf(b.leaf(surface.Name, i+1))
		}
		i = b.base(i+1, limit, super)
	}
	if b.at(i).isKeyword(kImplements) {
		i = b.typeList(i+1, limit)
	}
	if i < limit && b.t[i].isPunct('{') {
		name, declared := b.x.classes[i]
		if declared {
			b.locals[self].typ = b.literal(name)
			b.locals[private].typ = b.locals[self].typ
		}
		n.Body, i = b.classBody(i, declared)
	}
	b.leave()
	return n, i
}

// classBody reads the members of a class. Those of a class expression are off the main control flow.
func (b *binder) classBody(open int, declared bool) ([]*surface.Node, int) {
	mark, end := b.mark(), b.partner(open)
	n := b.enter(false)
	if !declared {
		b.setApart(n, open, end+1)
	}
	b.members(open)
	b.leave()
	return b.take(mark), end + 1
}

// members pushes the members of a class, an interface or an object type.
func (b *binder) members(open int) {
	for i, end := open+1, b.partner(open); i < end; {
		i = max(b.classMember(i, end), i+1)
	}
}

// base reads the extends clause. If it is a name, super refers to it.
func (b *binder) base(i, limit int, super int32) int {
	if t := b.at(i); t.kind != tIdent || t.id != kNone || b.called(b.selectors(i)) > 0 {
		_, i = b.operand(i, limit, false)
		return i
	}
	end := b.selectors(i)
	since := len(b.events)
	b.refer(i, end, source.AsType, asValue)
	b.typesLocal(super, since, i)
	_, end = b.postfix(b.selected(i, end), i, end, limit)
	return end
}

func (b *binder) typeList(i, limit int) int {
	for i < limit {
		i = b.typ(i, limit)
		if !b.at(i).isPunct(',') {
			break
		}
		i++
	}
	return i
}

func (b *binder) classMember(i, limit int) int {
	if b.t[i].isPunct(';') {
		return i + 1
	}
	i = b.x.memberModifiers(b.decorators(i, limit), &member{})
	marks := b.marks
	b.marks = nil
	if b.at(i).isPunct('*') {
		i++
	}
	if i >= limit {
		return limit
	}
	var n *surface.Node
	switch t := b.t[i]; {
	case t.isPunct('{'):
		_, i = b.body(i)
		return i
	case t.isPunct('[') && b.at(i+2).isKeyword(kIn):
		return b.mapped(i, limit)
	case t.isCall(), t.isKeyword(kNew) && b.at(i+1).isCall():
		n, i = b.node(surface.Bind, i, i+1), i+b2i(!t.isCall())
	case t.kind == tPunct && t.id != '[':
		return i + 1
	default:
		n, i = b.key(i), b.x.skip(i)
	}
	if t := b.at(i); t.isPunct('?') || t.isPunct('!') {
		i++
	}
	if i < limit && b.t[i].isCall() {
		n.X, i = b.function(i, limit, callable{node: b.node(surface.Func, i, i+1)})
	} else {
		if i < limit && b.t[i].isPunct(':') {
			n.Type, i = b.annotation(i+1, limit, 0)
		}
		if i < limit && b.t[i].isPunct('=') {
			n.X, i = b.expression(i+1, limit, false)
		}
	}
	if x := n.X; x != nil && x.Kind == surface.Func {
		x.Text, x.Line = n.Key, n.Line
		n = x
	}
	n.Marks = marks
	b.push(n)
	return i
}

// receiver is the path of `this` in the function value at i, if the file assigns that function to a class.
func (b *binder) receiver(i int) int32 {
	if holder, ok := b.x.receivers[b.withAsync(i)]; ok {
		return b.literal(holder)
	}
	return 0
}
