package cfamily

import "github.com/causaldocs/causal/knowledge/source"

func (u *uses) named(i int) int {
	how := u.how(i)
	switch {
	case u.is(i-1, opArrow), u.is(i-1, '.'):
		if u.is(i-1, '.') && (u.is(i-2, '{') || u.is(i-2, ',')) {
			return i + 1 // a designator
		}
		u.refer(u.id(i), how|source.AsOpen, i)
		return i + 1
	case u.is(i-1, opScope) && u.is(i-2, '>'):
		u.refer(u.id(i), how|source.AsOpen, i)
		return i + 1
	}
	id, next := u.qualifiedName(i)
	if len(u.binds) > 0 && u.binds[0] > i && u.binds[0] < next {
		return next // a member's definition outside its class
	}
	if u.is(next, '(') && !u.types {
		how = source.AsCall
	}
	if u.cpp && (u.std(i) || u.words[u.id(i)].local > 0) {
		return next
	}
	u.free(id, how, next-1)
	return next
}

func (u *uses) std(i int) bool { return u.is(i+1, opScope) && u.spell(i) == "std" }

func (u *uses) how(i int) source.How {
	switch {
	case u.types:
		return source.AsType
	case u.is(i+1, '('):
		return source.AsCall
	case u.is(i-1, '(') && u.is(i+1, '*') && u.castEnds(i+2), u.cpp && u.is(i+1, '<') && u.angleType(i):
		return source.AsType
	case u.is(i-1, '(') && u.is(i+1, ')') && i+2 < len(u.tokens) && u.tokens[i+2].kind != punctuation && !u.outline.word(i-2, kwOther):
		return source.AsType
	}
	return source.AsValue
}

func (u *uses) castEnds(i int) bool {
	for u.is(i, '*') {
		i++
	}
	return u.is(i, ')')
}

func (u *uses) angleType(i int) bool {
	end := u.angle(i + 1)
	return end > 0 && !u.is(end, '(')
}

func (u *uses) qualifiedName(i int) (id int32, next int) {
	if !u.cpp || !u.is(i+1, opScope) || !u.name(i+2) {
		return u.id(i), i + 1
	}
	b := append([]byte(nil), u.spelling(u.tokens[i])...)
	for u.is(i+1, opScope) && u.name(i+2) {
		i += 2
		b = append(append(b, '.'), u.spelling(u.tokens[i])...)
	}
	return u.numberOf(b), i + 1
}
