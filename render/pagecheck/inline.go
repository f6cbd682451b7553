package pagecheck

import (
	"fmt"
	"html"
	"iter"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var (
	definition = lazyregexp.New(`^ {0,3}\[([^\]]+)\]:[ \t]*(?:<([^<>]*)>|(\S+))`)
	inlineDest = lazyregexp.New(`^\(\s*(?:<([^<>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`)
	refName    = lazyregexp.New(`^\[([^\[\]]*)\]`)
	entity     = lazyregexp.New(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
)

// inline collects links, references, definitions and anchors from the text of one block; start is the index of its
// first line.
func (s *scan) inline(text string, start int) {
	if strings.Contains(text, "<!--") && keepAny.MatchString(text) {
		s.report(start+1, Error, "the marker of a keep block is inside text", "put it on a separate line, with blank lines around it")
	}
	if !strings.ContainsAny(text, "[<") {
		return
	}
	text = blankEscapedTags(blankCode(text))
	if strings.Contains(text, "]:") || strings.Contains(text, "<") {
		number := start
		for line := range strings.SplitSeq(text, "\n") {
			number++
			s.lineMarks(line, number)
		}
	}
	s.brackets(text, start+1)
}

func (s *scan) lineMarks(line string, number int) {
	if strings.Contains(line, "]:") {
		s.define(line, number)
	}
	if !strings.Contains(line, "<") || !strings.Contains(line, "=") {
		return
	}
	for _, m := range idTag.FindAllStringSubmatch(line, -1) {
		id := html.UnescapeString(m[1] + m[2])
		if s.anchors[id] {
			s.report(number, Error, fmt.Sprintf("anchor %q comes twice", id), "give each place a unique id")
		}
		s.anchors[id] = true
	}
	for _, m := range hrefTag.FindAllStringSubmatch(line, -1) {
		s.addLink(html.UnescapeString(m[1]+m[2]), number)
	}
}

func (s *scan) define(line string, number int) {
	m := definition.FindStringSubmatch(line)
	if m == nil {
		return
	}
	s.definitions[normalName(m[1])] = true
	if !strings.HasPrefix(m[1], "^") {
		s.addLink(unescape(m[2]+m[3]), number)
	}
}

func (s *scan) addLink(dest string, line int) {
	s.links = append(s.links, link{dest: dest, line: line, keep: s.keep != ""})
}

// brackets reads [text](dest), [text][name] and [^note].
func (s *scan) brackets(text string, line int) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			line++
		case '\\':
			if i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case '[':
			if strings.HasPrefix(text[i:], "[^") {
				s.footnote(text[i:], line, i == 0 || text[i-1] == '\n')
			}
		case ']':
			s.afterLabel(text[i+1:], line, text[:i])
		}
	}
}

func (s *scan) footnote(rest string, line int, atStart bool) {
	m := refName.FindStringSubmatch(rest[:min(len(rest), 200)])
	if m == nil || atStart && strings.HasPrefix(rest[len(m[0]):], ":") {
		return
	}
	s.uses = append(s.uses, link{dest: m[1], line: line, keep: s.keep != ""})
}

func (s *scan) afterLabel(rest string, line int, before string) {
	switch {
	case strings.HasPrefix(rest, "("):
		if dest, ok := cutDest(rest[:min(len(rest), 4000)]); ok {
			s.addLink(unescape(dest), line)
		}
	case strings.HasPrefix(rest, "["):
		m := refName.FindStringSubmatch(rest[:min(len(rest), 1000)])
		if m == nil {
			return
		}
		name := m[1]
		if name == "" {
			name = before[strings.LastIndexByte(before, '[')+1:]
		}
		s.uses = append(s.uses, link{dest: name, line: line, keep: s.keep != ""})
	}
}

// cutDest reads a destination in parentheses. Most are plain paths.
func cutDest(rest string) (dest string, ok bool) {
	if end := strings.IndexAny(rest[1:], "()< \t\n\f\r") + 1; end > 0 && rest[end] == ')' {
		return rest[1:end], true
	}
	m := inlineDest.FindStringSubmatch(rest)
	if m == nil {
		return "", false
	}
	return m[1] + m[2], true
}

func normalName(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// blankCode replaces code spans by blanks of the same length, keeping line ends.
func blankCode(text string) string {
	if !strings.Contains(text, "`") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	done := 0
	for from, to := range codeSpans(text) {
		b.WriteString(text[done:from])
		for i := from; i < to; i++ {
			if text[i] == '\n' {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		}
		done = to
	}
	b.WriteString(text[done:])
	return b.String()
}

// blankEscapedTags replaces "\<" by blanks, since it starts no tag.
func blankEscapedTags(text string) string {
	if !strings.Contains(text, `\<`) {
		return text
	}
	out := []byte(text)
	for i := 0; i+1 < len(out); i++ {
		if out[i] != '\\' {
			continue
		}
		if out[i+1] == '<' {
			out[i], out[i+1] = ' ', ' '
		}
		i++
	}
	return string(out)
}

// codeSpans yields the start and end of code spans, including the backticks.
func codeSpans(text string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		alone := map[int]bool{} // lengths of unclosed runs, to search only once
		for i := 0; i < len(text); {
			next := strings.IndexAny(text[i:], "\\`")
			if next < 0 {
				return
			}
			i += next
			if text[i] == '\\' {
				i += 2
				continue
			}
			n, end := runLength(text[i:], '`'), -1
			if !alone[n] {
				end = closingRun(text, n, i+n)
			}
			if end < 0 {
				alone[n] = true
				i += n
				continue
			}
			if !yield(i, end+n) {
				return
			}
			i = end + n
		}
	}
}

// closingRun returns the start of the next run of exactly n backticks, or -1.
func closingRun(text string, n, from int) int {
	for i := from; ; {
		next := strings.IndexByte(text[i:], '`')
		if next < 0 {
			return -1
		}
		i += next
		run := runLength(text[i:], '`')
		if run == n {
			return i
		}
		i += run
	}
}

func runLength(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// unescape removes the backslashes and entities of Markdown.
func unescape(s string) string {
	if !strings.ContainsAny(s, "\\&") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && isPunct(s[i+1]) {
			i++
		}
		b.WriteByte(s[i])
	}
	return entity.ReplaceAllStringFunc(b.String(), html.UnescapeString)
}

func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

// headingText returns the visible text of a heading: no marks or tags, links as their text.
func headingText(s string) string {
	s = strings.TrimSpace(s)
	var b strings.Builder
	from := 0
	for start, end := range codeSpans(s) {
		b.WriteString(wordsOf(s[from:start]))
		n := runLength(s[start:], '`')
		b.WriteString(codeText(s[start+n : end-n]))
		from = end
	}
	b.WriteString(wordsOf(s[from:]))
	return strings.TrimSpace(b.String())
}

// codeText trims the padding of a code span.
func codeText(s string) string {
	if strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") && strings.TrimSpace(s) != "" {
		return s[1 : len(s)-1]
	}
	return s
}

// unseen matches the invisible parts of a heading, and escapes, to keep their neighbours visible.
var unseen = lazyregexp.New(`\\.|!\[[^\[\]]*\](?:\((?:<[^<>]*>|[^\s()]*)(?:\s+"[^"]*")?\)|\[[^\[\]]*\])?|</?[A-Za-z][^<>]*>|\]\((?:<[^<>]*>|[^\s()]*)(?:\s+"[^"]*")?\)|\]\[[^\[\]]*\]`)

// autolink matches an address in angle brackets, which is visible, unlike a tag.
var autolink = lazyregexp.New(`^<[A-Za-z][A-Za-z0-9+.-]+:[^\s<>]*>$`)

func wordsOf(s string) string {
	if !strings.ContainsAny(s, "\\<[]_&") {
		return s
	}
	s = unseen.ReplaceAllStringFunc(s, func(part string) string {
		switch {
		case part[0] == '\\':
			return part
		case part[0] == '<' && autolink.MatchString(part):
			return part[1 : len(part)-1]
		}
		return ""
	})
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s) && isPunct(s[i+1]):
			i++
			b.WriteByte(s[i])
		case c == '[':
		case c == '_' && (i == 0 || i+1 == len(s) || !isWord(s[i-1]) || !isWord(s[i+1])):
		default:
			b.WriteByte(c)
		}
	}
	return entity.ReplaceAllStringFunc(b.String(), html.UnescapeString)
}

func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
