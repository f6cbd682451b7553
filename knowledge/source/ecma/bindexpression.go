package ecma

import (
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// expression reads an expression up to a comma. It returns no node if there is none.
func (b *binder) expression(i, limit int, conditional bool) (*surface.Node, int) {
	if b.tooDeep() {
		b.depth--
		return b.node(surface.Unknown, i, i+1), limit
	}
	defer func() { b.depth-- }()
	o := b.operation()
	for first, more := true, true; more && i < limit; first = false {
		n, next := b.operand(i, limit, conditional)
		if n == nil && first {
			return nil, min(next, limit)
		}
		b.push(n)
		if i, more = next, n != nil; more && i < limit {
			i, more = b.operators(&o, i, limit)
		}
	}
	return b.complete(b.operands(&o, i), o.pending), min(i, limit)
}

// operators skips the tokens between two operands and reports whether the expression continues.
func (b *binder) operators(o *operation, i, limit int) (int, bool) {
	for i < limit {
		t := b.t[i]
		if t.kind == tIdent {
			switch {
			case t.id == kIn, t.id == kInstanceof:
				b.operator(o, i)
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
			return b.conditionalOperator(o, i, limit)
		case '<', '>':
			if t.match >= 0 {
				return i, false
			}
			b.operator(o, i)
			for i++; b.at(i-1).has(fJoint) && (b.at(i).isPunct('<') || b.at(i).isPunct('>') || b.at(i).isPunct('=')); {
				i++
			}
			return i, true
		case '=', pAssign:
			b.assigned(b.operands(o, i), i)
			return i + 1, true
		case pBinary, pArrow, '+', '-', '*', '/', '%', '&', '|', '^':
			b.operator(o, i)
			return i + 1, true
		}
		return i, false
	}
	return i, false
}

// conditionalOperator reads up to the last operand of a conditional expression; i is at the question mark.
func (b *binder) conditionalOperator(o *operation, i, limit int) (int, bool) {
	condition := b.operands(o, i)
	then, next := b.expression(i+1, limit, true)
	then = b.some(then, i)
	n := b.around(surface.Operator, then)
	n.Text, n.Args = "if", b.listOf(then, condition)
	b.await(n)
	if next < limit && b.t[next].isPunct(':') {
		return next + 1, true
	}
	return next, false
}

// operand reads prefixes, a primary expression and its calls and selectors. It returns no node if there is none.
func (b *binder) operand(i, limit int, conditional bool) (n *surface.Node, next int) {
	pending, constructs := len(b.pending), false
	for i < limit {
		if next = b.prefix(i, limit); next == i {
			n, i = b.primary(i, limit, conditional, constructs)
			break
		}
		constructs, i = b.t[i].isKeyword(kNew), next
	}
	if n == nil {
		b.pending = b.pending[:pending]
		return nil, i
	}
	return b.complete(n, pending), i
}

// prefix returns the end of the operator, cast or decorators at i, which an operand follows.
func (b *binder) prefix(i, limit int) int {
	t := b.t[i]
	switch t.kind {
	case tIdent:
		return b.wordOperator(i, limit)
	case tPunct:
	default:
		return i
	}
	switch t.id {
	case '!', '~', '+', '-', pIncrement, pSpread, '*':
		b.await(b.leaf(surface.Operator, i))
		return i + 1
	case '@':
		return max(b.decorators(i, limit), i+1)
	case '<':
		if end := b.x.skipAngles(i); !t.has(fJSX) && end > i+1 && !(b.at(end).isPunct('(') && b.isArrow(end, false)) {
			b.types(i+1, end-1)
			return end
		}
	}
	return i
}

func (b *binder) wordOperator(i, limit int) int {
	next := b.at(i + 1)
	switch b.t[i].id {
	case kTypeof, kVoid, kAwait:
		return i + 1
	case kDelete:
		n := b.leaf(surface.Operator, i)
		n.Text = "del"
		b.await(n)
		return i + 1
	case kYield:
		after := i + 1 + b2i(next.isPunct('*'))
		if after < limit && !b.t[after].has(fNewline) && !b.endsYield(after) {
			return after
		}
	case kNew:
		return i + b2i(!next.isPunct('.'))
	case kAbstract:
		return i + b2i(next.isKeyword(kClass))
	}
	return i
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

// primary reads an operand without prefixes.
func (b *binder) primary(i, limit int, conditional, constructs bool) (*surface.Node, int) {
	t := b.t[i]
	switch t.kind {
	case tIdent:
		return b.word(i, limit, conditional, constructs)
	case tPrivate:
		return b.leaf(surface.Name, i), i + 1 // #name in value
	case tTemplateHead:
		n, end := b.template(i)
		return b.known(n, i, end, limit)
	case tTemplateMiddle, tTemplateTail, tText:
		return nil, i
	case tPunct:
		return b.bracket(i, limit, conditional)
	}
	return b.known(b.constant(i), i, i+1, limit)
}

func (b *binder) bracket(i, limit int, conditional bool) (*surface.Node, int) {
	t, end, mark := b.t[i], b.partner(i), b.mark()
	switch {
	case t.isPunct('<') && t.has(fJSX):
		n := b.node(surface.Unknown, i, end+1)
		end = b.element(i)
		n.Args = b.take(mark)
		return b.postfix(n, i, end, limit)
	case t.isPunct('<') && b.x.skipAngles(i) > i+1, t.isPunct('(') && b.isArrow(i, conditional):
		return b.arrow(i, limit, conditional)
	case t.isPunct('('):
		n := b.node(surface.List, i, end+1)
		b.inside(i)
		if n.Args = b.take(mark); len(n.Args) == 1 {
			n = n.Args[0]
		}
		return b.postfix(n, i, end+1, limit)
	case t.isPunct('['):
		n := b.node(surface.List, i, end+1)
		b.inside(i)
		n.Args = b.take(mark)
		return b.known(n, i, end+1, limit)
	case t.isPunct('{'):
		n := b.node(surface.Map, i, end+1)
		b.object(i)
		n.Args = b.take(mark)
		return b.postfix(n, i, end+1, limit)
	}
	return nil, i
}

var noOperand = [256]bool{
	kIn: true, kInstanceof: true, kCase: true, kDefault: true, kElse: true, kFinally: true, kCatch: true, kExtends: true,
	kReturn: true, kVar: true, kConst: true, kIf: true, kFor: true, kWhile: true, kSwitch: true, kThrow: true, kTry: true,
	kDo: true, kBreak: true, kContinue: true, kEnum: true, kExport: true, kWith: true,
}

func (b *binder) word(i, limit int, conditional, constructs bool) (n *surface.Node, end int) {
	t, next := b.t[i], b.at(i+1)
	if noOperand[t.id] {
		return nil, i
	}
	switch t.id {
	case kFunction:
		n, end = b.functionExpression(i, limit)
		return b.postfix(n, i, end, limit)
	case kClass:
		n, end = b.classExpression(i, limit)
		return b.postfix(n, i, end, limit)
	case kAsync:
		if n, end = b.async(i, limit, conditional); end > i {
			return n, end
		}
	case kRequire:
		if end = b.x.requireEnd(i); end > i {
			b.call(i, i+1, end-1) // a program may declare its own
			n, _ = b.postfix(b.leaf(surface.Name, i), i, i+1, end)
			return b.known(n, i, end, limit)
		}
	case kImport, kNew:
		end = i + 1 + 2*b2i(next.isPunct('.')) // import.meta, import.defer, new.target
		return b.postfix(b.selected(i, end), i, end, limit)
	case kYield:
		return b.leaf(surface.Name, i), i + 1
	}
	if next.isPunct(pArrow) {
		return b.arrow(i, limit, conditional)
	}
	end = b.selectors(i)
	if close := b.called(end); constructs && !b.at(end).isPunct('[') {
		b.refer(i, end, source.AsType, asValue)
	} else if close > 0 {
		b.call(i, end, close)
	} else {
		b.refer(i, end, source.AsValue, asValue)
	}
	return b.postfix(b.selected(i, end), i, end, limit)
}

// async reads an async function, or returns i if the word is a plain name.
func (b *binder) async(i, limit int, conditional bool) (*surface.Node, int) {
	next := b.at(i + 1)
	switch {
	case next.has(fNewline):
	case next.isKeyword(kFunction):
		n, end := b.functionExpression(i+1, limit)
		return b.postfix(n, i+1, end, limit)
	case next.kind == tIdent && b.at(i+2).isPunct(pArrow),
		next.isPunct('(') && b.isArrow(i+1, conditional):
		return b.arrow(i+1, limit, conditional)
	case next.isPunct('<') && b.typed:
		if end := b.x.skipAngles(i + 1); b.at(end).isPunct('(') && b.isArrow(end, false) {
			return b.arrow(i+1, limit, conditional)
		}
	}
	return nil, i
}
