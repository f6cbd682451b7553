package rust

import (
	"bytes"
	"unicode/utf8"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// maxRestarts limits the attempts to continue after an unterminated literal, because each may scan to the end.
const maxRestarts = 8

type lexer struct {
	meter    *kernel.Meter
	src      []byte
	pos      int
	line     int
	restarts int
	toks     []token
	problem  *problem
}

// lex splits src into tokens without ordinary comments.
func lex(meter *kernel.Meter, src []byte, p *problem) []token {
	l := &lexer{meter: meter, src: src, line: 1, toks: make([]token, 0, len(src)/5+16), problem: p}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		l.pos = 3
	}
	if l.isShebang() {
		l.add(directive, l.lineEnd(l.pos))
	}
	l.frontmatter()
	for l.pos < len(src) {
		meter.Step()
		l.next()
	}
	return l.toks
}

// isShebang distinguishes a shebang from an inner attribute, which may start with the same two bytes.
func (l *lexer) isShebang() bool {
	rest := l.src[l.pos:]
	if !bytes.HasPrefix(rest, []byte("#!")) {
		return false
	}
	rest = bytes.TrimLeft(rest[2:], " \t\r\n")
	return len(rest) == 0 || rest[0] != '['
}

// frontmatter reads a script's embedded manifest between two lines of dashes.
func (l *lexer) frontmatter() {
	start := l.pos + len(l.src[l.pos:]) - len(bytes.TrimLeft(l.src[l.pos:], " \t\r\n"))
	if start > 0 && l.src[start-1] != '\n' {
		return
	}
	dashes := 0
	for l.at(start+dashes) == '-' {
		dashes++
	}
	if dashes < 3 {
		return
	}
	fence := append([]byte{'\n'}, l.src[start:start+dashes]...)
	if n := bytes.Index(l.src[start:], fence); n >= 0 {
		l.line += bytes.Count(l.src[l.pos:start], []byte{'\n'})
		l.pos = start
		l.addLines(directive, l.lineEnd(start+n+1))
	}
}

func (l *lexer) next() {
	c := l.src[l.pos]
	switch byteClass[c] {
	case cLine:
		l.line++
		l.pos++
	case cSpace:
		l.pos++
	case cWord:
		l.word()
	case cDigit:
		l.number()
	case cOpen:
		l.add(opener, l.pos+1)
	case cClose:
		l.add(closer, l.pos+1)
	default:
		switch {
		case c == '/' && l.at(l.pos+1) == '/':
			l.lineComment()
		case c == '/' && l.at(l.pos+1) == '*':
			l.blockComment()
		case c == '"':
			l.quoted(l.pos)
		case c == '\'':
			l.apostrophe()
		default:
			l.operator()
		}
	}
}

func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

func (l *lexer) add(c class, end int) {
	l.toks = append(l.toks, token{start: uint32(l.pos), end: uint32(end), line: uint32(l.line), mate: -1, class: c})
	l.pos = end
}

func (l *lexer) addLines(c class, end int) {
	start := l.pos
	l.add(c, end)
	l.line += bytes.Count(l.src[start:end], []byte{'\n'})
}

func (l *lexer) lineEnd(i int) int {
	if n := bytes.IndexByte(l.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(l.src)
}

func (l *lexer) wordEnd(i int) int {
	for i < len(l.src) && isWordByte(l.src[i]) {
		i++
	}
	return i
}

func (l *lexer) word() {
	if l.src[l.pos] >= utf8.RuneSelf && l.wideSpace() {
		return
	}
	if l.prefixed() {
		return
	}
	l.add(word, l.wordEnd(l.pos+1))
}

// wideSpace skips the non-ASCII white space that the language allows.
func (l *lexer) wideSpace() bool {
	r, n := utf8.DecodeRune(l.src[l.pos:])
	switch r {
	case '\u0085', '\u200e', '\u200f', '\u2028', '\u2029':
		l.pos += n
		return true
	}
	return false
}

// prefixed reads literals and identifiers with a letter prefix: r"", b"", br"", c"", cr"", b'x', r#name.
func (l *lexer) prefixed() bool {
	i := l.pos
	c := l.src[i]
	if c == 'b' || c == 'c' {
		i++
	}
	raw, hashes := l.at(i) == 'r', 0
	if raw {
		for i++; l.at(i) == '#'; i++ {
			hashes++
		}
	}
	switch {
	case i == l.pos:
		return false
	case raw && l.at(i) == '"':
		l.rawString(i, hashes)
	case l.at(i) == '"':
		l.quoted(i)
	case c == 'b' && !raw && l.at(i) == '\'':
		l.character(i)
	case c == 'r' && hashes == 1 && byteClass[l.at(i)] == cWord:
		l.add(word, l.wordEnd(i))
	default:
		return false
	}
	return true
}

func (l *lexer) quoted(i int) {
	for i++; i < len(l.src); i++ {
		switch l.src[i] {
		case '\\':
			i++
		case '"':
			l.addLines(text, i+1)
			return
		}
	}
	l.unterminated("the end of a string")
}

func (l *lexer) rawString(i, hashes int) {
	closing := append([]byte{'"'}, bytes.Repeat([]byte{'#'}, hashes)...)
	if n := bytes.Index(l.src[i+1:], closing); n >= 0 {
		l.addLines(text, i+1+n+len(closing))
		return
	}
	l.unterminated("the end of a raw string")
}

// unterminated reports an unterminated literal and continues after its first line.
func (l *lexer) unterminated(what string) {
	l.problem.Report(int32(l.line), "expected %s", what)
	end := len(l.src)
	if l.restarts < maxRestarts {
		l.restarts++
		end = l.lineEnd(l.pos)
	}
	l.addLines(text, end)
}

// apostrophe distinguishes characters from lifetimes.
func (l *lexer) apostrophe() {
	next := l.at(l.pos + 1)
	if next == '\\' {
		l.character(l.pos)
		return
	}
	_, n := utf8.DecodeRune(l.src[l.pos+1:])
	switch {
	case n > 0 && next != '\'' && l.at(l.pos+1+n) == '\'':
		l.addLines(literal, l.pos+n+2)
	case next == 'r' && l.at(l.pos+2) == '#' && byteClass[l.at(l.pos+3)] == cWord:
		l.add(lifetime, l.wordEnd(l.pos+3))
	case byteClass[next] == cWord || byteClass[next] == cDigit:
		l.add(lifetime, l.wordEnd(l.pos+1))
	default:
		l.problem.Report(int32(l.line), "expected a character")
		l.add(punct, l.pos+1)
	}
}

// character reads a character literal, which cannot span lines.
func (l *lexer) character(i int) {
	for i++; i < len(l.src) && l.src[i] != '\n'; i++ {
		switch l.src[i] {
		case '\\':
			i++
		case '\'':
			l.add(literal, i+1)
			return
		}
	}
	l.problem.Report(int32(l.line), "expected the end of a character")
	l.addLines(literal, min(i, len(l.src)))
}

func (l *lexer) number() {
	hex := l.src[l.pos] == '0' && (l.at(l.pos+1) == 'x' || l.at(l.pos+1) == 'b' || l.at(l.pos+1) == 'o')
	i := l.wordEnd(l.pos)
	if !hex {
		if l.at(i) == '.' && l.at(i+1) != '.' && byteClass[l.at(i+1)] != cWord {
			i = l.wordEnd(i + 1)
		}
		if last := l.src[i-1]; (last == 'e' || last == 'E') && (l.at(i) == '+' || l.at(i) == '-') && byteClass[l.at(i+1)] == cDigit {
			i = l.wordEnd(i + 1)
		}
	}
	l.add(literal, i)
}

func (l *lexer) operator() {
	c, d := l.src[l.pos], l.at(l.pos+1)
	n := 1
	if secondByte[d] && pairs[[2]byte{c, d}] {
		n = 2
		if e := l.at(l.pos + 2); c == '.' && (e == '=' || e == '.') {
			n = 3
		}
	}
	l.add(punct, l.pos+n)
}

func (l *lexer) lineComment() {
	end := l.lineEnd(l.pos)
	switch third := l.at(l.pos + 2); {
	case third == '!':
		l.add(innerDoc, end)
	case third == '/' && l.at(l.pos+3) != '/':
		l.add(outerDoc, end)
	default:
		l.pos = end
	}
}

func (l *lexer) blockComment() {
	end, ok := l.commentEnd()
	if !ok {
		l.problem.Report(int32(l.line), "expected the end of a comment")
		if l.restarts < maxRestarts {
			l.restarts++
			end = l.lineEnd(l.pos)
		}
	}
	third, fourth := l.at(l.pos+2), l.at(l.pos+3)
	switch {
	case !ok:
	case third == '!':
		l.addLines(innerDoc, end)
		return
	case third == '*' && fourth != '*' && fourth != '/':
		l.addLines(outerDoc, end)
		return
	}
	l.line += bytes.Count(l.src[l.pos:end], []byte{'\n'})
	l.pos = end
}

// commentEnd returns the end of a nested block comment.
func (l *lexer) commentEnd() (int, bool) {
	depth := 0
	for i := l.pos; i+1 < len(l.src); i++ {
		switch {
		case l.src[i] == '/' && l.src[i+1] == '*':
			depth++
			i++
		case l.src[i] == '*' && l.src[i+1] == '/':
			depth--
			i++
			if depth == 0 {
				return i + 1, true
			}
		}
	}
	return len(l.src), false
}
