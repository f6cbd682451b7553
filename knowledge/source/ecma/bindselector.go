package ecma

import "github.com/causaldocs/causal/knowledge/source"

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

// known reads selectors of a literal, whose members belong to the language.
func (b *binder) known(i, limit int) int {
	if i < limit && (b.t[i].isPunct('.') || b.t[i].isPunct(pOptional)) && b.at(i+1).kind == tIdent {
		i += 2
	}
	return b.postfix(i, limit)
}

// postfix reads calls, indexes and members of an unnamed value.
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
			use := source.AsValue
			close := b.called(i + 2)
			if close > 0 {
				use = source.AsCall
			}
			b.events = append(b.events, event{kind: selects, use: use, token: int32(i + 1), end: int32(i + 2), close: int32(close)})
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
			end := b.typeArgumentsEnd(i)
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

func (b *binder) template(head int) int {
	end := b.partner(head)
	for i := head + 1; i < end; i++ {
		i = max(b.until(i, end, false), i)
	}
	return end + 1
}
