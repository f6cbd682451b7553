package ecma

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
		t := b.t[i]
		if t.isPunct('{') {
			return b.braces(i)
		}
		if t.isPunct('@') {
			i = max(b.decorators(i, limit), i+1)
			continue
		}
		if t.kind != tIdent {
			return b.expressionStatement(i, limit)
		}
		if next := b.head(i); next > i {
			i = next
			continue
		}
		if t.id != kIf || !b.at(i+1).isPunct('(') {
			return b.plainStatement(i, limit)
		}
		b.expressions(i+2, b.partner(i+1))
		if i = b.statement(b.partner(i+1)+1, limit); i >= limit || !b.t[i].isKeyword(kElse) {
			return i
		}
		if i++; !b.at(i).isKeyword(kIf) {
			return b.statement(i, limit)
		}
	}
	return limit
}

// head skips a statement prefix: a condition, try, do or a label. The while after a do body reads as a separate
// statement.
func (b *binder) head(i int) int {
	next := b.at(i + 1)
	switch b.t[i].id {
	case kWhile, kWith:
		if next.isPunct('(') {
			b.expressions(i+2, b.partner(i+1))
			return b.partner(i+1) + 1
		}
	case kElse, kTry, kDo, kFinally:
		return i + 1
	}
	if next.isPunct(':') {
		return i + 2 // also the default of a switch
	}
	return i
}

func (b *binder) plainStatement(i, limit int) int {
	next := b.at(i + 1)
	switch b.t[i].id {
	case kFor:
		return b.loop(i, limit)
	case kCatch:
		return b.catch(i, limit)
	case kSwitch:
		if next.isPunct('(') {
			b.expressions(i+2, b.partner(i+1))
			return b.partner(i+1) + 1 // the cases read as a block
		}
	case kCase:
		return b.label(b.until(i+1, limit, true))
	case kBreak, kContinue:
		if next.kind == tIdent && !next.has(fNewline) {
			i++
		}
		return b.x.semicolon(i + 1)
	case kReturn, kThrow:
		if next.has(fNewline) {
			return i + 1
		}
		return b.expressionStatement(i+1, limit)
	}
	if end, ok := b.declaration(i, limit); ok {
		return end
	}
	return b.expressionStatement(i, limit)
}

func (b *binder) label(i int) int {
	if b.at(i).isPunct(':') {
		return i + 1
	}
	return i
}

func (b *binder) expressionStatement(i, limit int) int {
	return b.x.semicolon(b.until(i, limit, false))
}

func (b *binder) until(i, limit int, conditional bool) int {
	for {
		i = b.expression(i, limit, conditional)
		if i >= limit || !b.t[i].isPunct(',') {
			return i
		}
		i++
	}
}

// expressions reads all expressions in a range, with any separators.
func (b *binder) expressions(i, limit int) {
	for i < limit {
		i = max(b.expression(i, limit, false), i)
		i++
	}
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
	end := b.partner(open)
	b.enter(false)
	j := open + 1
	if b.bindsVariables(j) {
		j = b.variables(j, end)
	}
	for j < end {
		if t := b.t[j]; t.isKeyword(kOf) || t.isKeyword(kIn) {
			j++
		}
		j = b.until(j, end, false)
		if !b.at(j).isKeyword(kOf) || j == end {
			j++
		}
	}
	next := b.statement(end+1, limit)
	b.leave()
	return next
}

func (b *binder) catch(i, limit int) int {
	b.enter(false)
	j := i + 1
	if b.at(j).isPunct('(') {
		end := b.partner(j)
		b.parameter(j+1, end)
		j = end + 1
	}
	if b.at(j).isPunct('{') && j < limit {
		j = b.braces(j)
	}
	b.leave()
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
		first := len(b.locals)
		next, n := b.pattern(i, limit, in)
		for ; nested && first < len(b.locals); first++ {
			b.locals[first].nested = true
		}
		if next == i {
			return i
		}
		i = next
		if b.at(i).isPunct('!') {
			i++
		}
		annotated := b.at(i).isPunct(':')
		if annotated {
			i = b.annotation(i+1, limit, n)
		}
		if i < limit && b.t[i].isPunct('=') {
			from, since := i+1, len(b.events)
			i = b.expression(from, limit, false)
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
