package cfamily

import "github.com/causaldocs/causal/knowledge/source"

func (u *uses) keyword(i int, id uint8, start bool) int {
	switch id {
	case kwOther:
		return u.control(i)
	case kwAttribute, kwCPPAttribute:
		for i+1 < len(u.tokens) && u.outline.word(i+1, kwQualifier) {
			i++
		}
		u.start = start
		if u.is(i+1, '(') {
			return u.past(i + 1)
		}
		return i + 1
	case kwAccess, kwTrailing, kwTemplate:
		u.start = id == kwTrailing && u.spell(i) == "try"
		return i + 1
	case kwCPPOther:
		return u.expressionWord(i)
	case kwNamespace, kwUsing:
		return u.namespaceWord(i, id)
	}
	if start && declaring[id] {
		u.declaration(i, u.statementEnd(i))
	}
	if recordKinds.Get()[id] != "" {
		return u.tag(i + 1)
	}
	return i + 1
}

func (u *uses) namespaceWord(i int, id uint8) int {
	if id == kwUsing && u.name(i+1) {
		if u.is(i+2, '=') {
			u.types = true
			return i + 3
		}
		return i + 1
	}
	for i < len(u.tokens) && !u.is(i, ';') && !u.is(i, '{') && !u.is(i, '=') {
		i++
	}
	u.start = true
	return i
}

func (u *uses) tag(i int) int {
	for u.outline.word(i, kwAttribute) && u.is(i+1, '(') {
		i = u.past(i + 1)
	}
	if u.name(i) && u.opens(i+1) {
		if len(u.frames) > 0 || !u.global {
			u.bind(u.id(i))
			u.locals[len(u.locals)-1].typ = true
		}
		return i + 1
	}
	if !u.name(i) {
		return i
	}
	if len(u.binds) > 0 && u.binds[0] == i {
		return i
	}
	id, next := u.qualifiedName(i)
	u.free(id, source.AsType, i)
	return next
}

// maxBases limits the search for the body after the base classes.
const maxBases = 32

func (u *uses) opens(i int) bool {
	if !u.is(i, '{') && !(u.cpp && u.is(i, ':')) {
		return false
	}
	for k := i; k < i+maxBases && k < len(u.tokens); k++ {
		t := u.tokens[k]
		switch {
		case u.is(k, '{'):
			u.opening = k
			return true
		case t.kind == punctuation && t.id != ':' && t.id != ',' && t.id != opScope && t.id != '<' && t.id != '>':
			return false
		}
	}
	return false
}

func (u *uses) control(i int) int {
	switch u.spell(i) {
	case "if", "for", "while", "switch":
		open := i + 1
		if u.outline.word(open, kwConstexpr) {
			open++
		}
		if !u.is(open, '(') {
			return i + 1
		}
		close := int(u.match[open])
		u.frames = append(u.frames, frame{end: close, locals: len(u.locals), kind: inControl, after: u.statementAfter(close + 1)})
		u.start = true
		u.frames = append(u.frames, frame{end: close, locals: len(u.locals), kind: inGroup})
		return open + 1
	case "else", "do":
		u.start = true
	case "goto":
		if u.name(i + 1) {
			return i + 2
		}
	}
	return i + 1
}

func (u *uses) expressionWord(i int) int {
	switch u.spell(i) {
	case "this":
		if u.is(i+1, opArrow) && u.name(i+2) && u.class && u.around != "" && u.locally == 0 {
			id := u.number(u.around + "." + u.spell(i+2))
			u.refer(id, u.how(i+2), i+2)
			return i + 3
		}
	case "catch":
		if u.is(i+1, '(') {
			n := len(u.locals)
			u.frames = append(u.frames, frame{end: u.past(u.past(i+1)) - 1, locals: n, kind: inBlock})
			u.parameters(i + 1)
			u.start = true
			return u.past(i + 1)
		}
	}
	return i + 1
}

// maxHeaders limits consecutive conditions.
const maxHeaders = 64

func (u *uses) statementAfter(i int) int {
	for range maxHeaders {
		if i >= len(u.tokens) {
			return i
		}
		if u.is(i, '{') {
			return u.elseBehind(u.past(i))
		}
		if u.tokens[i].kind == identifier && u.tokens[i].id == kwOther {
			if u.is(i+1, '(') && u.spell(i) != "return" && u.spell(i) != "sizeof" {
				i = u.past(i + 1)
				continue
			}
			if u.spell(i) == "do" || u.spell(i) == "else" {
				i++
				continue
			}
		}
		i = u.statementEnd(i) + 1
		return u.elseBehind(i)
	}
	return i
}

func (u *uses) elseBehind(i int) int {
	for range maxHeaders {
		if !u.outline.word(i, kwOther) || u.spell(i) != "else" {
			return i
		}
		i++
		for u.outline.word(i, kwOther) && u.is(i+1, '(') && u.spell(i) != "return" {
			i = u.past(i + 1)
		}
		if u.is(i, '{') {
			i = u.past(i)
		} else {
			i = u.statementEnd(i) + 1
		}
	}
	return i
}

// maxStatement limits the search for the end of a statement, in top-level tokens.
const maxStatement = 2048

func (u *uses) statementEnd(i int) int {
	for range maxStatement {
		if i >= len(u.tokens) {
			break
		}
		if t := u.tokens[i]; t.kind == punctuation {
			switch t.id {
			case ';', ')', '}', ']':
				return i
			case '(', '[', '{':
				i = u.past(i)
				continue
			}
		}
		i++
	}
	return i
}
