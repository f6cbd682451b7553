package ecma

import "github.com/causaldocs/causal/knowledge/source"

// skipType returns the end of the type at i.
func (x *extractor) skipType(i int) int { return x.typ(i, len(x.t), nil) }

// typ returns the end of the type at i. The binder, if there is one, binds and refers to the names in it.
func (x *extractor) typ(i, limit int, b *binder) int {
	conditions, operand, infers := 0, false, b == nil
	for i < limit {
		t := x.t[i]
		if !operand {
			next, done := x.typeOperand(i, limit, b)
			if next == i {
				return i
			}
			i, operand = next, done
			continue
		}
		switch {
		case t.isPunct('|'), t.isPunct('&'), t.isPunct('.'), t.isKeyword(kIs) && !t.has(fNewline), conditions > 0 && t.isPunct('?'):
		case (t.isPunct('<') || t.isPunct('[')) && !t.has(fNewline):
			end := x.skip(i)
			if t.id == '<' {
				end = x.skipAngles(i)
			}
			if b != nil {
				b.types(i+1, end-1)
			}
			i = end
			continue
		case t.isKeyword(kExtends) && !x.namesMember(i):
			conditions++
			if !infers {
				b.infers, infers = b.enter(false), true
			}
		case conditions > 0 && t.isPunct(':'):
			conditions--
		default:
			return i
		}
		operand = false
		i++
	}
	return i
}

// typeOperand reads a type operand or a type prefix; done is set for an operand. It returns next == i if there is none.
func (x *extractor) typeOperand(i, limit int, b *binder) (next int, done bool) {
	t := x.t[i]
	if t.kind == tIdent {
		return x.typeWord(i, b)
	}
	end := x.skip(i)
	switch {
	case t.kind == tTemplateHead && b != nil:
		b.types(i+1, end-1)
	case t.kind != tPunct:
	case t.id == '|', t.id == '&', t.id == '-', t.id == '*', t.id == '?', t.id == '!':
		return i + 1, false
	case t.id == '<', t.id == '(' && x.at(end).isPunct(pArrow) && x.parameters(i):
		if b != nil {
			return b.functionType(i, limit), true
		} else if t.id == '<' {
			return x.skipAngles(i), false
		}
		return end + 1, false
	case t.id != '(' && t.id != '{' && t.id != '[':
		return i, false
	case b == nil:
	case t.id == '(':
		b.types(i+1, end-1)
	case t.id == '{':
		b.typeMembers(i)
	default:
		b.tuple(i)
	}
	return end, true
}

// typeWord reads a word of a type.
func (x *extractor) typeWord(i int, b *binder) (next int, done bool) {
	end, use, meaning := max(x.chain(i), i+1), source.AsType, asType
	after := x.at(i + 1)
	switch x.t[i].id {
	case kKeyof, kUnique, kReadonly, kNew:
		return i + 1, false
	case kTypeof:
		if i++; after.kind != tIdent || after.id == kImport {
			return i, false
		}
		end, use, meaning = x.chain(i), source.AsValue, asValue
	case kInfer:
		if b != nil && after.kind == tIdent {
			b.bind(b.name(i+1), b.infers, asType)
		}
		return i + 2, true
	case kAsserts, kAbstract:
		names := after.kind == tIdent && !after.has(fNewline) && after.id != kIs
		if names && x.t[i].id == kAsserts {
			return i + 2, true
		}
		return i + 1, !names
	case kImport:
		for end = x.skip(i + 1); x.at(end).isPunct('.'); {
			end += 2
		}
		return end, true
	case kThis, kVoid, kConst:
		return i + 1, true
	}
	if is := x.at(end); b == nil || meaning == asType && is.isKeyword(kIs) && !is.has(fNewline) {
		return end, true
	}
	if meaning == asType && end > i+1 {
		meaning = asNamespace
	}
	b.refer(i, end, use, meaning)
	return end, true
}

// parameters reports whether the parentheses are function type parameters rather than a parenthesised type: in `():
// ((a: A) => B) => {` the second arrow belongs to the enclosing function. The rule is the compiler's.
func (x *extractor) parameters(open int) bool {
	i := open + 1
	for x.at(i).is(kwModifier) && (x.at(i+1).kind == tIdent || x.at(i+1).isPunct('{') || x.at(i+1).isPunct('[')) {
		i++
	}
	switch t := x.at(i); {
	case t.isPunct(')'), t.isPunct(pSpread):
		return true
	case t.kind != tIdent && !t.isPunct('{') && !t.isPunct('['):
		return false
	}
	next := x.at(x.skip(i))
	return next.isPunct(')') || next.isPunct(':') || next.isPunct(',') || next.isPunct('?') || next.isPunct('=')
}
