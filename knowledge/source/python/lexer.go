package python

import (
	"strings"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

type bracket struct {
	field  bool
	inSpec bool  // inside a format specification
	start  int32 // start of the field's text
	line   int32
}

func (x *reader) lex() {
	if n := len(x.src)/4 + 16; cap(x.toks) < n {
		x.toks = make([]token, 0, n)
	}
	x.indents = append(x.indents, 0)
	for x.pos < len(x.src) {
		x.meter.Step()
		column, blank := x.indentation()
		if blank {
			continue
		}
		x.logicalLine(x.level(column))
	}
	if x.brackets.Len() > 0 {
		x.notClosed()
	}
}

// indentation reads the blanks at the start of a physical line. blank means that the line has no token and was
// skipped.
func (x *reader) indentation() (column int32, blank bool) {
	for ; x.pos < len(x.src); x.pos++ {
		switch x.src[x.pos] {
		case ' ':
			column++
		case '\t':
			column = (column/8 + 1) * 8
		case '\f':
			column = 0
		case '\n':
			x.pos++
			x.line++
			return 0, true
		case '#':
			x.comment(true)
			return 0, x.passNewline()
		default:
			return column, false
		}
	}
	return 0, true
}

func (x *reader) comment(alone bool) {
	end := len(x.src)
	if i := strings.IndexByte(x.src[x.pos:], '\n'); i >= 0 {
		end = x.pos + i
	}
	x.remarkAt(end, alone)
	x.pos = end
}

func (x *reader) passNewline() bool {
	if x.pos < len(x.src) {
		x.pos++
		x.line++
	}
	return true
}

func (x *reader) level(column int32) int32 {
	top := len(x.indents) - 1
	if column > x.indents[top] {
		x.indents = append(x.indents, column)
		return int32(top + 1)
	}
	for column < x.indents[top] {
		top--
	}
	x.indents = x.indents[:top+1]
	if column > x.indents[top] {
		x.problem.Report(x.line, "expected the indentation of an outer block")
		x.indents = append(x.indents, column)
		top++
	}
	return int32(top)
}

func (x *reader) logicalLine(level int32) {
	l := line{first: int32(len(x.toks)), colon: -1, level: level, start: x.line}
	lambdas := 0
	rowStart, rowLine := x.pos, x.line // physical line that continues an open bracket
	fresh := false
	for x.pos < len(x.src) {
		c := x.src[x.pos]
		switch {
		case c == ' ' || c == '\t' || c == '\f':
			x.pos++
			continue
		case c == '#':
			x.comment(false)
			continue
		case c == '\\' && x.pos+1 < len(x.src) && x.src[x.pos+1] == '\n':
			x.pos += 2
			x.line++
			continue
		case c == '\n':
			x.pos++
			x.line++
			if x.brackets.Len() == 0 {
				x.endLine(l)
				return
			}
			rowStart, rowLine, fresh = x.pos, x.line, true
			continue
		}
		before := len(x.toks)
		x.token(c)
		t := x.toks[before]
		switch {
		case fresh && t.kind == keyword && x.brackets.Len() > 0 && startsStatement(x.src[t.start:t.end]):
			x.notClosed()
			x.toks = x.toks[:before]
			x.pos, x.line = rowStart, rowLine
			x.endLine(l)
			return
		case x.brackets.Len() > 0:
		case t.kind == keyword && x.src[t.start:t.end] == "lambda":
			lambdas++
		case t.kind != op || t.end-t.start != 1:
		case c == ';':
			l.semicolons = true
		case c == ':' && lambdas > 0:
			lambdas--
		case c == ':' && l.colon < 0:
			l.colon = int32(before)
		}
		fresh = fresh && t.kind == keyword && x.src[t.start:t.end] == "async"
	}
	x.endLine(l)
}

func (x *reader) endLine(l line) {
	l.end = int32(len(x.toks))
	if l.end == l.first {
		return
	}
	l.block = x.beginsBlock(l)
	t := x.toks[l.end-1]
	l.last = t.line
	if t.kind == str || t.kind == fpart {
		l.last += int32(strings.Count(x.src[t.start:t.end], "\n"))
	}
	x.lines = append(x.lines, l)
}

// notClosed reports the innermost open bracket and drops all of them.
func (x *reader) notClosed() {
	b := x.brackets.Top()
	x.problem.Report(b.Note.line, "expected '%c'", kernel.Closer(b.Bracket))
	x.brackets.Cut(0)
	x.frames = x.frames[:0]
}

// token reads a token that begins with c; at least one byte remains, and it appends at least one token.
func (x *reader) token(c byte) {
	switch {
	case identStart[c]:
		x.word()
	case c == '"' || c == '\'':
		x.literal(x.pos, x.pos)
	case c >= '0' && c <= '9' || c == '.' && x.digitAt(x.pos+1):
		start := x.pos
		x.number()
		x.emit(number, start, x.line)
	default:
		x.operator(c)
	}
}

func (x *reader) emit(k kind, start int, line int32) {
	x.toks = append(x.toks, token{start: int32(start), end: int32(x.pos), line: line, kind: k})
}

func (x *reader) word() {
	start := x.pos
	for x.pos < len(x.src) && identPart[x.src[x.pos]] {
		x.pos++
	}
	if n := x.pos - start; n <= 2 && x.pos < len(x.src) && (x.src[x.pos] == '"' || x.src[x.pos] == '\'') && stringPrefix(x.src[start:x.pos]) {
		x.literal(start, x.pos)
		return
	}
	k := name
	if x.pos-start <= maxKeyword && isKeyword(x.src[start:x.pos]) {
		k = keyword
	}
	x.emit(k, start, x.line)
}

func (x *reader) digitAt(i int) bool { return i < len(x.src) && x.src[i] >= '0' && x.src[i] <= '9' }

func (x *reader) number() {
	if x.src[x.pos] == '0' && x.pos+1 < len(x.src) && strings.IndexByte("xXoObB", x.src[x.pos+1]) >= 0 {
		x.pos += 2
		for x.pos < len(x.src) && (isHex(x.src[x.pos]) || x.src[x.pos] == '_') {
			x.pos++
		}
		return
	}
	x.digits()
	if x.pos < len(x.src) && x.src[x.pos] == '.' {
		x.pos++
		x.digits()
	}
	if x.pos < len(x.src) && x.src[x.pos]|0x20 == 'e' {
		exp := x.pos + 1
		if exp < len(x.src) && (x.src[exp] == '+' || x.src[exp] == '-') {
			exp++
		}
		if x.digitAt(exp) {
			x.pos = exp
			x.digits()
		}
	}
	if x.pos < len(x.src) && x.src[x.pos]|0x20 == 'j' {
		x.pos++
	}
}

func (x *reader) digits() {
	for x.digitAt(x.pos) || x.pos < len(x.src) && x.src[x.pos] == '_' {
		x.pos++
	}
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func (x *reader) operator(c byte) {
	start, n := x.pos, operatorLength(x.src[x.pos:])
	if x.brackets.Len() > 0 && x.brackets.Top().Note.field && x.fieldOperator(c, n) {
		return
	}
	switch c {
	case '(', '[', '{':
		x.brackets.Push(len(x.toks), c).line = x.line
	case ')', ']', '}':
		x.closeBracket(c)
	}
	k := op
	if n == 0 {
		k, n = junk, 1
		x.problem.Report(x.line, "expected a token, found %s", quoteByte(c))
	}
	x.pos += n
	x.emit(k, start, x.line)
}

func (x *reader) closeBracket(c byte) {
	switch {
	case x.brackets.Len() == 0:
		x.problem.Report(x.line, "expected no '%c' here", c)
	case x.brackets.Top().Note.field:
		x.problem.Report(x.line, "expected '}'")
	case x.brackets.Fits(c):
		x.brackets.Pop()
	default:
		x.problem.Report(x.line, "expected '%c'", kernel.Closer(x.brackets.Pop().Bracket))
	}
}

func quoteByte(c byte) string {
	const digits = "0123456789abcdef"
	if c > 0x20 && c < 0x7f {
		return "'" + string(c) + "'"
	}
	return "0x" + string(digits[c>>4]) + string(digits[c&15])
}

var identStart, identPart = identTables()

func identTables() (start, part [256]bool) {
	for c := range 256 {
		start[c] = c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
		part[c] = start[c] || c >= '0' && c <= '9'
	}
	return start, part
}
