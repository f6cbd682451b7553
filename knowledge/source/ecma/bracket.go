package ecma

import "bytes"

func (l *lexer) openBracket(c byte) {
	start, last := l.pos, l.last()
	f, flags := frame{kind: inBracket}, uint8(0)
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
	l.pos++
	l.emit(tPunct, c, start, flags)
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
	start := l.pos
	want := inBrace
	switch c {
	case ')':
		want = inParen
	case ']':
		want = inBracket
	}
	fits := func(k frameKind) bool { return k == want || c == '}' && k == inTemplate }
	if l.open[want] == 0 && (c != '}' || l.open[inTemplate] == 0) {
		l.fail(l.line, "expected a statement, found '%c'", c)
		l.pos++
		l.emit(tPunct, c, start, fOperand)
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
	l.emitClose(f, tPunct, c, start, flags)
}

func (l *lexer) less() {
	if l.jsx && !l.operand && l.startsElement() {
		l.startElement()
		return
	}
	start, flags := l.pos, uint8(0)
	if next := l.peek(1); next == '<' || next == '=' {
		flags = fJoint
	}
	if l.top() == inAngle {
		l.push(frame{kind: inAngle})
	}
	l.pos++
	l.emit(tPunct, '<', start, flags)
}

func (l *lexer) greater() {
	start := l.pos
	if l.top() == inAngle {
		f := l.pop()
		l.pos++
		l.emitClose(f, tPunct, '>', start, 0)
		return
	}
	flags := uint8(0)
	if next := l.peek(1); next == '>' || next == '=' && l.peek(2) != '>' {
		flags = fJoint
	}
	l.pos++
	l.emit(tPunct, '>', start, flags)
}

// operator reads the longest operator, except that < and > are single tokens because they may be type brackets.
func (l *lexer) operator() {
	start, c, next := l.pos, l.src[l.pos], l.peek(1)
	n, id, operand := 1, c, false
	switch c {
	case '=':
		switch {
		case next == '>':
			n, id = 2, pArrow
		case next == '=':
			n, id = 2+b2i(l.peek(2) == '='), pBinary
		}
	case '!':
		if next == '=' {
			n, id = 2+b2i(l.peek(2) == '='), pBinary
		} else {
			operand = l.operand && !l.newline
		}
	case '+', '-':
		if next == c {
			n, id, operand = 2, pIncrement, l.operand
		} else if next == '=' {
			n, id = 2, pAssign
		}
	case '&', '|', '*', '?', '%', '^':
		n, id, operand = l.longOperator(c, next)
	case '.':
		if next == '.' && l.peek(2) == '.' {
			n, id = 3, pSpread
		}
	}
	l.pos += n
	flags := uint8(0)
	if operand {
		flags = fOperand
	}
	l.emit(tPunct, id, start, flags)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (l *lexer) longOperator(c, next byte) (n int, id uint8, operand bool) {
	switch {
	case next == c && c != '%' && c != '^':
		if l.peek(2) == '=' {
			return 3, pAssign, false
		}
		return 2, pBinary, false
	case c == '?' && next == '.' && byteClass[l.peek(2)] != cDigit:
		return 2, pOptional, false
	case next == '=' && c != '?' && l.peek(2) != '>':
		return 2, pAssign, false
	}
	return 1, c, false
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
