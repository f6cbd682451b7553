package cfamily

import (
	"bytes"

	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

type file struct {
	meter      *kernel.Meter
	src        []byte
	tokens     []token // code without directives
	words      []token // words of directives
	directives []directive
	branches   []branch
	comments   []comment
	// canon is the canonical token stream, including directives: each spelling is preceded by its length.
	canon   []byte
	problem kernel.Problem
	// scratch is a reused buffer.
	scratch []byte
	// guessed means that conditionals open and close blocks, so unbalanced brackets are not an error.
	guessed bool
}

// comment is one comment; it precedes tokens[at] and directives[directive].
type comment struct {
	start, end    int32
	line, last    int32
	at, directive int32
	alone         bool // first on its line
}

type lexer struct {
	file
	pos    int
	line   int32
	branch int32
	open   []int32 // enclosing conditional branches, innermost last
	fresh  bool    // only comments so far on this line
	inside bool    // inside a directive
}

// lex splits src.
func lex(meter *kernel.Meter, src []byte) *file {
	l := &lexer{line: 1, fresh: true, file: file{
		meter: meter, src: src, tokens: make([]token, 0, len(src)/5), branches: []branch{{}}, canon: make([]byte, 0, len(src)),
	}}
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		l.pos = 3
	}
	for l.pos < len(src) {
		meter.Step()
		l.step()
	}
	return &l.file
}

// fail reports the first problem found.
func (f *file) fail(line int32, format string, args ...any) {
	if !f.problem.Found() {
		f.problem.Report(line, format, args...)
	}
}

func (f *file) spelling(t token) []byte { return f.src[t.start:t.end] }

func (l *lexer) peek(offset int) byte {
	if l.pos+offset < len(l.src) {
		return l.src[l.pos+offset]
	}
	return 0
}

func (l *lexer) step() {
	c := l.src[l.pos]
	switch class := classes[c]; {
	case c == '\n':
		l.pos++
		l.line++
		l.fresh = true
	case class == classBlank:
		l.pos++
	case class&classDigit != 0, c == '.' && classes[l.peek(1)]&classDigit != 0:
		l.number()
	case class&classWord != 0:
		l.word()
	case c == '"':
		l.quoted(l.pos, '"', text)
	case c == '\'':
		l.quoted(l.pos, '\'', character)
	case c == '/' && (l.peek(1) == '/' || l.peek(1) == '*'):
		l.comment()
	case c == '\\' && l.splice() > 0:
		l.pos += l.splice()
		l.line++
	case c == '#' && l.fresh && !l.inside:
		l.directive()
	default:
		l.operator()
	}
}

func (l *lexer) splice() int {
	if l.peek(0) != '\\' {
		return 0
	}
	i := 1
	for classes[l.peek(i)] == classBlank {
		i++
	}
	if l.peek(i) == '\n' {
		return i + 1
	}
	return 0
}

func (l *lexer) emit(start int, line int32, k kind, id uint8) {
	t := token{start: int32(start), end: int32(l.pos), line: line, canon: int32(len(l.canon)), branch: l.branch, kind: k,
		id: id, margin: l.fresh && (start == 0 || l.src[start-1] == '\n')}
	l.fresh = false
	if k == punctuation && start+1 == l.pos {
		l.canon = append(l.canon, 1, l.src[start])
	} else {
		l.addCanon(l.src[start:l.pos], k == text || k == character)
	}
	if l.inside {
		l.words = append(l.words, t)
		return
	}
	l.tokens = append(l.tokens, t)
}

func (l *lexer) addCanon(spelling []byte, spliced bool) {
	if spliced && bytes.Contains(spelling, []byte("\\\n")) && !bytes.Contains(spelling, []byte("R\"")) {
		spelling = bytes.ReplaceAll(spelling, []byte("\\\n"), nil)
	}
	l.canon = source.AppendPart(l.canon, spelling)
}

func (l *lexer) number() {
	start := l.pos
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case (c == '+' || c == '-') && l.pos > start && bytes.IndexByte([]byte("eEpP"), l.src[l.pos-1]) >= 0 &&
			l.exponent(start):
		case c == '\'' && classes[l.peek(1)]&classWord != 0:
		case c == '.' || classes[c]&classWord != 0:
		default:
			l.emit(start, l.line, number, 0)
			return
		}
		l.pos++
	}
	l.emit(start, l.line, number, 0)
}

// exponent reports whether the letter before pos is an exponent: "e" is a digit in 0x1e+2.
func (l *lexer) exponent(start int) bool {
	last := l.src[l.pos-1]
	hex := l.pos-start > 1 && l.src[start] == '0' && l.src[start+1]|0x20 == 'x'
	return !hex || last|0x20 == 'p'
}

func (l *lexer) word() {
	start, end := l.pos, l.pos
	for end < len(l.src) && classes[l.src[end]]&classWord != 0 {
		end++
	}
	l.pos = end
	w := l.src[start:end]
	if next := l.peek(0); (next == '"' || next == '\'') && len(w) <= 3 && l.literalPrefix(start, w, next) {
		return
	}
	l.emit(start, l.line, identifier, keywords[string(w)])
}

func (l *lexer) literalPrefix(start int, w []byte, quote byte) bool {
	switch string(w) {
	case "L", "u", "U", "u8":
		k := text
		if quote == '\'' {
			k = character
		}
		l.quoted(start, quote, k)
		return true
	case "R", "LR", "uR", "UR", "u8R":
		return quote == '"' && l.raw(start)
	}
	return false
}

// raw reads R"delimiter( … )delimiter".
func (l *lexer) raw(start int) bool {
	open := bytes.IndexByte(l.src[l.pos:min(len(l.src), l.pos+18)], '(')
	if open < 0 || bytes.ContainsAny(l.src[l.pos+1:l.pos+open], " \t\n\"\\)") {
		return false
	}
	closing := append(append([]byte{')'}, l.src[l.pos+1:l.pos+open]...), '"')
	line := l.line
	length := bytes.Index(l.src[l.pos+open:], closing)
	if length < 0 {
		l.fail(line, "expected %q at the end of the raw string", closing)
		return false
	}
	end := l.pos + open + length + len(closing)
	l.line += int32(bytes.Count(l.src[l.pos:end], []byte{'\n'}))
	l.pos = end
	l.emit(start, line, text, 0)
	return true
}

// quoted reads a literal; an unclosed one ends with its line.
func (l *lexer) quoted(start int, quote byte, k kind) {
	line := l.line
	for l.pos++; l.pos < len(l.src); l.pos++ {
		switch l.src[l.pos] {
		case quote:
			l.pos++
			l.emit(start, line, k, 0)
			return
		case '\\':
			if n := l.splice(); n > 0 {
				l.pos += n - 1
				l.line++
			} else if l.peek(1) != '\n' {
				l.pos++
			}
		case '\n':
			l.unclosed(start, line, quote, k)
			return
		}
	}
	l.pos = len(l.src)
	l.unclosed(start, line, quote, k)
}

func (l *lexer) unclosed(start int, line int32, quote byte, k kind) {
	if !l.inside {
		l.fail(line, "expected %c at the end of the literal", quote)
	}
	l.emit(start, line, k, 0)
}

func (l *lexer) comment() {
	c := comment{start: int32(l.pos), line: l.line, at: int32(len(l.tokens)), directive: int32(len(l.directives)),
		alone: l.fresh && !l.inside}
	if l.src[l.pos+1] == '/' {
		l.lineComment()
	} else if n := bytes.Index(l.src[l.pos+2:], []byte("*/")); n >= 0 {
		end := l.pos + 2 + n + 2
		l.line += int32(bytes.Count(l.src[l.pos:end], []byte{'\n'}))
		l.pos = end
	} else {
		l.fail(l.line, "expected */ at the end of the comment")
		l.pos = len(l.src)
	}
	c.end, c.last = int32(l.pos), l.line
	l.comments = append(l.comments, c)
}

func (l *lexer) lineComment() {
	for {
		n := bytes.IndexByte(l.src[l.pos:], '\n')
		if n < 0 {
			l.pos = len(l.src)
			return
		}
		l.pos += n
		if l.src[l.pos-1] != '\\' {
			return
		}
		l.pos++
		l.line++
	}
}

func (l *lexer) operator() {
	start := l.pos
	c := l.src[start]
	if c < 128 {
		for _, o := range operators[c] {
			if l.pos+len(o.spelling) <= len(l.src) && string(l.src[l.pos:l.pos+len(o.spelling)]) == o.spelling {
				l.pos += len(o.spelling)
				l.emit(start, l.line, punctuation, o.id)
				return
			}
		}
	}
	l.pos++
	l.emit(start, l.line, punctuation, c)
}
