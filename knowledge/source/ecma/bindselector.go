package ecma

import (
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// selectors returns the end of the name at i with its selected members.
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

// called returns the last token of the call that follows i, or 0.
func (b *binder) called(i int) int {
	t := b.at(i)
	if t.isPunct('!') && t.has(fOperand) {
		i++
		t = b.at(i)
	}
	switch {
	case t.isPunct(pOptional):
		i++
		if t = b.at(i); !t.isPunct('(') {
			return 0
		}
	case t.isPunct('<') && b.typed && !t.has(fJSX):
		end := b.typeArgumentsEnd(i)
		if end <= i {
			return 0
		}
		i, t = end, b.at(end)
	}
	if t.isPunct('(') || t.kind == tTemplate || t.kind == tTemplateHead {
		return b.partner(i)
	}
	return 0
}

// typeArgumentsEnd returns the end of the type arguments at i, or 0 if < is an operator. A >= does not close them.
func (b *binder) typeArgumentsEnd(i int) int {
	end := b.x.typeArguments(i)
	if b.at(end).isPunct('=') && b.at(max(end-1, 0)).has(fJoint) {
		return 0
	}
	return end
}

// known reads selectors of a literal, whose members belong to the language. The literal x begins at token start.
func (b *binder) known(x *surface.Node, start, i, limit int) (*surface.Node, int) {
	if i < limit && (b.t[i].isPunct('.') || b.t[i].isPunct(pOptional)) && b.at(i+1).kind == tIdent {
		x = b.of(x, start, surface.Member, i+1, i+2)
		i += 2
	}
	return b.postfix(x, start, i, limit)
}

// postfix reads calls, indexes and members of an unnamed value x, which begins at token start.
func (b *binder) postfix(x *surface.Node, start, i, limit int) (*surface.Node, int) {
	for i < limit {
		t, mark := b.t[i], b.mark()
		switch t.kind {
		case tTemplate, tTemplateHead:
			text, end := b.constant(i), i+1
			if t.kind == tTemplateHead {
				text, end = b.template(i)
			}
			x, i = b.of(x, start, surface.Call, i, end), end
			x.Args = b.listOf(text)
			continue
		case tPunct:
		default:
			return x, i
		}
		switch t.id {
		case '(', '[':
			end := b.inside(i)
			args := b.take(mark)
			if x = b.of(x, start, surface.Call, i, end); t.id == '[' {
				x.Kind = surface.Index
			}
			x.Args, i = args, end
		case '.', pOptional:
			if k := b.at(i + 1).kind; k != tIdent && k != tPrivate {
				i++
				continue
			}
			use := source.AsValue
			close := b.called(i + 2)
			if close > 0 {
				use = source.AsCall
			}
			b.events = append(b.events, event{kind: selects, use: use, token: int32(i + 1), end: int32(i + 2), close: int32(close)})
			x = b.of(x, start, surface.Member, i+1, i+2)
			i += 2
		case '!':
			if !t.has(fOperand) {
				return x, i
			}
			i++
		case pIncrement:
			if t.has(fNewline) {
				return x, i
			}
			return x, i + 1
		case '<':
			if !b.typed || t.has(fJSX) {
				return x, i
			}
			end := b.typeArgumentsEnd(i)
			if end <= i {
				return x, i
			}
			b.types(i+1, end-1)
			i = end
		default:
			return x, i
		}
	}
	return x, i
}

func (b *binder) template(head int) (*surface.Node, int) {
	end := b.partner(head)
	n, mark := b.node(surface.Sum, head, end+1), b.mark()
	b.piece(head)
	for i := head + 1; i < end; i++ {
		i = max(b.until(i, end, false), i)
		b.piece(i)
	}
	n.Args = b.take(mark)
	return n, end + 1
}
