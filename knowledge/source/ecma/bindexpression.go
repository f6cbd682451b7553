package ecma

// expression reads one expression, up to a comma or what cannot go on with it. conditional: it stands between ? and :.
func (b *binder) expression(i, limit int, conditional bool) int {
	if b.tooDeep() {
		b.depth--
		return limit
	}
	for i < limit {
		next, done := b.operand(i, limit, conditional)
		i = next
		if !done || i >= limit {
			break
		}
		if i, done = b.operators(i, limit); !done {
			break
		}
	}
	b.depth--
	return min(i, limit)
}

// operators passes what stands between two operands; false where the expression ends.
func (b *binder) operators(i, limit int) (int, bool) {
	for i < limit {
		t := b.t[i]
		if t.kind == tIdent {
			switch {
			case t.id == kIn, t.id == kInstanceof:
				return i + 1, true
			case (t.id == kAs || t.id == kSatisfies) && !t.has(fNewline):
				i = b.typ(i+1, limit)
				continue
			}
			return i, false
		}
		if t.kind != tPunct {
			return i, false
		}
		switch t.id {
		case '?':
			if i = b.expression(i+1, limit, true); i >= limit || !b.t[i].isPunct(':') {
				return i, false
			}
			return i + 1, true
		case '<', '>':
			if t.match >= 0 {
				return i, false
			}
			for i++; b.at(i-1).has(fJoint) && (b.at(i).isPunct('<') || b.at(i).isPunct('>') || b.at(i).isPunct('=')); {
				i++
			}
			return i, true
		case '=', pAssign, pBinary, pArrow, '+', '-', '*', '/', '%', '&', '|', '^':
			return i + 1, true
		}
		return i, false
	}
	return i, false
}

// operand reads prefixes, what they stand before, and the calls and selectors behind; false when nothing is there.
func (b *binder) operand(i, limit int, conditional bool) (int, bool) {
	constructs := false
	for i < limit {
		t := b.t[i]
		switch t.kind {
		case tIdent:
			next, prefix := b.wordOperator(i)
			if !prefix {
				return b.word(i, limit, conditional, constructs)
			}
			constructs = t.id == kNew
			i = next
			if t.id == kYield && (i >= limit || b.t[i].has(fNewline) || b.endsYield(i)) {
				return i, true
			}
			continue
		case tPrivate:
			return i + 1, true // #name in value
		case tTemplateHead:
			return b.known(b.template(i), limit), true
		case tPunct:
			switch t.id {
			case '!', '~', '+', '-', pIncrement, pSpread, '*':
				i++
				continue
			case '@':
				i = max(b.decorators(i, limit), i+1)
				continue
			case '<':
				next, arrow := b.angle(i, limit, conditional)
				if arrow {
					return next, true
				}
				if next == i {
					return i, false
				}
				if t.has(fJSX) {
					return b.postfix(next, limit), true
				}
				i = next
				continue
			case '(', '[', '{':
				return b.bracket(i, limit, conditional), true
			}
			return i, false
		case tTemplateMiddle, tTemplateTail, tText:
			return i, false
		}
		return b.known(i+1, limit), true // a literal
	}
	return i, false
}

// wordOperator passes an operator that is a word.
func (b *binder) wordOperator(i int) (int, bool) {
	switch b.t[i].id {
	case kTypeof, kVoid, kDelete, kAwait:
		return i + 1, true
	case kYield:
		return i + 1 + b2i(b.at(i+1).isPunct('*')), true
	case kNew:
		return i + 1, !b.at(i + 1).isPunct('.')
	case kAbstract:
		return i + 1, b.at(i + 1).isKeyword(kClass)
	}
	return i, false
}

func (b *binder) endsYield(i int) bool {
	t := b.t[i]
	if t.kind != tPunct {
		return t.kind == tTemplateMiddle || t.kind == tTemplateTail
	}
	switch t.id {
	case ')', ']', '}', ',', ';', ':':
		return true
	}
	return false
}

// angle reads what < starts in the place of an operand: an element, a generic arrow function, a cast.
func (b *binder) angle(i, limit int, conditional bool) (next int, arrow bool) {
	if b.t[i].has(fJSX) {
		return b.element(i), false
	}
	end := b.x.skipAngles(i)
	if end == i+1 {
		return i, false
	}
	if b.at(end).isPunct('(') && b.isArrow(end, false) {
		return b.arrow(i, limit, conditional), true
	}
	b.types(i+1, end-1)
	return end, false
}

// bracket reads an arrow function, an expression in parentheses, a list or an object.
func (b *binder) bracket(i, limit int, conditional bool) int {
	end := b.partner(i)
	switch b.t[i].id {
	case '(':
		if b.isArrow(i, conditional) {
			return b.arrow(i, limit, conditional)
		}
		b.expressions(i+1, end)
		return b.postfix(end+1, limit)
	case '[':
		b.expressions(i+1, end)
		return b.known(end+1, limit)
	}
	b.object(i)
	return b.postfix(end+1, limit)
}

// word reads an operand that starts with a word.
func (b *binder) word(i, limit int, conditional, constructs bool) (int, bool) {
	t, next := b.t[i], b.at(i+1)
	switch t.id {
	case kFunction:
		return b.postfix(b.functionExpression(i, limit), limit), true
	case kClass:
		return b.postfix(b.classExpression(i, limit), limit), true
	case kAsync:
		if next.has(fNewline) {
			break
		}
		switch {
		case next.isKeyword(kFunction):
			return b.postfix(b.functionExpression(i+1, limit), limit), true
		case next.kind == tIdent && b.at(i+2).isPunct(pArrow):
			return b.arrow(i+1, limit, conditional), true
		case next.isPunct('(') && b.isArrow(i+1, conditional):
			return b.arrow(i+1, limit, conditional), true
		case next.isPunct('<') && b.typed:
			if end := b.x.skipAngles(i + 1); b.at(end).isPunct('(') && b.isArrow(end, false) {
				return b.arrow(i+1, limit, conditional), true
			}
		}
	case kRequire:
		if end := b.x.requireEnd(i); end > i {
			return b.known(end, limit), true // an import
		}
	case kImport, kNew:
		if next.isPunct('.') {
			i += 2 // import.meta, import.defer, new.target
		}
		return b.postfix(i+1, limit), true
	case kIn, kInstanceof, kCase, kDefault, kElse, kFinally, kCatch, kExtends, kReturn, kVar, kConst, kIf, kFor, kWhile, kSwitch, kThrow, kTry, kDo, kBreak, kContinue, kEnum, kExport, kWith:
		return i, false
	}
	if next.isPunct(pArrow) {
		return b.arrow(i, limit, conditional), true
	}
	end := b.selectors(i)
	use := useValue
	called := b.called(end)
	switch {
	case constructs && !b.at(end).isPunct('['):
		use = useType
	case called:
		use = useCall
	}
	b.refer(i, end, use, asValue)
	return b.postfix(end, limit), true
}

// selectors is behind the name at i and the members that are selected from it by name.
func (b *binder) selectors(i int) int {
	end := i + 1
	for {
		j := end
		if t := b.at(j); t.isPunct('!') && t.has(fOperand) {
			j++
		}
		if t := b.at(j); !t.isPunct('.') && !t.isPunct(pOptional) {
			return end
		}
		if k := b.at(j + 1).kind; k != tIdent && k != tPrivate {
			return end
		}
		end = j + 2
	}
}

// called reports whether what ends before i is called.
func (b *binder) called(i int) bool {
	t := b.at(i)
	if t.isPunct('!') && t.has(fOperand) {
		i++
		t = b.at(i)
	}
	switch {
	case t.kind == tTemplate, t.kind == tTemplateHead:
		return true
	case t.isPunct(pOptional):
		return b.at(i + 1).isPunct('(')
	case t.isPunct('<') && b.typed && !t.has(fJSX):
		end := b.x.typeArguments(i)
		after := b.at(end)
		return end > i && (after.isPunct('(') || after.kind == tTemplate || after.kind == tTemplateHead)
	}
	return t.isPunct('(')
}

// known reads on behind a literal, whose members are the language's.
func (b *binder) known(i, limit int) int {
	if i < limit && (b.t[i].isPunct('.') || b.t[i].isPunct(pOptional)) && b.at(i+1).kind == tIdent {
		i += 2
	}
	return b.postfix(i, limit)
}

// postfix reads calls, indexes and members of a value that has no name.
func (b *binder) postfix(i, limit int) int {
	for i < limit {
		t := b.t[i]
		switch t.kind {
		case tTemplate:
			i++
			continue
		case tTemplateHead:
			i = b.template(i)
			continue
		case tPunct:
		default:
			return i
		}
		switch t.id {
		case '(', '[':
			end := b.partner(i)
			b.expressions(i+1, end)
			i = end + 1
		case '.', pOptional:
			if k := b.at(i + 1).kind; k != tIdent && k != tPrivate {
				i++
				continue
			}
			use := useValue
			if b.called(i + 2) {
				use = useCall
			}
			b.events = append(b.events, event{kind: selects, use: use, token: int32(i + 1), end: int32(i + 2)})
			i += 2
		case '!':
			if !t.has(fOperand) {
				return i
			}
			i++
		case pIncrement:
			if t.has(fNewline) {
				return i
			}
			return i + 1
		case '<':
			if !b.typed || t.has(fJSX) {
				return i
			}
			end := b.x.typeArguments(i)
			if end <= i {
				return i
			}
			b.types(i+1, end-1)
			i = end
		default:
			return i
		}
	}
	return i
}

// template reads the substitutions of a template literal.
func (b *binder) template(head int) int {
	end := b.partner(head)
	for i := head + 1; i < end; i++ {
		i = max(b.until(i, end, false), i)
	}
	return end + 1
}

// object reads an object literal, or the pattern of an assignment.
func (b *binder) object(open int) {
	end := b.partner(open)
	for i := open + 1; i < end; {
		i = max(b.property(i, end), i+1)
	}
}

// property reads one element of an object literal.
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
		b.refer(key, key+1, useValue, asValue)
		if i < limit && next.isPunct('=') {
			return b.expression(i+1, limit, false)
		}
	}
	return i
}

// startsKey reports whether a token can be the name of a property behind a modifier.
func startsKey(t token) bool {
	return t.kind == tIdent || t.kind == tString || t.kind == tNumber || t.kind == tPrivate || t.isPunct('[') || t.isPunct('*')
}

// functionExpression reads a function that is a value; i is the keyword.
func (b *binder) functionExpression(i, limit int) int {
	c := callable{own: true, receiver: b.receiver(i)}
	if i++; b.at(i).isPunct('*') {
		i++
	}
	if b.at(i).kind == tIdent {
		c.name = i
		i++
	}
	return b.function(i, limit, c)
}
