package java

import (
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/source/control"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

type span = kernel.Span[int32]

// The kinds of tokens. A single special character is its own kind.
const (
	word     = 1 + iota // identifier or keyword
	number              // numeric literal
	text                // string or character literal
	block               // text block
	operator            // two or more special characters
)

type token struct {
	kind             uint8
	start, end, line int32
}

// comment is a comment; before is the index of the following token.
type comment struct {
	start, end, line int32
	before           int32
	doc              bool
}

type unit struct {
	meter    kernel.Meter
	src      string
	invalid  bool // src is not valid UTF-8
	toks     []token
	comments []comment
	// ends maps each opening bracket to the index after its group. For < and > a nonzero value marks type arguments
	// rather than comparisons.
	ends    []int32
	lines   int32
	problem kernel.Problem
	// branches are those of the tokens.
	branches []control.Branch
	forks    *control.Forks
}

func read(meter kernel.Meter, src string) *unit {
	src = strings.TrimPrefix(src, "\uFEFF")
	u := &unit{meter: meter, src: src, invalid: !utf8.ValidString(src)}
	u.toks = make([]token, 0, len(src)/8+16)
	u.lex()
	u.match()
	return u
}

func (u *unit) text(i int32) string {
	t := u.toks[i]
	return u.src[t.start:t.end]
}

func (u *unit) name(i int32) string { return u.shown(u.text(i)) }

func (u *unit) kind(i int32) uint8 {
	u.meter.Step()
	if i < 0 || int(i) >= len(u.toks) {
		return 0
	}
	return u.toks[i].kind
}

func (u *unit) isWord(i int32, s string) bool {
	return u.kind(i) == word && u.text(i) == s
}

func (u *unit) line(i int32) int32 {
	if int(i) >= len(u.toks) {
		return u.lines
	}
	return u.toks[i].line
}

// shown returns a storable copy of s: valid UTF-8 and independent of the source text.
func (u *unit) shown(s string) string {
	if u.invalid {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return strings.Clone(s)
}

const (
	classOther = iota
	classSpace
	classWord
	classDigit
)

var classes = func() (c [256]uint8) {
	for i := range c {
		b := byte(i)
		switch {
		case b == ' ' || b == '\t' || b == '\f' || b == '\r' || b == 0x1a:
			c[i] = classSpace
		case b >= '0' && b <= '9':
			c[i] = classDigit
		case b == '_' || b == '$' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80:
			c[i] = classWord
		}
	}
	return c
}()

// operators are the multi-character operators, longest first. `>` is always a single token because it may close type
// arguments; `>=` cannot.
var operators = map[byte][]string{
	'=': {"=="}, '!': {"!="}, '<': {"<<=", "<<", "<="}, '>': {">="},
	'&': {"&&", "&="}, '|': {"||", "|="}, '^': {"^="}, '%': {"%="}, '*': {"*="}, '/': {"/="},
	'+': {"++", "+="}, '-': {"--", "-=", "->"}, ':': {"::"}, '.': {"..."},
}

var multiple = func() (m [256][]string) {
	for b, ops := range operators {
		m[b] = ops
	}
	return m
}()

const singles = "{}()[];,.@<>=!~?:+-*/&|^%"

var single = func() (s [256]bool) {
	for i := range len(singles) {
		s[singles[i]] = true
	}
	return s
}()

func (u *unit) lex() {
	src := u.src
	line := int32(1)
	for i := 0; i < len(src); {
		u.meter.Step()
		c := src[i]
		switch classes[c] {
		case classSpace:
			i++
			continue
		case classWord:
			j := i + 1
			for j < len(src) && classes[src[j]] >= classWord {
				j++
			}
			i = u.add(word, i, j, line)
			continue
		case classDigit:
			i = u.add(number, i, numberEnd(src, i), line)
			continue
		}
		switch {
		case c == '\n':
			line++
			i++
		case c == '"' && strings.HasPrefix(src[i:], `"""`):
			end := u.blockEnd(i, line)
			u.add(block, i, end, line)
			line += int32(strings.Count(src[i:end], "\n"))
			i = end
		case c == '"' || c == '\'':
			i = u.add(text, i, u.literalEnd(i, line), line)
		case c == '/' && i+1 < len(src) && (src[i+1] == '/' || src[i+1] == '*'):
			end := u.comment(i, line)
			line += int32(strings.Count(src[i:end], "\n"))
			i = end
		case c == '.' && i+1 < len(src) && classes[src[i+1]] == classDigit:
			i = u.add(number, i, numberEnd(src, i), line)
		default:
			i = u.punctuation(i, line)
		}
	}
	u.lines = line
}

func (u *unit) add(kind uint8, start, end int, line int32) int {
	u.toks = append(u.toks, token{kind: kind, start: int32(start), end: int32(end), line: line})
	return end
}

func (u *unit) punctuation(i int, line int32) int {
	c := u.src[i]
	for _, op := range multiple[c] {
		if strings.HasPrefix(u.src[i:], op) {
			return u.add(operator, i, i+len(op), line)
		}
	}
	if !single[c] {
		u.problem.Report(line, "unexpected character %q", c)
		return u.add(operator, i, i+1, line)
	}
	return u.add(c, i, i+1, line)
}

func numberEnd(src string, i int) int {
	exponent := byte('e')
	if strings.HasPrefix(src[i:], "0x") || strings.HasPrefix(src[i:], "0X") {
		exponent = 'p'
	}
	for ; i < len(src); i++ {
		c := src[i]
		sign := (c == '+' || c == '-') && src[i-1]|0x20 == exponent
		if classes[c] < classWord && c != '.' && !sign {
			break
		}
	}
	return i
}

func (u *unit) literalEnd(i int, line int32) int {
	quote := u.src[i]
	for i++; i < len(u.src); i++ {
		switch u.src[i] {
		case quote:
			return i + 1
		case '\\':
			if i+1 < len(u.src) && u.src[i+1] != '\n' {
				i++
			}
		case '\n':
			u.problem.Report(line, "expected %c at the end of the literal", quote)
			return i
		}
	}
	u.problem.Report(line, "expected %c at the end of the literal", quote)
	return len(u.src)
}

func (u *unit) blockEnd(start int, line int32) int {
	for i := start + 3; i < len(u.src); i++ {
		switch {
		case u.src[i] == '\\':
			i++
		case strings.HasPrefix(u.src[i:], `"""`):
			return i + 3
		}
	}
	u.problem.Report(line, `expected """ at the end of the text block`)
	return len(u.src)
}

func (u *unit) comment(i int, line int32) int {
	src := u.src
	if src[i+1] == '*' {
		n := strings.Index(src[i+2:], "*/")
		end := i + 2 + n + 2
		if n < 0 {
			end = len(src)
			u.problem.Report(line, "expected */ at the end of the comment")
		}
		doc := strings.HasPrefix(src[i:end], "/**") && end-i > len("/**/")
		u.addComment(i, end, line, doc)
		return end
	}
	end := len(src)
	if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
		end = i + n
	}
	doc := strings.HasPrefix(src[i:end], "///") && !strings.HasPrefix(src[i:end], "////")
	if doc && u.continuesDoc(i, line) {
		u.comments[len(u.comments)-1].end = int32(end)
		return end
	}
	u.addComment(i, end, line, doc)
	return end
}

// continuesDoc reports whether the `///` comment at i continues one on the previous line.
func (u *unit) continuesDoc(i int, line int32) bool {
	if len(u.comments) == 0 {
		return false
	}
	last := u.comments[len(u.comments)-1]
	if !last.doc || u.src[last.start+1] != '/' || int(last.before) != len(u.toks) {
		return false
	}
	between := u.src[last.end:i]
	return strings.Count(between, "\n") == 1 && strings.TrimSpace(between) == ""
}

func (u *unit) addComment(start, end int, line int32, doc bool) {
	u.comments = append(u.comments, comment{
		start: int32(start), end: int32(end), line: line, before: int32(len(u.toks)), doc: doc,
	})
}
