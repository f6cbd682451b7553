package ecma

func (x *extractor) skipType(i int) int {
	conditions, operand := 0, false
	for i < len(x.t) {
		t := x.t[i]
		if !operand {
			next, done := x.typeOperand(i)
			if next == i {
				return i
			}
			i, operand = next, done
			continue
		}
		switch {
		case t.isPunct('|'), t.isPunct('&'), t.isPunct('.'):
			operand = false
		case t.isPunct('<') && !t.has(fNewline):
			i = x.skipAngles(i)
			continue
		case t.isPunct('[') && !t.has(fNewline):
			i = x.skip(i)
			continue
		case t.isKeyword(kIs) && !t.has(fNewline):
			operand = false
		case t.isKeyword(kExtends) && !x.namesMember(i):
			conditions++
			operand = false
		case conditions > 0 && t.isPunct('?'):
			operand = false
		case conditions > 0 && t.isPunct(':'):
			conditions--
			operand = false
		default:
			return i
		}
		i++
	}
	return i
}

// typeOperand skips a type operand or a type prefix; done is set for an operand. It returns next == i if there is
// none.
func (x *extractor) typeOperand(i int) (next int, done bool) {
	t := x.t[i]
	switch t.kind {
	case tIdent:
		switch t.id {
		case kKeyof, kTypeof, kInfer, kUnique, kReadonly, kNew:
			return i + 1, false
		case kAsserts, kAbstract:
			follows := x.at(i + 1)
			return i + 1, follows.kind != tIdent || follows.has(fNewline) || follows.id == kIs
		case kImport:
			if x.at(i + 1).isPunct('(') {
				return x.skip(i + 1), true
			}
		}
		return i + 1, true
	case tPunct:
		switch t.id {
		case '(':
			next = x.skip(i)
			if x.at(next).isPunct(pArrow) && x.parameters(i) {
				return next + 1, false
			}
			return next, true
		case '{', '[':
			return x.skip(i), true
		case '<':
			return x.skipAngles(i), false
		case '|', '&', '-', '*', '?', '!':
			return i + 1, false
		}
		return i, false
	case tPrivate:
		return i + 1, true
	}
	return x.skip(i), true
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
