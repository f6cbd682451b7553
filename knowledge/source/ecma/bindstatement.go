package ecma

import "github.com/causaldocs/causal/knowledge/source/surface"

func (b *binder) statements(i, limit int) {
	for i < limit {
		i = max(b.statement(i, limit), i+1)
	}
}

func (b *binder) statement(i, limit int) int {
	if b.tooDeep() {
		b.depth--
		return limit
	}
	defer func() { b.depth-- }()
	for i < limit {
		t, next := b.t[i], b.at(i+1)
		switch {
		case t.isPunct('{'):
			return b.compound(surface.Block, i, i, limit)
		case t.isPunct('@'):
			i = max(b.decorators(i, limit), i+1)
		case t.kind != tIdent:
			return b.expressionStatement(i, limit)
		case t.id == kElse, t.id == kFinally:
			i++
		case t.id == kTry, t.id == kDo: // the while after a do body reads as a separate statement
			return b.compound(surface.Block, i, i+1, limit)
		case t.id == kIf && next.isPunct('('):
			return b.conditional(i, limit)
		case next.isPunct(':'):
			i += 2 // a label, or the default of a switch
		default:
			return b.plainStatement(i, limit)
		}
	}
	return limit
}

// compound reads a statement that begins at token i and whose body is at token from.
func (b *binder) compound(k surface.Kind, i, from, limit int) int {
	n := b.node(k, i, i+1)
	if i == from {
		n.Text = "{"
	}
	n.Body, i = b.nested(from, limit)
	b.push(n)
	return i
}

// nested reads the statement or the braces at i.
func (b *binder) nested(i, limit int) ([]*surface.Node, int) {
	mark := b.mark()
	if i < limit && b.t[i].isPunct('{') {
		i = b.braces(i)
	} else {
		i = b.statement(i, limit)
	}
	return b.take(mark), i
}

// conditional reads a chain of if statements, which takes no nesting.
func (b *binder) conditional(i, limit int) int {
	n := b.node(surface.If, i, i+1)
	b.push(n)
	for links := 0; ; links++ {
		mark := b.mark()
		i = b.inside(i + 1)
		n.X = b.last(mark)
		if n.Body, i = b.nested(i, limit); i >= limit || !b.t[i].isKeyword(kElse) {
			return i
		}
		if i++; !b.at(i).isKeyword(kIf) || !b.at(i+1).isPunct('(') {
			n.Else, i = b.nested(i, limit)
			return i
		}
		other := b.node(surface.If, i, i+1)
		if links < deepest {
			n.Else = b.listOf(other)
		}
		n = other
	}
}

func (b *binder) plainStatement(i, limit int) int {
	next := b.at(i + 1)
	switch b.t[i].id {
	case kFor:
		return b.loop(i, limit)
	case kWhile, kWith, kSwitch:
		if next.isPunct('(') {
			kind := surface.For
			if b.t[i].id == kSwitch {
				kind = surface.Block
			}
			return b.compound(kind, i, b.inside(i+1), limit)
		}
	case kCatch:
		return b.catch(i, limit)
	case kCase:
		i = b.until(i+1, limit, true)
		return i + b2i(b.at(i).isPunct(':'))
	case kBreak, kContinue:
		if next.kind == tIdent && !next.has(fNewline) {
			i++
		}
		return b.x.semicolon(i + 1)
	case kReturn, kThrow:
		n, mark, end := b.node(surface.Return, i, i+1), b.mark(), i+1
		if !next.has(fNewline) {
			end = b.expressionStatement(i+1, limit)
		}
		n.X = b.last(mark)
		b.push(n)
		return end
	}
	if end, ok := b.declaration(i, limit); ok {
		return end
	}
	return b.expressionStatement(i, limit)
}

func (b *binder) expressionStatement(i, limit int) int {
	return b.x.semicolon(b.until(i, limit, false))
}

// until pushes the expressions between commas.
func (b *binder) until(i, limit int, conditional bool) int {
	for {
		n, next := b.expression(i, limit, conditional)
		b.push(n)
		if i = next; i >= limit || !b.t[i].isPunct(',') {
			return i
		}
		i++
	}
}

// expressions pushes all expressions in a range, with any separators.
func (b *binder) expressions(i, limit int) {
	for i < limit {
		n, next := b.expression(i, limit, false)
		b.push(n)
		i = max(next, i) + 1
	}
}

// inside pushes the expressions in the brackets at open and returns their end.
func (b *binder) inside(open int) int {
	end := b.partner(open)
	b.expressions(open+1, end)
	return end + 1
}

func (b *binder) braces(open int) int {
	end := b.partner(open)
	b.enter(false)
	b.statements(open+1, end)
	b.leave()
	return end + 1
}

// loop reads a for statement; its variables are visible in its body too.
func (b *binder) loop(i, limit int) int {
	open := i + 1
	if b.at(open).isKeyword(kAwait) {
		open++
	}
	if !b.at(open).isPunct('(') {
		return b.expressionStatement(i, limit)
	}
	n, end := b.node(surface.For, i, i+1), b.partner(open)
	b.enter(false)
	b.loopHead(n, open+1, end)
	n.Body, i = b.nested(end+1, limit)
	b.leave()
	b.push(n)
	return i
}

func (b *binder) loopHead(n *surface.Node, i, end int) {
	mark, binds := b.mark(), b.bindsVariables(i)
	first := i + b2i(binds)
	if of := b.x.skip(first); of < end && (b.t[of].isKeyword(kOf) || b.t[of].isKeyword(kIn)) {
		if binds {
			b.variables(i, of)
		} else {
			b.until(i, of, false)
		}
		b.take(mark)
		for ; first < of; first++ {
			if b.t[first].kind == tIdent {
				b.push(b.leaf(surface.Name, first))
			}
		}
		n.Args = b.take(mark)
		b.expressions(of+1, end)
		n.X = b.last(mark)
		return
	}
	if binds {
		i = b.variables(i, end)
	}
	for i < end {
		if t := b.t[i]; t.isKeyword(kOf) || t.isKeyword(kIn) {
			i++
		}
		if i = b.until(i, end, false); !b.at(i).isKeyword(kOf) || i == end {
			i++
		}
	}
}

func (b *binder) catch(i, limit int) int {
	n, j := b.node(surface.Block, i, i+1), i+1
	b.enter(false)
	if b.at(j).isPunct('(') {
		end := b.partner(j)
		b.parameter(j+1, end)
		j = end + 1
	}
	if b.at(j).isPunct('{') && j < limit {
		n.Body, j = b.nested(j, limit)
	}
	b.leave()
	b.push(n)
	return j
}

func (b *binder) bindsVariables(i int) bool {
	t, next := b.at(i), b.at(i+1)
	if t.kind != tIdent {
		return false
	}
	names := next.kind == tIdent || next.isPunct('{') || next.isPunct('[')
	switch t.id {
	case kVar:
		return true
	case kConst:
		return !next.isKeyword(kEnum)
	case kLet:
		return names && !next.is(kwInfix)
	case kUsing:
		return next.kind == tIdent && !next.has(fNewline) && !next.is(kwInfix) && (b.at(i+2).isPunct('=') || b.at(i+2).isPunct(':') || b.at(i+2).isKeyword(kOf))
	case kAwait:
		return next.isKeyword(kUsing) && b.bindsVariables(i+1)
	}
	return false
}

func (b *binder) variables(i, limit int) int {
	keyword := b.t[i].id
	if keyword == kAwait {
		i++
	}
	in := b.current()
	if keyword == kVar {
		in = b.blocks[in].vars
	}
	nested := in != b.current()
	for i++; i < limit; i++ {
		first, bind := len(b.locals), b.node(surface.Bind, i, i+1)
		to, next, n := b.pattern(i, limit, in)
		for ; nested && first < len(b.locals); first++ {
			b.locals[first].nested = true
		}
		if next == i {
			return i
		}
		i, bind.Args = next, b.listOf(to)
		b.push(bind)
		if b.at(i).isPunct('!') {
			i++
		}
		annotated := b.at(i).isPunct(':')
		if annotated {
			bind.Type, i = b.annotation(i+1, limit, n)
		}
		if i < limit && b.t[i].isPunct('=') {
			from, since := i+1, len(b.events)
			bind.X, i = b.expression(from, limit, false)
			if n != 0 && !annotated && (keyword == kConst || b.typed) {
				b.initialized(n, from, i, since)
			}
		}
		if i >= limit || !b.t[i].isPunct(',') {
			break
		}
	}
	return i
}

// initialized infers the type of a local from an unambiguous value: a literal or `new Name(…)`.
func (b *binder) initialized(n int32, from, to, since int) {
	t := b.at(from)
	switch {
	case t.isKeyword(kNew):
		end := b.x.chain(min(from+1, len(b.t)-1))
		if b.at(end).isPunct('<') {
			end = b.x.skipAngles(end)
		}
		if b.at(end).isPunct('(') && b.partner(end)+1 == to {
			b.typesLocal(n, since, from+1)
		}
	case t.isPunct('['), t.kind == tTemplateHead:
		if b.partner(from)+1 == to {
			b.locals[n].typ = builtin
		}
	case t.kind == tString, t.kind == tTemplate, t.kind == tNumber, t.kind == tRegex:
		if from+1 == to {
			b.locals[n].typ = builtin
		}
	}
}
