package ecma

import "github.com/causaldocs/causal/knowledge/source/surface"

type callable struct {
	node     *surface.Node
	name     int   // token of a name that is visible only inside the function
	value    int   // first token, for a function value
	receiver int32 // path of `this` inside it
	own      bool  // has its own `this`
}

func (b *binder) function(i, limit int, c callable) (*surface.Node, int) {
	from, n := i, b.enter(false)
	if c.name > 0 {
		b.declare(c.name, asValue)
	}
	if c.own {
		n := b.bind(nameThis, b.current(), asValue)
		b.locals[n].typ = c.receiver
		b.bind(nameSuper, b.current(), asValue)
	}
	i = b.signature(c.node, i, limit)
	body := i < limit && b.t[i].isPunct('{')
	if body {
		c.node.Body, i = b.body(i)
	}
	b.leave()
	if body && (c.value == 0 || !b.onTheSpot(c.value, i)) {
		b.setApart(n, from, i)
	}
	return c.node, i
}

func (b *binder) signature(n *surface.Node, i, limit int) int {
	if b.at(i).isPunct('<') && i < limit {
		i = b.typeParameters(i)
	}
	if i < limit && b.t[i].isPunct('(') {
		n.Args, i = b.parameters(i)
	}
	if i < limit && b.t[i].isPunct(':') {
		i = b.typ(i+1, limit)
	}
	return i
}

// body reads a function body in its own block: default values of parameters cannot see its variables.
func (b *binder) body(open int) ([]*surface.Node, int) {
	mark, end := b.mark(), b.partner(open)
	b.enter(true)
	b.statements(open+1, end)
	b.leave()
	return b.take(mark), end + 1
}

func (b *binder) parameters(open int) ([]*surface.Node, int) {
	mark, end := b.mark(), b.partner(open)
	b.x.list(open, end, func(i int) int {
		n, next := b.parameter(i, end)
		b.push(n)
		return max(next, i)
	})
	return b.take(mark), end + 1
}

func (b *binder) parameter(i, limit int) (*surface.Node, int) {
	marks := b.marks
	i = b.decorators(i, limit)
	b.marks = marks
	for i+1 < limit && b.t[i].is(kwModifier) && (b.t[i+1].kind == tIdent || b.t[i+1].isPunct('{') || b.t[i+1].isPunct('[')) {
		i++
	}
	if b.at(i).isPunct(pSpread) {
		i++
	}
	if i >= limit {
		return nil, limit
	}
	n := b.node(surface.Unknown, i, i+1)
	name, i, local := b.pattern(i, limit, b.current())
	if local > 0 {
		n = name
	}
	if b.at(i).isPunct('?') {
		i++
	}
	if i < limit && b.t[i].isPunct(':') {
		n.Type, i = b.annotation(i+1, limit, local)
	}
	if i < limit && b.t[i].isPunct('=') {
		n.X, i = b.expression(i+1, limit, false)
	}
	return n, i
}

// pattern binds a name or a destructuring pattern in a block. It returns the local if the pattern is a single name,
// and next == i if there is no pattern.
func (b *binder) pattern(i, limit int, in int32) (node *surface.Node, next int, n int32) {
	if i >= limit {
		return nil, i, 0
	}
	t := b.t[i]
	if t.kind == tIdent {
		return b.leaf(surface.Name, i), i + 1, b.bind(b.name(i), in, asValue)
	}
	if !t.isPunct('{') && !t.isPunct('[') {
		return nil, i, 0
	}
	mark, end := b.mark(), b.partner(i)
	node = b.node(surface.List, i, end+1)
	if b.tooDeep() {
		b.depth--
		return node, end + 1, 0
	}
	for j := i + 1; j < end; {
		j = max(b.patternElement(j, end, in, t.id == '{'), j+1)
	}
	b.depth--
	if node.Args = b.take(mark); t.id == '{' {
		node.Kind = surface.Map
	}
	return node, end + 1, 0
}

// patternElement reads one element of a pattern: `a`, `key: a`, `[key]: a`, `...a`, each with a default value.
func (b *binder) patternElement(i, limit int, in int32, keyed bool) int {
	if b.t[i].isPunct(',') {
		return i + 1
	}
	if b.t[i].isPunct(pSpread) {
		rest := b.leaf(surface.Operator, i)
		n, next, _ := b.pattern(i+1, limit, in)
		rest.Args = b.listOf(n)
		b.push(rest)
		return next
	}
	var bind *surface.Node
	if keyed {
		after := b.x.skip(i)
		if bind = b.key(i); b.at(after).isPunct(':') {
			i = after + 1
		}
	}
	n, i, _ := b.pattern(i, limit, in)
	if i < limit && b.t[i].isPunct('=') {
		n, i = b.byDefault(b.some(n, i), i, limit)
	}
	if keyed {
		bind.X, n = n, bind
	}
	b.push(n)
	return i
}

// arrow reads an arrow function; i is at its type parameters, parenthesis or single parameter.
func (b *binder) arrow(i, limit int, conditional bool) (*surface.Node, int) {
	from, block, at := i, b.enter(false), max(b.x.parenthesis(i), i)
	n := b.node(surface.Func, at, at+1)
	if b.t[i].kind == tIdent {
		n.Args = b.listOf(b.leaf(surface.Name, i))
		b.declare(i, asValue)
		i++
	} else {
		i = b.signature(n, i, limit)
	}
	if i < limit && b.t[i].isPunct(pArrow) {
		i++
	}
	if i < limit && b.t[i].isPunct('{') {
		n.Body, i = b.body(i)
	} else {
		x, end := b.expression(i, limit, conditional)
		x = b.some(x, i)
		result := b.around(surface.Return, x)
		result.X, n.Body, i = x, b.listOf(result), end
	}
	b.leave()
	if !b.at(i).isPunct(')') || !b.onTheSpot(b.withAsync(from), i) {
		b.setApart(block, from, i)
	}
	return n, i
}

// isArrow reports whether the parenthesis at i opens arrow function parameters. Between ? and : a following colon
// usually belongs to the conditional.
func (b *binder) isArrow(i int, conditional bool) bool {
	end := b.partner(i)
	if end == i {
		return false
	}
	after := b.at(end + 1)
	if after.isPunct(pArrow) {
		return true
	}
	if !b.typed || !after.isPunct(':') || conditional && !b.surelyParameters(i) {
		return false
	}
	return b.at(b.x.skipType(end + 2)).isPunct(pArrow)
}

// surelyParameters reports whether the parentheses hold something that no expression can contain.
func (b *binder) surelyParameters(open int) bool {
	i := open + 1
	if t := b.at(i); t.isPunct(')') || t.isPunct(pSpread) {
		return true
	}
	next := b.at(b.x.skip(i))
	if next.isPunct('?') {
		next = b.at(b.x.skip(i) + 1)
		return next.isPunct(':') || next.isPunct(')') || next.isPunct(',')
	}
	return next.isPunct(':')
}

// decorators reads the decorators at i, which mark the next declaration.
func (b *binder) decorators(i, limit int) int {
	for i+1 < limit && b.t[i].isPunct('@') {
		var n *surface.Node
		i++
		start := i
		if b.t[i].kind == tIdent {
			end := b.selectors(i)
			b.call(i, end, max(b.called(end), end-1))
			n, i = b.selected(i, end), end
		} else if b.t[i].isPunct('(') {
			mark := b.mark()
			i = b.inside(i)
			n = b.some(b.last(mark), start)
		}
		if b.at(i).isPunct('<') {
			i = b.typeArguments(i)
		}
		if i < limit && b.t[i].isPunct('(') && !b.t[i].has(fNewline) {
			mark, end := b.mark(), b.inside(i)
			args := b.take(mark)
			n = b.of(b.some(n, start), start, surface.Call, i, end)
			n.Args, i = args, end
		}
		if b.tree != nil && n != nil {
			b.marks = append(b.marks, n)
		}
	}
	return i
}

func (b *binder) functionExpression(i, limit int) (*surface.Node, int) {
	c := callable{own: true, receiver: b.receiver(i), value: b.withAsync(i), node: b.node(surface.Func, i+1, i+2)}
	name, i := b.x.functionName(i)
	if name < i {
		c.name, c.node.Text = name, b.text(name)
	}
	return b.function(i, limit, c)
}
