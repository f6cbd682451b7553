package source

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// Statements finds the statements of a text by brackets and lines, for all supported languages.
type Statements struct {
	traits *Traits
	lines  []string
	texts  []string
	inside []bool // the line begins inside a multi-line expression
	depths []int  // open brackets at the line start
}

const (
	// Limits for the size of a usage example and of a searched line; lines are searched once per name.
	mostLinesShown = 6
	mostBytesShown = 300
	longestLine    = 1 << 10
)

// NewStatements reads the brackets of a text, skipping strings and comments.
func NewStatements(text, language string) *Statements {
	s := &Statements{traits: TraitsOf(language), lines: strings.Split(text, "\n")}
	b := nesting{traits: s.traits}
	for _, line := range s.lines {
		s.texts = append(s.texts, strings.TrimSpace(line))
		s.inside, s.depths = append(s.inside, b.inExpression()), append(s.depths, len(b.open))
		b.line(line)
	}
	s.inside, s.depths = append(s.inside, false), append(s.depths, len(b.open))
	return s
}

// At returns the dedented statement at a 1-based line; false if the statement is long or opens a block.
func (s *Statements) At(line int) (code string, from, to int, ok bool) {
	at := line - 1
	if at < 0 || at >= len(s.lines) {
		return "", 0, 0, false
	}
	start := at
	for start > 0 && at-start < mostLinesShown && (s.inside[start] || s.continues(start)) {
		start--
	}
	if s.inside[start] || s.continues(start) || compound(s.texts[start], s.traits) {
		return "", 0, 0, false
	}
	long := 0
	for end := start; end < len(s.lines) && end < start+mostLinesShown; end++ {
		if long += len(s.texts[end]); long > mostBytesShown {
			break
		}
		if end < at || !s.ends(start, end) {
			continue
		}
		code = dedent(s.lines[start : end+1])
		return code, start + 1, end + 1, code != "" && len(code) <= mostBytesShown
	}
	return "", 0, 0, false
}

// Limits for the further uses of a name and the lines searched for them: each name of a file is searched.
const (
	mostUses  = 20
	mostAhead = 200
)

// Again lists the lines after line, up to end, that call a name. It stops where a line rebinds the name or is too
// long.
func (s *Statements) Again(name string, line, end int) []int {
	if name == "" {
		return nil
	}
	if end == 0 || end > len(s.lines) {
		end = len(s.lines)
	}
	end = min(end, line+mostAhead)
	var out []int
	for i := line; i < end && len(out) < mostUses && len(s.lines[i]) <= longestLine; i++ {
		switch how := usedIn(s.lines[i], name); how {
		case bound:
			return nil
		case called:
			out = append(out, i+1)
		}
	}
	return out
}

type usedAs uint8

const (
	notUsed usedAs = iota
	called
	bound
)

func usedIn(line, name string) usedAs {
	for at := 0; ; at += len(name) {
		next := strings.Index(line[at:], name)
		if next < 0 {
			return notUsed
		}
		at += next
		rest := strings.TrimLeft(line[at+len(name):], " ")
		if rest == "" || at > 0 && (nameByte(line[at-1]) || line[at-1] == '.') || nameByte(line[at+len(name)]) {
			continue
		}
		switch {
		case strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") || strings.HasPrefix(rest, ":="):
			return bound
		case rest[0] == '(' || rest[0] == '!':
			return called
		}
	}
}

func nameByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

func (s *Statements) continues(i int) bool {
	text := s.texts[i]
	if text == "" || i == 0 || s.depths[i] < s.depths[i-1] {
		return false
	}
	if !s.traits.Indented && strings.ContainsRune(".?:)]+|&=", rune(text[0])) {
		return true
	}
	before := s.texts[i-1]
	if before == "" || strings.HasPrefix(before, "//") || strings.HasPrefix(before, "*") || strings.HasPrefix(before, "/*") || strings.HasPrefix(before, "#") {
		return false
	}
	last := before[len(before)-1]
	if s.traits.Terminated {
		return !strings.ContainsRune(";{}:]", rune(last)) && !strings.HasPrefix(before, "@")
	}
	return strings.ContainsRune(`\.+&|=`, rune(last))
}

func (s *Statements) ends(start, end int) bool {
	if s.depths[end+1] != s.depths[start] || s.inside[end+1] {
		return false
	}
	text := s.texts[end]
	if s.traits.Terminated {
		return strings.HasSuffix(text, ";")
	}
	if strings.HasSuffix(text, ";") {
		return true
	}
	return end+1 >= len(s.lines) || !s.continues(end+1)
}

// blocks are the first words of compound statements and of lines that are not worth showing.
var blocks = lazy.Set(`if for while switch match else case with def func fn class try except catch return import from use async elif
	function export loop unsafe raise throw go defer } del`)

// compound reports whether a trimmed line begins a block or is not a statement.
func compound(text string, t *Traits) bool {
	word := text[:min(len(text), longestLine)]
	if i := strings.IndexAny(word, " (:{"); i >= 0 {
		word = text[:i]
	}
	return text == "" || blocks[word] || strings.ContainsRune("}#*", rune(text[0])) || strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/*") || t.Indented && strings.HasSuffix(text, ":")
}

func dedent(lines []string) string {
	common := ""
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		for i == 0 || !strings.HasPrefix(indent, common) {
			if i == 0 {
				common = indent
				break
			}
			common = common[:len(common)-1]
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight(strings.TrimPrefix(line, common), " \t")
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

type nesting struct {
	traits  *Traits
	open    []byte // 'e' for a brace that is part of an expression
	quote   string
	comment bool
}

func (b *nesting) inExpression() bool {
	return b.quote != "" || b.comment || len(b.open) > 0 && b.open[len(b.open)-1] != '{'
}

func (b *nesting) line(line string) {
	for i := 0; i < len(line); {
		rest := line[i:]
		switch {
		case b.comment:
			end := strings.Index(rest, "*/")
			if end < 0 {
				return
			}
			b.comment = false
			i += end + 2
		case b.quote != "":
			i += b.inString(rest)
		default:
			n, done := b.code(line, i)
			if done {
				return
			}
			i += n
		}
	}
	if len(b.quote) == 1 && b.quote != "`" { // it ends with its line
		b.quote = ""
	}
}

func (b *nesting) inString(rest string) int {
	for j := 0; j < len(rest); j++ {
		switch {
		case rest[j] == '\\' && b.quote != b.traits.Raw:
			j++
		case strings.HasPrefix(rest[j:], b.quote):
			n := j + len(b.quote)
			b.quote = ""
			return n
		}
	}
	return len(rest)
}

// code reads the token at i outside strings and comments; done if the rest of the line is a comment.
func (b *nesting) code(line string, i int) (n int, done bool) {
	rest := line[i:]
	if b.traits.Indented && rest[0] == '#' || !b.traits.Indented && strings.HasPrefix(rest, "//") {
		return 0, true
	}
	if !b.traits.Indented && strings.HasPrefix(rest, "/*") {
		b.comment = true
		return 2, false
	}
	for _, mark := range b.traits.LongStrings {
		if strings.HasPrefix(rest, mark) {
			b.quote = mark
			return len(mark), false
		}
	}
	switch c := rest[0]; c {
	case '"':
		b.quote = `"`
	case '\'':
		return b.apostrophe(rest), false
	case '(', '[':
		b.open = append(b.open, c)
	case '{':
		if literalBrace(line, i) {
			c = 'e'
		}
		b.open = append(b.open, c)
	case ')', ']', '}':
		if len(b.open) > 0 {
			b.open = b.open[:len(b.open)-1]
		}
	}
	return 1, false
}

// apostrophe begins a string, a character or a Rust lifetime.
func (b *nesting) apostrophe(rest string) int {
	if b.traits.Apostrophes {
		b.quote = "'"
		return 1
	}
	for _, n := range []int{2, 3, 4, 5, 6} {
		if n < len(rest) && rest[n] == '\'' && (rest[1] == '\\' || n == 2 || rest[1] >= 0x80) {
			return n + 1
		}
	}
	return 1
}

// literalBrace reports whether a brace is part of an expression, judging by the text before it.
func literalBrace(line string, i int) bool {
	before := strings.TrimRight(line[:i], " \t")
	if before == "" {
		return false
	}
	if strings.HasSuffix(before, "return") || strings.ContainsRune("(,=:[?$", rune(before[len(before)-1])) {
		return true
	}
	last := before[len(before)-1]
	return len(before) == i && (last == ']' || last == '}' || last == '_' || last >= '0' && last <= '9' || last|0x20 >= 'a' && last|0x20 <= 'z')
}
