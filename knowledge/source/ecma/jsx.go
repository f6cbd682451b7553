package ecma

import "bytes"

// lookahead bounds how far the lexer reads on to distinguish type parameters from a JSX element.
const lookahead = 1000

func (l *lexer) startsElement() bool {
	next := l.peek(1)
	if next != '>' && byteClass[next] != cIdent {
		return false
	}
	if last := l.last(); last.isKeyword(kNew) || last.isKeyword(kOf) {
		return false
	}
	return next == '>' || !l.typeParametersAhead()
}

// typeParametersAhead recognises <T,> <T extends U> <T = U> <const T> and <T>(…) followed by => or a result type.
func (l *lexer) typeParametersAhead() bool {
	src := l.src[l.pos+1 : min(len(l.src), l.pos+1+lookahead)]
	name, rest := cutWord(src)
	if string(name) == "const" {
		if _, after := cutWord(rest); len(after) < len(rest) && byteClass[rest[0]] == cIdent {
			return true
		}
	}
	if len(rest) == 0 {
		return false
	}
	switch rest[0] {
	case ',':
		return true
	case '=':
		return len(rest) > 1 && rest[1] != '>'
	case 'e':
		word, after := cutWord(rest)
		return string(word) == "extends" && len(after) > 0 && bytes.IndexByte([]byte("=/>"), after[0]) < 0
	case '>':
		return parametersAhead(name, bytes.TrimLeft(rest[1:], " \n\t"))
	}
	return false
}

func cutWord(text []byte) (word, rest []byte) {
	n := 0
	for n < len(text) && byteClass[text[n]] >= cIdent {
		n++
	}
	return text[:n], bytes.TrimLeft(text[n:], " \n\t")
}

// parametersAhead reports whether text is a parameter list followed by an arrow or a result type. A JSX text may also
// contain a colon after parentheses; then a closing tag follows.
func parametersAhead(name, text []byte) bool {
	if len(text) == 0 || text[0] != '(' {
		return false
	}
	depth := 0
	for i, c := range text {
		if c == '(' {
			depth++
		}
		if c != ')' {
			continue
		}
		if depth--; depth > 0 {
			continue
		}
		rest := bytes.TrimLeft(text[i+1:], " \n\t")
		if bytes.HasPrefix(rest, []byte("=>")) {
			return true
		}
		closing := append([]byte("</"), name...)
		return len(rest) > 0 && rest[0] == ':' && !bytes.Contains(rest, closing)
	}
	return false
}

func (l *lexer) startElement() {
	l.push(frame{kind: inTag})
	l.punct(1, '<', fJSX)
}

func (l *lexer) become(kind frameKind) {
	f := &l.frames[len(l.frames)-1]
	l.open[f.kind]--
	f.kind = kind
	l.open[kind]++
}

func (l *lexer) children() {
	end := l.textEnd()
	if end > l.pos {
		text := l.src[l.pos:end]
		if len(bytes.TrimSpace(text)) == 0 && bytes.IndexByte(text, '\n') >= 0 {
			l.advance(end)
		} else {
			l.emitLong(tText, end, 0)
		}
		if l.recover && end < len(l.src) && l.src[end] == '\n' {
			l.lineBreak()
		}
		return
	}
	switch {
	case end == len(l.src):
	case l.recover && l.src[end] == '\n':
		l.lineBreak()
	case l.src[end] == '{':
		l.openBracket('{')
	case l.peek(1) == '/':
		l.become(inClosing)
		l.punct(1, '<', 0)
		l.punct(1, '/', 0)
	default:
		l.startElement()
	}
}

// textEnd returns the end of a JSX text: at {, at a tag or, during recovery, at a declaration.
func (l *lexer) textEnd() int {
	for i := l.pos; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '{':
			return i
		case c == '<' && i+1 < len(l.src):
			if next := l.src[i+1]; next == '/' || next == '>' || byteClass[next] == cIdent {
				return i
			}
		case c == '\n' && l.recover && startsDeclaration(l.src[i+1:]):
			return i
		}
	}
	return len(l.src)
}

func (l *lexer) tag() {
	c := l.src[l.pos]
	switch byteClass[c] {
	case cSpace:
		l.pos++
		return
	case cIdent:
		start := l.pos
		for l.pos < len(l.src) && (byteClass[l.src[l.pos]] >= cIdent || l.src[l.pos] == '-') {
			l.pos++
		}
		l.emit(tIdent, kNone, start, fOperand)
		return
	}
	switch c {
	case '\n':
		l.lineBreak()
	case '/':
		if next := l.peek(1); next == '/' || next == '*' {
			l.slash()
			return
		}
		l.punct(1, '/', 0)
	case '>':
		l.endTag()
	case '{':
		l.openBracket('{')
	case '"', '\'':
		l.attribute(c)
	case '<':
		if l.last().isPunct('=') {
			l.startElement()
			return
		}
		l.push(frame{kind: inAngle})
		l.punct(1, '<', 0)
	case '=', '.', ':':
		l.punct(1, c, 0)
	default:
		l.fail(l.line, "expected an attribute or '>' in the JSX tag")
		l.operator()
	}
}

func (l *lexer) endTag() {
	if l.top() == inTag && !l.last().isPunct('/') {
		l.become(inChildren)
		l.punct(1, '>', 0)
		return
	}
	l.pos++
	l.emitClose(l.pop(), tPunct, '>', l.pos-1, fOperand|fJSX)
}

func (l *lexer) attribute(quote byte) {
	n := bytes.IndexByte(l.src[l.pos+1:], quote)
	if n < 0 {
		l.fail(l.line, "expected %c at the end of the attribute", quote)
		n = max(0, bytes.IndexByte(l.src[l.pos+1:], '\n')-1)
	}
	l.emitLong(tString, min(len(l.src), l.pos+n+2), fOperand)
}

// normalText returns a JSX text as rendered: trimmed non-empty lines joined by a blank.
func normalText(text []byte) []byte {
	if bytes.IndexByte(text, '\n') < 0 {
		return text
	}
	lines := bytes.Split(text, []byte{'\n'})
	kept := lines[:0]
	for i, line := range lines {
		if i > 0 {
			line = bytes.TrimLeft(line, " \t")
		}
		if i < len(lines)-1 {
			line = bytes.TrimRight(line, " \t")
		}
		if len(line) > 0 {
			kept = append(kept, line)
		}
	}
	return bytes.Join(kept, []byte{' '})
}
