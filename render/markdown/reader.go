package markdown

import (
	"regexp"
	"strings"
)

// blockReader reads the blocks of Markdown as people write it in comments: more forgiving about indentation than a
// Markdown processor, and without raw HTML, which the readers of each language translate first.
type blockReader struct {
	inlineReader
	fence    string // language of a fence or of indented code that names none
	indented bool   // four spaces make code
	headings bool
	tidy     func(lang string, lines []string) (string, []string) // last touch to a fence
}

var (
	bullet     = regexp.MustCompile(`^( *)([-*+]|[0-9]{1,9}[.)])( +|$)`)
	atxHeading = regexp.MustCompile(`^ *#{1,6}(?: +(.*?))?(?: +#+)?$`)
	underline  = regexp.MustCompile(`^ {0,3}(=+|-{2,})$`)
	rule       = regexp.MustCompile(`^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$`)
	definition = regexp.MustCompile(`^ {0,3}\[([^\]^][^\]]{0,200})\]:(?:\s+\S|$)`)
	delimiter  = regexp.MustCompile(`^ *\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$`)
)

func (r blockReader) read(s string) []block {
	lines := dedentAll(splitLines(s))
	r.defs = map[string]bool{}
	for _, line := range lines {
		if isDefinition(line) {
			r.defs[strings.ToLower(definition.FindStringSubmatch(line)[1])] = true
		}
	}
	return r.blocks(lines, 0)
}

// starts reports whether a line starts with one of some characters. Most lines are text, and need not be matched with the
// pattern of each block.
func starts(line, with string) bool {
	body := strings.TrimLeft(line, " ")
	return body != "" && strings.IndexByte(with, body[0]) >= 0
}

func isBullet(line string) bool { return starts(line, "-*+0123456789") && bullet.MatchString(line) }

func isRule(line string) bool { return starts(line, "-*_") && rule.MatchString(line) }

func isDefinition(line string) bool { return starts(line, "[") && definition.MatchString(line) }

func (r blockReader) isHeading(line string) bool {
	return r.headings && starts(line, "#") && atxHeading.MatchString(line)
}

func (r blockReader) isUnderline(line string) bool {
	return r.headings && starts(line, "=-") && underline.MatchString(line)
}

// blocks reads lines whose common indentation has been removed.
func (r blockReader) blocks(lines []string, depth int) []block {
	var out []block
	for i := 0; i < len(lines); {
		b, next := r.block(lines, i, depth)
		if b != nil {
			out = append(out, *b)
		}
		i = next
	}
	return out
}

func (r blockReader) block(lines []string, i, depth int) (*block, int) {
	line := lines[i]
	switch {
	case line == "" || isDefinition(line):
		return nil, i + 1
	case fenceMark(line) != "":
		return r.fenced(lines, i)
	case r.indented && indentOf(line) >= 4:
		return r.indentedCode(lines, i)
	case isRule(line):
		return nil, i + 1
	case r.isHeading(line):
		title := atxHeading.FindStringSubmatch(line)[1]
		return &block{kind: label, text: r.inlineReader.read(title)}, i + 1
	case starts(line, ">") && depth < maxDepth:
		return r.quoted(lines, i, depth)
	case isBullet(line) && depth < maxDepth:
		return r.listed(lines, i, depth)
	case i+1 < len(lines) && strings.Contains(line, "|") && strings.Contains(lines[i+1], "|") && delimiter.MatchString(lines[i+1]):
		return r.tabled(lines, i)
	}
	return r.paragraph(lines, i, depth)
}

// fenceMark returns the marks that open a fence on this line, or "".
func fenceMark(line string) string {
	s := strings.TrimLeft(line, " ")
	for _, c := range []byte("`~") {
		n := runLength(s, c)
		if n >= 3 && (c == '~' || strings.IndexByte(s[n:], '`') < 0) {
			return s[:n]
		}
	}
	return ""
}

func closesFence(line, mark string) bool {
	s := strings.TrimSpace(line)
	return len(s) >= len(mark) && runLength(s, mark[0]) == len(s)
}

func (r blockReader) fenced(lines []string, i int) (*block, int) {
	mark, in := fenceMark(lines[i]), indentOf(lines[i])
	lang := strings.TrimSpace(lines[i][in+len(mark):])
	var body []string
	i++
	for ; i < len(lines) && !closesFence(lines[i], mark); i++ {
		body = append(body, dedent(lines[i], in))
	}
	return r.code(lang, body), i + 1
}

func (r blockReader) indentedCode(lines []string, i int) (*block, int) {
	start := i
	for i < len(lines) && (lines[i] == "" || indentOf(lines[i]) >= 4) {
		i++
	}
	return r.code("", dedentAll(lines[start:i])), i
}

func (r blockReader) code(lang string, body []string) *block {
	if lang == "" {
		lang = r.fence
	}
	if r.tidy != nil {
		lang, body = r.tidy(lang, body)
	}
	return &block{kind: codeBlock, lang: lang, code: strings.Join(body, "\n")}
}

func (r blockReader) quoted(lines []string, i, depth int) (*block, int) {
	var inner []string
	for ; i < len(lines) && starts(lines[i], ">"); i++ {
		inner = append(inner, strings.TrimPrefix(strings.TrimLeft(lines[i], " ")[1:], " "))
	}
	return &block{kind: quote, items: [][]block{r.blocks(inner, depth+1)}}, i
}

// listed reads items of one kind and indentation. A line belongs to an item while it is indented deeper than the mark,
// or follows text without a blank line.
func (r blockReader) listed(lines []string, i, depth int) (*block, int) {
	first := bullet.FindStringSubmatch(lines[i])
	out := &block{kind: list, ordered: isDigit(first[2][0])}
	margin := len(first[1])
	for i < len(lines) {
		m := bullet.FindStringSubmatch(lines[i])
		if m == nil || len(m[1]) > margin+1 || len(m[1]) < margin || isDigit(m[2][0]) != out.ordered {
			break
		}
		body := []string{lines[i][len(m[0]):]}
		content := len(m[0])
		next := i + 1
		for ; next < len(lines) && r.continues(lines, next, len(m[1])); next++ {
			body = append(body, dedent(lines[next], content))
		}
		out.items = append(out.items, r.blocks(trimBlank(body), depth+1))
		i = next
	}
	return out, i
}

func (r blockReader) continues(lines []string, i, margin int) bool {
	line := lines[i]
	if line == "" {
		for i++; i < len(lines) && lines[i] == ""; i++ {
		}
		return i < len(lines) && (indentOf(lines[i]) > margin+1)
	}
	if indentOf(line) > margin+1 {
		return true
	}
	return lines[i-1] != "" && !r.opens(line)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// opens reports that a line starts a block of its own even right after text.
func (r blockReader) opens(line string) bool {
	return fenceMark(line) != "" || isBullet(line) || isRule(line) || r.isHeading(line) || starts(line, ">")
}

func (r blockReader) tabled(lines []string, i int) (*block, int) {
	out := &block{kind: table, rows: [][][]inline{r.row(lines[i])}}
	for i += 2; i < len(lines) && strings.Contains(lines[i], "|"); i++ {
		out.rows = append(out.rows, r.row(lines[i]))
	}
	return out, i
}

func (r blockReader) row(line string) [][]inline {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	if strings.HasSuffix(line, "|") && !strings.HasSuffix(line, `\|`) {
		line = line[:len(line)-1]
	}
	const bar = "\x00"
	var cells [][]inline
	for _, cell := range strings.Split(strings.ReplaceAll(line, `\|`, bar), "|") {
		cells = append(cells, r.inlineReader.read(strings.ReplaceAll(strings.TrimSpace(cell), bar, "|")))
	}
	return cells
}

func (r blockReader) paragraph(lines []string, i, depth int) (*block, int) {
	start := i
	for i++; i < len(lines) && lines[i] != ""; i++ {
		if r.isUnderline(lines[i]) {
			return &block{kind: label, text: r.inlineReader.read(joinLines(lines[start:i]))}, i + 1
		}
		if depth < maxDepth && r.opens(lines[i]) {
			break
		}
	}
	b := para(r.inlineReader.read(joinLines(lines[start:i])))
	return &b, i
}

func joinLines(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.TrimSpace(line))
	}
	return b.String()
}

func readMarkdown(doc string) []block {
	r := blockReader{inlineReader: inlineReader{emphasis: true}, indented: true, headings: true}
	return r.read(translate(doc, dialect{}))
}

func readPlain(doc string) []block { return blockReader{}.read(doc) }
