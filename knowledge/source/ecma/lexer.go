package ecma

import (
	"bytes"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

type frameKind uint8

const (
	inBrace frameKind = iota
	inParen
	inBracket
	inTemplate
	inTag      // between < and > of a JSX opening tag
	inChildren // between a JSX opening and closing tag
	inClosing  // in a JSX closing tag
	inAngle    // type arguments of a JSX tag
	frameKinds
)

type frame struct {
	kind    frameKind
	open    int32 // its first token
	class   bool  // saw the keyword class, but not its body yet
	control bool  // parentheses of if, for, while or with: a statement follows
}

type comment struct {
	off, end int32
	next     int32
}

// lexer splits a file into tokens and pairs its brackets in one pass. It keeps nesting in frames, not on the call
// stack.
type lexer struct {
	meter      *kernel.Meter
	src        []byte
	pos        int
	line       int32
	newline    bool
	operand    bool
	jsx        bool
	recover    bool // close all brackets at a line that starts with a declaration
	tokens     []token
	frames     []frame
	open       [frameKinds]int
	docs       []comment
	directives []comment
	shebang    bool
	class      bool // as frame.class, at the top level
	problem    kernel.Problem
	misses     int // failed searches for the end of a regular expression
	// openComment is the start of an unterminated comment, or len(src).
	openComment int
}

// scan reads all of src. If JSX causes the failure it retries without JSX; if the file still fails, it retries in
// recovery mode, where a line that starts with a declaration closes all brackets.
func scan(meter *kernel.Meter, src []byte, jsx bool) *lexer {
	read := func(l lexer) *lexer {
		l.meter, l.src, l.line = meter, src, 1
		l.run()
		return &l
	}
	first := read(lexer{jsx: jsx, openComment: len(src)})
	if !first.problem.Found() {
		return first
	}
	if jsx && bytes.IndexByte(src, '<') >= 0 {
		if plain := read(lexer{openComment: len(src)}); !plain.problem.Found() {
			return plain
		}
	}
	l := read(lexer{jsx: jsx, openComment: first.openComment, recover: true})
	l.problem = first.problem
	return l
}

func (l *lexer) run() {
	if bytes.HasPrefix(l.src, []byte("\xEF\xBB\xBF")) {
		l.pos = 3
	}
	if bytes.HasPrefix(l.src[l.pos:], []byte("#!")) {
		l.shebang = true
		start := l.pos
		l.skipLine()
		l.directives = append(l.directives, comment{off: int32(start), end: int32(l.pos)})
	}
	for l.pos < len(l.src) {
		l.meter.Step()
		switch l.top() {
		case inChildren:
			l.children()
		case inTag, inClosing:
			l.tag()
		default:
			l.code()
		}
	}
	if len(l.frames) > 0 {
		f := l.frames[len(l.frames)-1]
		l.fail(l.tokens[f.open].line, "expected %s to close %s", f.closer(), f.opener())
		l.closeAll()
	}
}

func (f frame) opener() string {
	return [frameKinds]string{"'{'", "'('", "'['", "a template literal", "a JSX tag", "a JSX element", "a JSX element", "'<'"}[f.kind]
}

func (f frame) closer() string {
	return [frameKinds]string{"'}'", "')'", "']'", "'`'", "'>'", "a closing tag", "'>'", "'>'"}[f.kind]
}

// fail records a problem. Only the first counts, because later ones may be consequences.
func (l *lexer) fail(line int32, format string, args ...any) {
	if !l.problem.Found() {
		l.problem.Report(line, format, args...)
	}
}

// top returns the kind of the innermost frame; at the top level, that of a code brace.
func (l *lexer) top() frameKind {
	if len(l.frames) == 0 {
		return inBrace
	}
	return l.frames[len(l.frames)-1].kind
}

func (l *lexer) push(f frame) {
	f.open = int32(len(l.tokens))
	l.frames = append(l.frames, f)
	l.open[f.kind]++
}

// pop pairs the frame's first token with the token that is emitted next.
func (l *lexer) pop() frame {
	f := l.frames[len(l.frames)-1]
	l.frames = l.frames[:len(l.frames)-1]
	l.open[f.kind]--
	return f
}

func (l *lexer) emit(kind tokenKind, id uint8, start int, flags uint8) {
	if l.newline {
		flags |= fNewline
		l.newline = false
	}
	l.operand = flags&fOperand != 0
	l.tokens = append(l.tokens, token{off: int32(start), end: int32(l.pos), line: l.line, match: -1, kind: kind, id: id, flags: flags})
}

func (l *lexer) emitClose(f frame, kind tokenKind, id uint8, start int, flags uint8) {
	l.emit(kind, id, start, flags)
	last := int32(len(l.tokens) - 1)
	l.tokens[last].match = f.open
	l.tokens[f.open].match = last
}

// closeAll closes all frames with virtual tokens.
func (l *lexer) closeAll() {
	for len(l.frames) > 0 {
		l.closeVirtually()
	}
}

func (l *lexer) closeVirtually() {
	f := l.pop()
	open := l.tokens[f.open]
	kind, id := tPunct, uint8('>')
	switch {
	case open.kind == tTemplateHead:
		kind, id = tTemplateTail, 0
	case open.id == '{':
		id = '}'
	case open.id == '(':
		id = ')'
	case open.id == '[':
		id = ']'
	}
	l.emitClose(f, kind, id, l.pos, open.flags&fJSX)
}

func (l *lexer) skipLine() {
	if i := bytes.IndexByte(l.src[l.pos:], '\n'); i >= 0 {
		l.pos += i
	} else {
		l.pos = len(l.src)
	}
}

func (l *lexer) advance(end int) {
	l.line += int32(bytes.Count(l.src[l.pos:end], []byte{'\n'}))
	l.pos = end
}

func (l *lexer) peek(n int) byte {
	if l.pos+n < len(l.src) {
		return l.src[l.pos+n]
	}
	return 0
}

const (
	cOther uint8 = iota
	cSpace
	cIdent
	cDigit
)

var byteClass = func() (table [256]uint8) {
	for c := range table {
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			table[c] = cSpace
		case c >= '0' && c <= '9':
			table[c] = cDigit
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '\\' || c >= 0x80:
			table[c] = cIdent
		}
	}
	return table
}()

func (l *lexer) code() {
	c := l.src[l.pos]
	switch byteClass[c] {
	case cSpace:
		l.pos++
		return
	case cIdent:
		if c < 0x80 || !l.unicodeSpace() {
			l.word()
		}
		return
	case cDigit:
		l.number()
		return
	}
	switch c {
	case '\n':
		l.lineBreak()
	case '"', '\'':
		l.quoted(c)
	case '`':
		l.templateStart()
	case '(', '[', '{':
		l.openBracket(c)
	case ')', ']', '}':
		l.closeBracket(c)
	case '/':
		l.slash()
	case '<':
		l.less()
	case '>':
		l.greater()
	case '#':
		l.private()
	case ',', ';', ':':
		l.punct(1, c, 0)
	default:
		if c == '.' && byteClass[l.peek(1)] == cDigit {
			l.number()
			return
		}
		l.operator()
	}
}

func (l *lexer) lineBreak() {
	l.pos++
	l.line++
	l.newline = true
	if l.recover && len(l.frames) > 0 && startsDeclaration(l.src[l.pos:]) {
		l.closeAll()
		l.newline = true
	}
}

func (l *lexer) unicodeSpace() bool {
	for _, s := range [...]string{"\u00a0", "\ufeff", "\u3000", "\u2028", "\u2029", "\u202f", "\u205f", "\u1680"} {
		if bytes.HasPrefix(l.src[l.pos:], []byte(s)) {
			l.newline = l.newline || s == "\u2028" || s == "\u2029"
			l.pos += len(s)
			return true
		}
	}
	if rest := l.src[l.pos:]; len(rest) >= 3 && rest[0] == 0xE2 && rest[1] == 0x80 && rest[2] <= 0x8A {
		l.pos += 3
		return true
	}
	return false
}

// wordEnd returns the end of the identifier at i, including \u{…} escapes.
func (l *lexer) wordEnd(i int) int {
	for i < len(l.src) && byteClass[l.src[i]] >= cIdent {
		if l.src[i] == '\\' && i+2 < len(l.src) && l.src[i+1] == 'u' && l.src[i+2] == '{' {
			if n := bytes.IndexByte(l.src[i:min(len(l.src), i+12)], '}'); n > 0 {
				i += n
			}
		}
		i++
	}
	return i
}

func (l *lexer) word() {
	start := l.pos
	l.pos = l.wordEnd(start)
	id := keywords[string(l.src[start:l.pos])]
	flags := fOperand
	if keywordClass[id]&kwPrefix != 0 && !l.afterDot() {
		flags = 0
	}
	if id == kClass && !l.afterDot() {
		*l.pendingClass() = true
	}
	l.emit(tIdent, id, start, flags)
}

func (l *lexer) afterDot() bool {
	last := l.last()
	return last.isPunct('.') || last.isPunct(pOptional)
}

func (l *lexer) private() {
	start := l.pos
	if end := l.wordEnd(start + 1); end > start+1 {
		l.pos = end
		l.emit(tPrivate, 0, start, fOperand)
		return
	}
	l.punct(1, '#', 0)
}

// pendingClass points to the flag that the next block of the innermost frame is a class body.
func (l *lexer) pendingClass() *bool {
	if len(l.frames) == 0 {
		return &l.class
	}
	return &l.frames[len(l.frames)-1].class
}

func (l *lexer) last() token {
	if len(l.tokens) == 0 {
		return token{kind: tPunct, id: ';', match: -1}
	}
	return l.tokens[len(l.tokens)-1]
}
