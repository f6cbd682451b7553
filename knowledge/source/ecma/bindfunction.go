package ecma

type callable struct {
	name     int   // token of a name that is visible only inside the function
	value    int   // first token, for a function value
	receiver int32 // path of `this` inside it
	own      bool  // has its own `this`
}

func (b *binder) function(i, limit int, c callable) int {
	from, n := i, b.enter(false)
	if c.name > 0 {
		b.declare(c.name, asValue)
	}
	if c.own {
		n := b.bind(nameThis, b.current(), asValue)
		b.locals[n].typ = c.receiver
		b.bind(nameSuper, b.current(), asValue)
	}
	i = b.signature(i, limit)
	if i < limit && b.t[i].isPunct('{') {
		i = b.body(i)
	}
	b.leave()
	if c.value == 0 || !b.onTheSpot(c.value, i) {
		b.setApart(n, from, i)
	}
	return i
}

func (b *binder) signature(i, limit int) int {
	if b.at(i).isPunct('<') && i < limit {
		i = b.typeParameters(i)
	}
	if i < limit && b.t[i].isPunct('(') {
		i = b.parameters(i)
	}
	if i < limit && b.t[i].isPunct(':') {
		i = b.typ(i+1, limit)
	}
	return i
}

// body reads a function body in its own block: default values of parameters cannot see its variables.
func (b *binder) body(open int) int {
	end := b.partner(open)
	b.enter(true)
	b.statements(open+1, end)
	b.leave()
	return end + 1
}

func (b *binder) parameters(open int) int {
	end := b.partner(open)
	for i := open + 1; i < end; {
		i = max(b.parameter(i, end), i)
		for i < end && !b.t[i].isPunct(',') {
			i = b.x.skip(i)
		}
		i++
	}
	return end + 1
}

func (b *binder) parameter(i, limit int) int {
	i = b.decorators(i, limit)
	for i+1 < limit && b.t[i].is(kwModifier) && (b.t[i+1].kind == tIdent || b.t[i+1].isPunct('{') || b.t[i+1].isPunct('[')) {
		i++
	}
	if b.at(i).isPunct(pSpread) {
		i++
	}
	if i >= limit {
		return limit
	}
	i, n := b.pattern(i, limit, b.current())
	if b.at(i).isPunct('?') {
		i++
	}
	if i < limit && b.t[i].isPunct(':') {
		i = b.annotation(i+1, limit, n)
	}
	if i < limit && b.t[i].isPunct('=') {
		i = b.expression(i+1, limit, false)
	}
	return i
}

// pattern binds a name or a destructuring pattern in a block. It returns the local if the pattern is a single name,
// and next == i if there is no pattern.
func (b *binder) pattern(i, limit int, in int32) (next int, n int32) {
	if i >= limit {
		return i, 0
	}
	t := b.t[i]
	if t.kind == tIdent {
		return i + 1, b.bind(b.name(i), in, asValue)
	}
	if !t.isPunct('{') && !t.isPunct('[') {
		return i, 0
	}
	end := b.partner(i)
	if b.tooDeep() {
		b.depth--
		return end + 1, 0
	}
	for j := i + 1; j < end; {
		j = max(b.patternElement(j, end, in, t.id == '{'), j+1)
	}
	b.depth--
	return end + 1, 0
}

// patternElement reads one element of a pattern: `a`, `key: a`, `[key]: a`, `...a`, each with a default value.
func (b *binder) patternElement(i, limit int, in int32, keyed bool) int {
	if b.t[i].isPunct(',') {
		return i + 1
	}
	if b.t[i].isPunct(pSpread) {
		i++
	}
	if keyed && i < limit {
		after := b.x.skip(i)
		if b.at(after).isPunct(':') {
			if b.t[i].isPunct('[') {
				b.expressions(i+1, b.partner(i))
			}
			i = after + 1
		}
	}
	i, _ = b.pattern(i, limit, in)
	if i < limit && b.t[i].isPunct('=') {
		i = b.expression(i+1, limit, false)
	}
	return i
}

// arrow reads an arrow function; i is at its type parameters, parenthesis or single parameter.
func (b *binder) arrow(i, limit int, conditional bool) int {
	from, n := i, b.enter(false)
	if b.t[i].kind == tIdent {
		b.declare(i, asValue)
		i++
	} else {
		i = b.signature(i, limit)
	}
	if i < limit && b.t[i].isPunct(pArrow) {
		i++
	}
	if i < limit && b.t[i].isPunct('{') {
		i = b.body(i)
	} else {
		i = b.expression(i, limit, conditional)
	}
	b.leave()
	if !b.at(i).isPunct(')') || !b.onTheSpot(b.withAsync(from), i) {
		b.setApart(n, from, i)
	}
	return i
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

func (b *binder) decorators(i, limit int) int {
	for i+1 < limit && b.t[i].isPunct('@') {
		i++
		if b.t[i].kind == tIdent {
			end := b.selectors(i)
			b.call(i, end, max(b.called(end), end-1))
			i = end
		} else if b.t[i].isPunct('(') {
			b.expressions(i+1, b.partner(i))
			i = b.partner(i) + 1
		}
		if b.at(i).isPunct('<') {
			i = b.typeArguments(i)
		}
		if i < limit && b.t[i].isPunct('(') && !b.t[i].has(fNewline) {
			b.expressions(i+1, b.partner(i))
			i = b.partner(i) + 1
		}
	}
	return i
}

func (b *binder) functionExpression(i, limit int) int {
	c := callable{own: true, receiver: b.receiver(i), value: b.withAsync(i)}
	if i++; b.at(i).isPunct('*') {
		i++
	}
	if b.at(i).kind == tIdent {
		c.name = i
		i++
	}
	return b.function(i, limit, c)
}
