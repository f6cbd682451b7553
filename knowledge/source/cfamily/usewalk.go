package cfamily

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

func (u *uses) walk(from, to int) {
	for i := from; i < to; {
		if end := int(u.skip[i]); end > 0 && end <= to && i > u.own.From {
			i, u.start = max(end, i+1), true
			continue
		}
		u.leave(i)
		t := u.tokens[i]
		switch t.kind {
		case identifier:
			i = u.identifier(i)
		case punctuation:
			i = u.bracket(i, t.id)
		default:
			u.start = false
			i++
		}
	}
	u.frames, u.binds, u.start, u.types = u.frames[:0], u.binds[:0], false, false
}

func (u *uses) leave(i int) {
	for n := len(u.frames); n > 0; n = len(u.frames) {
		f := u.frames[n-1]
		if i < f.end || f.kind == inControl && i < f.after {
			return
		}
		if f.kind != inGroup && f.kind != inList {
			u.release(f.locals)
		}
		if f.kind == inRecord && !u.global {
			u.locally--
		}
		if f.kind == inRecord || f.kind == inBlock {
			u.binds = f.binds
		}
		u.frames = u.frames[:n-1]
	}
}

func (u *uses) bracket(i int, id uint8) int {
	was := u.start
	u.start = false
	switch id {
	case '{':
		u.enterBrace(i, was)
	case '}':
		u.start, u.types = true, false
	case ';':
		u.start, u.types, u.asked = true, false, 0
		u.binds = u.binds[:0]
	case '?':
		u.asked++
	case ':':
		if u.asked > 0 {
			u.asked--
			break
		}
		kind := u.kind()
		u.start = kind == inBlock || kind == inRecord && u.outline.word(i-1, kwAccess)
		u.types = false
	case ')':
		if n := len(u.frames); n > 0 && u.frames[n-1].kind == inControl && u.frames[n-1].end == i {
			u.start, u.types = true, false
		}
	case '(':
		if i == u.passed {
			return u.past(i)
		}
		if u.kind() == inRecord && u.cpp && u.name(i-1) {
			u.parameters(i) // a method of a class within a function
			return u.past(i)
		}
		if u.is(i-1, ')') && i-2 >= 0 && u.types {
			n := len(u.locals)
			u.parameters(i)
			u.release(n)
			return u.past(i)
		}
		u.frames = append(u.frames, frame{end: int(u.match[i]), locals: len(u.locals), kind: inGroup})
	case '[':
		if u.cpp && u.lambda(i) {
			return i + 1
		}
	}
	return i + 1
}

func (u *uses) kind() frameKind {
	if n := len(u.frames); n > 0 {
		return u.frames[n-1].kind
	}
	return inBlock
}

// enterBrace classifies a brace: a block where a statement may start, otherwise an initializer or a record body.
func (u *uses) enterBrace(i int, start bool) {
	kind := inList
	switch {
	case start, i == u.body, u.kind() == inRecord && u.is(i-1, ')'), u.is(i-1, ')') && u.blockBehind(i-1), u.cpp && u.kind() != inList && u.trailing(i-1):
		kind = inBlock
	case u.is(i-1, '(') && !u.cpp:
		kind = inBlock
	}
	if kind == inList && u.kind() != inList {
		kind = u.defined(i)
	}
	f := frame{end: int(u.match[i]), locals: len(u.locals), kind: kind}
	if kind == inBlock || kind == inRecord {
		f.binds, u.binds = u.binds, nil
	}
	u.frames = append(u.frames, f)
	u.start = kind == inBlock || kind == inRecord
	u.types = false
	if kind == inRecord && !u.global {
		u.locally++
	}
}

func (u *uses) trailing(i int) bool {
	return i >= 0 && u.tokens[i].kind == identifier && (u.tokens[i].id == kwTrailing || u.tokens[i].id == kwVirtual || u.tokens[i].id == kwConst)
}

func (u *uses) defined(i int) frameKind {
	k := i - 1
	if u.name(k) {
		k--
	}
	switch {
	case i == u.opening && u.outline.word(k, kwEnum):
		return inEnum
	case i == u.opening, u.outline.word(k, kwStruct), u.outline.word(k, kwUnion), u.outline.word(k, kwClass):
		return inRecord
	case u.outline.word(k, kwEnum):
		return inEnum
	}
	return inList
}

// blockBehind reports whether the parenthesis closing at i ends a lambda's parameters or a loop-like macro.
func (u *uses) blockBehind(i int) bool {
	open := int(u.match[i])
	if open <= 0 || open >= i {
		return false
	}
	return u.is(open-1, ']') || u.name(open-1) && (open < 2 || u.is(open-2, ';') || u.is(open-2, '}') || u.is(open-2, '{') || u.is(open-2, ')'))
}

func (u *uses) lambda(i int) bool {
	if u.name(i-1) || u.is(i-1, ')') || u.is(i-1, ']') || u.is(i+1, '[') {
		return false
	}
	end := u.past(i)
	if !u.is(end, '(') || end >= len(u.tokens) {
		return false
	}
	// The parameters stay bound until the end of the enclosing scope; the body ends before.
	u.parameters(end)
	u.passed = end
	return true
}

var declaring = func() (set [256]bool) {
	for _, id := range []uint8{kwStorage, kwStatic, kwExtern, kwTypedef, kwInline, kwConst, kwConstexpr, kwQualifier, kwType,
		kwTypeof, kwStruct, kwUnion, kwEnum, kwClass, kwTypename, kwCPPType, kwCPPTypeof} {
		set[id] = true
	}
	return set
}()

func (u *uses) identifier(i int) int {
	t := u.tokens[i]
	for len(u.binds) > 0 && u.binds[0] < i {
		u.binds, u.types = u.binds[1:], false // a qualified name binds nothing here
	}
	if len(u.binds) > 0 && u.binds[0] == i {
		u.binds = u.binds[1:]
		u.declared(i)
		return i + 1
	}
	start := u.start
	u.start = false
	if t.id != none {
		return u.keyword(i, t.id, start)
	}
	u.loose = u.loose || start && !u.gap && u.is(i+1, '(') && u.words[u.id(i)].is&wordCapitals != 0
	if start && u.gap && u.is(i+1, '(') && u.words[u.id(i)].is&wordCapitals != 0 && u.is(u.past(i+1), '{') {
		u.free(u.id(i), source.AsCall, i) // TEST(suite, name) { … }
		u.start = true
		return u.past(i + 1)
	}
	if start {
		if u.is(i+1, ':') && u.kind() != inRecord {
			u.start = true // a label
			return i + 1
		}
		if u.kind() == inRecord || u.beginsDeclaration(i) {
			u.declaration(i, u.statementEnd(i))
			if len(u.binds) > 0 && u.binds[0] == i {
				return u.identifier(i)
			}
		}
	}
	if u.kind() == inEnum && (u.is(i-1, '{') || u.is(i-1, ',')) {
		u.bind(u.id(i))
		return i + 1
	}
	return u.named(i)
}

func (u *uses) declared(i int) {
	u.types = u.is(i+1, ')') && u.is(i+2, '(')
	if u.kind() == inRecord && (u.locally == 0 || !u.cpp) || len(u.frames) == 0 && u.global {
		return
	}
	if !u.cpp && u.is(i+1, '(') {
		n := len(u.locals)
		u.parameters(i + 1) // parameters of a function prototype
		u.release(n)
		u.passed = i + 1
		return
	}
	u.bind(u.id(i))
}

func (u *uses) beginsDeclaration(i int) bool {
	if at := u.words[u.id(i)].local; at > 0 && !u.locals[at-1].typ && !u.is(i+1, opScope) && !u.name(i+1) {
		return false
	}
	j := i + 1
	for u.cpp && (u.is(j, opScope) && u.name(j+1) || u.is(j, '<')) {
		if u.is(j, '<') {
			if j = u.angle(j); j < 0 {
				return false
			}
			continue
		}
		j += 2
	}
	pointer := false
	for u.is(j, '*') || u.cpp && (u.is(j, '&') || u.is(j, opAnd)) || u.outline.word(j, kwConst) || u.outline.word(j, kwQualifier) {
		pointer = true
		j++
	}
	if pointer && u.outline.word(j-1, kwConst) && !u.name(j) {
		return true
	}
	if !u.name(j) {
		return u.is(j, '(') && u.is(j+1, '*') && u.name(j+2) && u.is(j+3, ')') && u.is(j+4, '(')
	}
	switch {
	case u.is(j+1, '='), u.is(j+1, ';'), u.is(j+1, ','), u.is(j+1, '['), u.is(j+1, ':'):
		return true
	case u.is(j+1, '('), u.is(j+1, '{'):
		return !pointer
	}
	return !pointer && j+1 < len(u.tokens) && (u.name(j+1) || u.tokens[j+1].kind == identifier)
}

// declaration prepares a declaration; its names are bound when the walk reaches them.
func (u *uses) declaration(i, end int) {
	tail, typed := i, false
	for k := i; k < end && !u.is(k, '=') && !u.is(k, '('); k++ {
		if u.is(k, '{') {
			tail, typed = u.past(k), true
			break
		}
	}
	if u.cpp {
		for k := i; k < min(end, i+4); k++ {
			if u.is(k, '[') && (u.outline.word(k-1, kwType) || u.is(k-1, '&') || u.is(k-1, opAnd)) {
				u.binds = u.binds[:0]
				for m := k + 1; m < u.past(k)-1; m++ {
					if u.name(m) {
						u.binds = append(u.binds, m)
					}
				}
				return
			}
		}
	}
	u.titles(tail, end, typed)
	u.types = !typed
}

func (u *uses) titles(i, end int, typed bool) {
	u.binds = u.binds[:0]
	for _, d := range u.declarators(i, end, typed) {
		u.binds = append(u.binds, d.title)
	}
	slices.Sort(u.binds)
}
