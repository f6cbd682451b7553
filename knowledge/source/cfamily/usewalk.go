package cfamily

import "slices"

// walk goes through statements, members or an initialiser.
func (u *uses) walk(from, to int) {
	for i := from; i < to; {
		if end := int(u.skip[i]); end > 0 && end <= to && i > u.own.from {
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

// leave ends the frames that are over at token i.
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

// bracket reads what is no word.
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
			u.parameters(i) // of a method of a class within a function
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

// enterBrace decides what the brace at i opens: a block where a statement can stand, an initialiser elsewhere.
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

// trailing reports whether the word at i stands between the parameters of a lambda and its body.
func (u *uses) trailing(i int) bool {
	return i >= 0 && u.tokens[i].kind == identifier && (u.tokens[i].id == kwTrailing || u.tokens[i].id == kwVirtual || u.tokens[i].id == kwConst)
}

// defined says whether the brace at i, which opens no block, opens the members of a record or an enumeration.
func (u *uses) defined(i int) frameKind {
	k := i - 1
	if u.name(k) {
		k--
	}
	switch {
	case u.outline.word(k, kwStruct), u.outline.word(k, kwUnion), u.outline.word(k, kwClass):
		return inRecord
	case u.outline.word(k, kwEnum):
		return inEnum
	}
	return inList
}

// blockBehind reports whether the parenthesis that closes at i is one of a lambda's parameters, or of a macro that
// is written like a loop.
func (u *uses) blockBehind(i int) bool {
	open := int(u.match[i])
	if open <= 0 || open >= i {
		return false
	}
	return u.is(open-1, ']') || u.name(open-1) && (open < 2 || u.is(open-2, ';') || u.is(open-2, '}') || u.is(open-2, '{') || u.is(open-2, ')'))
}

// lambda reads the captures of the lambda at i; false when the bracket is an index.
func (u *uses) lambda(i int) bool {
	if u.name(i-1) || u.is(i-1, ')') || u.is(i-1, ']') || u.is(i+1, '[') {
		return false
	}
	end := u.past(i)
	if !u.is(end, '(') || end >= len(u.tokens) {
		return false
	}
	// The parameters are bound up to the end of what is around: the body ends before it.
	u.parameters(end)
	u.passed = end
	return true
}

// words that begin a declaration wherever a statement can stand.
var declaring = func() (set [256]bool) {
	for _, id := range []uint8{kwStorage, kwStatic, kwExtern, kwTypedef, kwInline, kwConst, kwConstexpr, kwQualifier, kwType,
		kwTypeof, kwStruct, kwUnion, kwEnum, kwClass, kwTypename, kwCPPType, kwCPPTypeof} {
		set[id] = true
	}
	return set
}()

// identifier reads the word at i and returns the index after it.
func (u *uses) identifier(i int) int {
	t := u.tokens[i]
	for len(u.binds) > 0 && u.binds[0] < i {
		u.binds, u.types = u.binds[1:], false // a qualified name, which binds nothing here
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
		u.free(u.id(i), howCall, i) // TEST(suite, name) { … }
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

// declared binds the name at i, which the declaration around it introduces.
func (u *uses) declared(i int) {
	u.types = u.is(i+1, ')') && u.is(i+2, '(')
	if u.kind() == inRecord && (u.locally == 0 || !u.cpp) || len(u.frames) == 0 && u.global {
		return
	}
	if !u.cpp && u.is(i+1, '(') {
		n := len(u.locals)
		u.parameters(i + 1) // of a function that is declared here and defined elsewhere
		u.release(n)
		u.passed = i + 1
		return
	}
	u.bind(u.id(i))
}

// keyword reads a word that means something of its own.
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
	if recordKinds[id] != "" {
		return u.tag(i + 1)
	}
	return i + 1
}

// namespaceWord reads namespace or using.
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

// tag reads the name of a struct, union, class or enum behind its keyword.
func (u *uses) tag(i int) int {
	for u.outline.word(i, kwAttribute) && u.is(i+1, '(') {
		i = u.past(i + 1)
	}
	if u.name(i) && u.is(i+1, '{') {
		if len(u.frames) > 0 || !u.global {
			u.bind(u.id(i))
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
	u.free(id, howType, i)
	return next
}

// control reads a word of the statement language.
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

// expressionWord reads a word that stands in expressions of C++.
func (u *uses) expressionWord(i int) int {
	switch u.spell(i) {
	case "this":
		if u.is(i+1, opArrow) && u.name(i+2) && u.class && u.around != "" {
			id := u.wordID([]byte(u.around + "." + u.spell(i+2)))
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

// maxHeaders bounds how many conditions one behind the other are looked past.
const maxHeaders = 64

// statementAfter is where the statement that begins at i ends.
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

// elseBehind is where the else that may stand at i ends.
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

// statementEnd is the semicolon, or the closing bracket, that ends what begins at i.
func (u *uses) statementEnd(i int) int {
	for i < len(u.tokens) {
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

// beginsDeclaration reports whether the name at i is the type of a declaration.
func (u *uses) beginsDeclaration(i int) bool {
	if u.words[u.id(i)].local > 0 && !u.is(i+1, opScope) && !u.name(i+1) {
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

// declaration prepares for the declaration from i to end: the names that it introduces are bound when they are
// reached.
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

// titles notes the names that the declarators from i to end introduce.
func (u *uses) titles(i, end int, typed bool) {
	u.binds = u.binds[:0]
	for _, d := range u.declarators(i, end, typed) {
		u.binds = append(u.binds, d.title)
	}
	slices.Sort(u.binds)
}

// named reads a name with its qualifiers and records it.
func (u *uses) named(i int) int {
	how := u.how(i)
	switch {
	case u.is(i-1, opArrow), u.is(i-1, '.'):
		if u.is(i-1, '.') && (u.is(i-2, '{') || u.is(i-2, ',')) {
			return i + 1 // a designator
		}
		u.refer(u.id(i), how|howOpen, i)
		return i + 1
	case u.is(i-1, opScope) && u.is(i-2, '>'):
		u.refer(u.id(i), how|howOpen, i)
		return i + 1
	}
	id, next := u.qualifiedName(i)
	if len(u.binds) > 0 && u.binds[0] > i && u.binds[0] < next {
		return next // the definition of a member outside of its class
	}
	if u.is(next, '(') && !u.types {
		how = howCall
	}
	if u.cpp && u.std(i) {
		return next
	}
	u.free(id, how, next-1)
	return next
}

// std reports whether the name at i is one of the standard library's.
func (u *uses) std(i int) bool { return u.is(i+1, opScope) && u.spell(i) == "std" }

// how says how the name at i is used.
func (u *uses) how(i int) int32 {
	switch {
	case u.types:
		return howType
	case u.is(i+1, '('):
		return howCall
	case u.is(i-1, '(') && u.is(i+1, '*') && u.castEnds(i+2), u.cpp && u.is(i+1, '<') && u.angleType(i):
		return howType
	case u.is(i-1, '(') && u.is(i+1, ')') && i+2 < len(u.tokens) && u.tokens[i+2].kind != punctuation && !u.outline.word(i-2, kwOther):
		return howType
	}
	return howValue
}

// castEnds reports whether nothing but stars stands between i and a closing parenthesis.
func (u *uses) castEnds(i int) bool {
	for u.is(i, '*') {
		i++
	}
	return u.is(i, ')')
}

// angleType reports whether what follows the name at i are template arguments and no call.
func (u *uses) angleType(i int) bool {
	end := u.angle(i + 1)
	return end > 0 && !u.is(end, '(')
}

// qualifiedName is the name that begins at i with what :: adds to it, and the index after it.
func (u *uses) qualifiedName(i int) (id int32, next int) {
	if !u.cpp || !u.is(i+1, opScope) || !u.name(i+2) {
		return u.id(i), i + 1
	}
	b := append([]byte(nil), u.spelling(u.tokens[i])...)
	for u.is(i+1, opScope) && u.name(i+2) {
		i += 2
		b = append(append(b, '.'), u.spelling(u.tokens[i])...)
	}
	return u.wordID(b), i + 1
}
