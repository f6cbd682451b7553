package ecma

import "github.com/causaldocs/causal/knowledge/source"

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

// operators skips the tokens between two operands and reports whether the expression continues.
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

// operand reads prefixes, a primary expression and its calls and selectors.
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
		return b.known(i+1, limit), true
	}
	return i, false
}

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

// angle reads an element, a generic arrow function or a cast.
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

var noOperand = [256]bool{
	kIn: true, kInstanceof: true, kCase: true, kDefault: true, kElse: true, kFinally: true, kCatch: true, kExtends: true,
	kReturn: true, kVar: true, kConst: true, kIf: true, kFor: true, kWhile: true, kSwitch: true, kThrow: true, kTry: true,
	kDo: true, kBreak: true, kContinue: true, kEnum: true, kExport: true, kWith: true,
}

func (b *binder) word(i, limit int, conditional, constructs bool) (int, bool) {
	t, next := b.t[i], b.at(i+1)
	if noOperand[t.id] {
		return i, false
	}
	switch t.id {
	case kFunction:
		return b.postfix(b.functionExpression(i, limit), limit), true
	case kClass:
		return b.postfix(b.classExpression(i, limit), limit), true
	case kAsync:
		if end := b.async(i, limit, conditional); end > i {
			return end, true
		}
	case kRequire:
		if end := b.x.requireEnd(i); end > i {
			b.call(i, i+1, end-1) // a program may declare its own
			return b.known(end, limit), true
		}
	case kImport, kNew:
		if next.isPunct('.') {
			i += 2 // import.meta, import.defer, new.target
		}
		return b.postfix(i+1, limit), true
	}
	if next.isPunct(pArrow) {
		return b.arrow(i, limit, conditional), true
	}
	end := b.selectors(i)
	if close := b.called(end); constructs && !b.at(end).isPunct('[') {
		b.refer(i, end, source.AsType, asValue)
	} else if close > 0 {
		b.call(i, end, close)
	} else {
		b.refer(i, end, source.AsValue, asValue)
	}
	return b.postfix(end, limit), true
}

// async reads an async function, or returns i if the word is a plain name.
func (b *binder) async(i, limit int, conditional bool) int {
	next := b.at(i + 1)
	switch {
	case next.has(fNewline):
	case next.isKeyword(kFunction):
		return b.postfix(b.functionExpression(i+1, limit), limit)
	case next.kind == tIdent && b.at(i+2).isPunct(pArrow),
		next.isPunct('(') && b.isArrow(i+1, conditional):
		return b.arrow(i+1, limit, conditional)
	case next.isPunct('<') && b.typed:
		if end := b.x.skipAngles(i + 1); b.at(end).isPunct('(') && b.isArrow(end, false) {
			return b.arrow(i+1, limit, conditional)
		}
	}
	return i
}
