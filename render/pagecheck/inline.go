package pagecheck

import (
	"fmt"
	"html"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
)

var (
	definition = lazy.MustCompile(`^ {0,3}\[([^\]]+)\]:[ \t]*(?:<([^<>]*)>|(\S+))`)
	inlineDest = lazy.MustCompile(`^\(\s*(?:<([^<>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`)
	refName    = lazy.MustCompile(`^\[([^\[\]]*)\]`)
	entity     = lazy.MustCompile(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
)

// inline collects links, uses of definitions, definitions and anchors from the lines of one block; start is the index
// of the first of them.
func (s *scan) inline(lines []string, start int) {
	text := strings.Join(lines, "\n")
	if strings.Contains(text, "<!--") && keepAny.MatchString(text) {
		s.report(start+1, Error, "the marker of a keep block stands inside text", "put it on a line of its own, with blank lines around it")
	}
	if !strings.ContainsAny(text, "[<") {
		return
	}
	text = blankEscapedTags(blankCode(text))
	for i, line := range strings.Split(text, "\n") {
		s.lineMarks(line, start+i+1)
	}
	s.brackets(text, start+1)
}

// lineMarks reads definitions and HTML attributes.
func (s *scan) lineMarks(line string, number int) {
	if strings.Contains(line, "]:") {
		s.define(line, number)
	}
	if !strings.Contains(line, "<") {
		return
	}
	for _, m := range idTag.FindAllStringSubmatch(line, -1) {
		id := html.UnescapeString(m[1] + m[2])
		if s.anchors[id] {
			s.report(number, Error, fmt.Sprintf("anchor %q comes twice", id), "give each place an id of its own")
		}
		s.anchors[id] = true
	}
	for _, m := range hrefTag.FindAllStringSubmatch(line, -1) {
		s.addLink(html.UnescapeString(m[1]+m[2]), number)
	}
}

// define reads a reference definition.
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

// afterLabel reads what follows the closing bracket of a label.
func (s *scan) afterLabel(rest string, line int, before string) {
	switch {
	case strings.HasPrefix(rest, "("):
		if m := inlineDest.FindStringSubmatch(rest[:min(len(rest), 4000)]); m != nil {
			s.addLink(unescape(m[1]+m[2]), line)
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

func normalName(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// blankCode replaces code spans by blanks of the same length, keeping line ends.
func blankCode(text string) string {
	if !strings.Contains(text, "`") {
		return text
	}
	spans := codeSpans(text)
	out := []byte(text)
	for _, span := range spans {
		for i := span[0]; i < span[1]; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// blankEscapedTags replaces "\<" by blanks, so that what follows is not taken for a tag.
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

// codeSpans returns where code spans start and end, marks included.
func codeSpans(text string) [][2]int {
	runs := map[int][]int{}
	eachRun(text, func(at, n int) { runs[n] = append(runs[n], at) })
	var spans [][2]int
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i += 2
			continue
		case text[i] != '`':
			i++
			continue
		}
		n := runLength(text[i:])
		list := runs[n]
		for len(list) > 0 && list[0] < i+n {
			list = list[1:]
		}
		runs[n] = list
		if len(list) == 0 {
			i += n
			continue
		}
		spans = append(spans, [2]int{i, list[0] + n})
		i = list[0] + n
	}
	return spans
}

func eachRun(text string, found func(at, n int)) {
	for i := 0; i < len(text); {
		n := runLength(text[i:])
		if n > 0 {
			found(i, n)
		}
		i += max(n, 1)
	}
}

func runLength(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

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

// headingText returns what a reader sees of a heading: no marks, no tags, links as their text.
func headingText(s string) string {
	s = strings.TrimSpace(s)
	var b strings.Builder
	from := 0
	for _, span := range codeSpans(s) {
		b.WriteString(wordsOf(s[from:span[0]]))
		n := runLength(s[span[0]:])
		b.WriteString(strings.TrimSpace(s[span[0]+n : span[1]-n]))
		from = span[1]
	}
	b.WriteString(wordsOf(s[from:]))
	return strings.TrimSpace(b.String())
}

// unseen matches the parts of a heading that a reader does not see, and escapes, which keep their neighbours visible.
var unseen = lazy.MustCompile(`\\.|</?[A-Za-z][^<>]*>|\]\((?:<[^<>]*>|[^\s()]*)(?:\s+"[^"]*")?\)|\]\[[^\[\]]*\]`)

func wordsOf(s string) string {
	s = unseen.ReplaceAllStringFunc(s, func(part string) string {
		if part[0] == '\\' {
			return part
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
