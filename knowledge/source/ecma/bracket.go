package ecma

import (
	"bytes"
	"strings"
)

func (l *lexer) openBracket(c byte) {
	last, f, flags := l.last(), frame{kind: inBracket}, uint8(0)
	switch c {
	case '(':
		f.kind = inParen
		f.control = last.kind == tIdent && (last.id == kIf || last.id == kWhile || last.id == kFor || last.id == kWith) && !l.memberBefore()
	case '{':
		f.kind = inBrace
		if top := l.top(); top != inTag && top != inChildren && l.startsBlock(last) {
			flags = fBlock
			if pending := l.pendingClass(); *pending {
				*pending = false
				flags |= fClass
			}
		}
	}
	l.push(f)
	l.punct(1, c, flags)
}

// memberBefore reports whether the last token is a member name, as in `a.if(`.
func (l *lexer) memberBefore() bool {
	if len(l.tokens) < 2 {
		return false
	}
	t := l.tokens[len(l.tokens)-2]
	return t.isPunct('.') || t.isPunct(pOptional)
}

// startsBlock distinguishes the { of a block, body or declaration from an object or type literal.
func (l *lexer) startsBlock(last token) bool {
	if last.kind == tIdent {
		switch last.id {
		case kElse, kDo:
			return true
		case kExtends, kKeyof, kIs, kAs, kSatisfies, kAsserts, kReadonly:
			return l.memberBefore()
		}
		return l.operand
	}
	if last.kind != tPunct {
		return l.operand
	}
	switch last.id {
	case ';', '}', '>', ')', ']', pArrow:
		return true
	case '{':
		return last.has(fBlock)
	}
	return l.operand
}

func (l *lexer) closeBracket(c byte) {
	want := [...]frameKind{')': inParen, ']': inBracket, '}': inBrace}[c]
	fits := func(k frameKind) bool { return k == want || c == '}' && k == inTemplate }
	if l.open[want] == 0 && (c != '}' || l.open[inTemplate] == 0) {
		l.fail(l.line, "expected a statement, found '%c'", c)
		l.punct(1, c, fOperand)
		return
	}
	for !fits(l.top()) {
		f := l.frames[len(l.frames)-1]
		l.fail(l.line, "expected %s, found '%c'", f.closer(), c)
		l.closeVirtually()
	}
	if l.top() == inTemplate {
		l.templateRest()
		return
	}
	f := l.pop()
	flags := fOperand
	if open := l.tokens[f.open]; open.has(fBlock) || f.control {
		flags = 0
	}
	l.pos++
	l.emitClose(f, tPunct, c, l.pos-1, flags)
}

func (l *lexer) less() {
	if l.jsx && !l.operand && l.startsElement() {
		l.startElement()
		return
	}
	flags := uint8(0)
	if next := l.peek(1); next == '<' || next == '=' {
		flags = fJoint
	}
	if l.top() == inAngle {
		l.push(frame{kind: inAngle})
	}
	l.punct(1, '<', flags)
}

func (l *lexer) greater() {
	if l.top() == inAngle {
		l.pos++
		l.emitClose(l.pop(), tPunct, '>', l.pos-1, 0)
		return
	}
	flags := uint8(0)
	if next := l.peek(1); next == '>' || next == '=' && l.peek(2) != '>' {
		flags = fJoint
	}
	l.punct(1, '>', flags)
}

// operators maps the operators of several characters to their codes.
var operators = func() map[string]uint8 {
	table := map[string]uint8{"=>": pArrow, "...": pSpread, "?.": pOptional, "++": pIncrement, "--": pIncrement}
	for _, text := range strings.Fields("+= -= *= %= ^= &= |= **= &&= ||= ??=") {
		table[text] = pAssign
	}
	for _, text := range strings.Fields("== === != !== ** && || ??") {
		table[text] = pBinary
	}
	return table
}()

// operator reads the longest operator, except that < and > are single tokens because they may be type brackets.
func (l *lexer) operator() {
	c := l.src[l.pos]
	for n := min(3, len(l.src)-l.pos); n > 1 && strings.IndexByte("=>.&|*?+-", l.peek(1)) >= 0; n-- {
		id, found := operators[string(l.src[l.pos:l.pos+n])]
		switch {
		case !found, id == pOptional && byteClass[l.peek(2)] == cDigit, n == 2 && id == pAssign && c != '+' && c != '-' && l.peek(2) == '>':
			continue
		case id == pIncrement && l.operand:
			l.punct(n, id, fOperand)
		default:
			l.punct(n, id, 0)
		}
		return
	}
	flags := uint8(0)
	if c == '!' && l.operand && !l.newline {
		flags = fOperand
	}
	l.punct(1, c, flags)
}

// punct emits a token of n characters.
func (l *lexer) punct(n int, id, flags uint8) {
	l.pos += n
	l.emit(tPunct, id, l.pos-n, flags)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// startsDeclaration reports whether an unindented line looks like a declaration.
func startsDeclaration(line []byte) bool {
	end := 0
	for end < len(line) && end < 16 && byteClass[line[end]] == cIdent {
		end++
	}
	if end == 0 || end == len(line) {
		return false
	}
	switch keywords[string(line[:end])] {
	case kImport, kFunction, kClass, kInterface, kConst, kLet, kVar, kEnum, kNamespace, kDeclare, kAbstract, kAsync, kType:
		return line[end] == ' '
	case kExport:
		return bytes.IndexByte([]byte(" {*="), line[end]) >= 0
	}
	return false
}
