package ecma

import (
	"bytes"
	"strings"
)

// number reads a numeric literal; a sign is part of it only after a decimal exponent.
func (l *lexer) number() {
	start := l.pos
	hex := l.src[start] == '0' && (l.peek(1)|0x20 == 'x' || l.peek(1)|0x20 == 'b' || l.peek(1)|0x20 == 'o')
	dot := false
	for ; l.pos < len(l.src); l.pos++ {
		c := l.src[l.pos]
		point := c == '.' && !dot && !hex
		sign := (c == '+' || c == '-') && !hex && l.pos > start && l.src[l.pos-1]|0x20 == 'e'
		if byteClass[c] < cIdent && !point && !sign {
			break
		}
		dot = dot || point
	}
	l.emit(tNumber, 0, start, fOperand)
}

func (l *lexer) quoted(quote byte) {
	start, line := l.pos, l.line
	i := start + 1
	for i < len(l.src) && l.src[i] != quote && l.src[i] != '\n' {
		if l.src[i] == '\\' {
			i++
		}
		i++
	}
	if i < len(l.src) && l.src[i] == quote {
		i++
	} else {
		l.fail(line, "expected %c at the end of the string", quote)
	}
	l.emitLong(tString, min(i, len(l.src)), fOperand)
}

func (l *lexer) emitLong(kind tokenKind, end int, flags uint8) {
	start, line := l.pos, l.line
	l.advance(end)
	l.emit(kind, 0, start, flags)
	l.tokens[len(l.tokens)-1].line = line
}

func (l *lexer) templateText(i int) (end int, substitution bool) {
	for i < len(l.src) {
		switch c := l.src[i]; {
		case c == '`':
			return i + 1, false
		case c == '\\':
			i++
		case c == '$' && i+1 < len(l.src) && l.src[i+1] == '{':
			return i + 2, true
		case c == '\n' && l.recover && startsDeclaration(l.src[i+1:]):
			return i, false
		}
		i++
	}
	l.fail(l.line, "expected '`' at the end of the template literal")
	return len(l.src), false
}

func (l *lexer) templateStart() {
	end, substitution := l.templateText(l.pos + 1)
	if !substitution {
		l.emitLong(tTemplate, end, fOperand)
		return
	}
	l.push(frame{kind: inTemplate})
	l.emitLong(tTemplateHead, end, 0)
}

func (l *lexer) templateRest() {
	end, substitution := l.templateText(l.pos + 1)
	if substitution {
		l.emitLong(tTemplateMiddle, end, 0)
		return
	}
	f := l.pop()
	start, line := l.pos, l.line
	l.advance(end)
	l.emitClose(f, tTemplateTail, 0, start, fOperand)
	l.tokens[len(l.tokens)-1].line = line
}

func (l *lexer) slash() {
	switch l.peek(1) {
	case '/':
		l.lineComment()
		return
	case '*':
		l.blockComment()
		return
	}
	if !l.operand {
		if end := l.regexEnd(); end > 0 {
			start := l.pos
			l.pos = end
			l.emit(tRegex, 0, start, fOperand)
			return
		}
	}
	if l.peek(1) == '=' {
		l.punct(2, pAssign, 0)
		return
	}
	l.punct(1, '/', 0)
}

// fewMisses is the number of failed searches for the end of a regular expression after which searches get short: a
// file of slashes must not take quadratic time.
const fewMisses = 256

// regexEnd returns the end of the regular expression at the current position with its flags, or 0 if the line has
// none.
func (l *lexer) regexEnd() int {
	class, limit := false, len(l.src)
	if l.misses > fewMisses {
		limit = min(limit, l.pos+fewMisses)
	}
	for i := l.pos + 1; i < limit && l.src[i] != '\n'; i++ {
		l.meter.Step()
		switch c := l.src[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return l.wordEnd(i + 1)
		}
	}
	l.misses++
	return 0
}

func (l *lexer) lineComment() {
	start := l.pos
	l.skipLine()
	text := l.src[start+2 : l.pos]
	if bytes.HasPrefix(text, []byte("/")) {
		if bytes.HasPrefix(bytes.TrimSpace(text[1:]), []byte("<")) {
			l.directives = append(l.directives, comment{off: int32(start), end: int32(l.pos)})
		}
		return
	}
	l.directive(text, start)
}

// Comments that change how the file is compiled.
var directivePrefixes = []string{"@ts-nocheck", "@ts-check", "@flow", "@noflow", "@jsx"}

func (l *lexer) directive(text []byte, start int) {
	text = bytes.TrimLeft(text, " \t*\n")
	if len(text) == 0 || text[0] != '@' {
		return
	}
	for _, prefix := range directivePrefixes {
		if bytes.HasPrefix(text, []byte(prefix)) {
			l.directives = append(l.directives, comment{off: int32(start), end: int32(l.pos)})
			return
		}
	}
}

func (l *lexer) blockComment() {
	start := l.pos
	n := -1
	if start < l.openComment {
		n = bytes.Index(l.src[start+2:], []byte("*/"))
	}
	if n < 0 {
		l.fail(l.line, "expected '*/' at the end of the comment")
		l.openComment = min(l.openComment, start)
		if l.recover {
			l.skipLine()
		} else {
			l.advance(len(l.src))
		}
		return
	}
	line := l.line
	l.advance(start + n + 4)
	l.newline = l.newline || l.line > line
	text := l.src[start+2 : l.pos-2]
	if len(text) > 0 && text[0] == '*' {
		l.docs = append(l.docs, comment{off: int32(start), end: int32(l.pos), next: int32(len(l.tokens))})
	}
	l.directive(text, start)
}

// unquote returns the value of a literal. It handles only the escapes that occur in names and paths.
func unquote(literal []byte) string {
	if len(literal) < 2 {
		return ""
	}
	text := literal[1 : len(literal)-1]
	if bytes.IndexByte(text, '\\') < 0 {
		return strings.ToValidUTF8(string(text), "\uFFFD")
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
			if n := strings.IndexByte("nrt\n", text[i]); n >= 0 {
				out.WriteString([]string{"\n", "\r", "\t", ""}[n])
				continue
			}
		}
		out.WriteByte(text[i])
	}
	return strings.ToValidUTF8(out.String(), "\uFFFD")
}
