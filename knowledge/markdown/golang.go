package markdown

import (
	"go/doc/comment"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// readGo reads the comment syntax of Go 1.19, and common Markdown.
func readGo(doc string) []block {
	if isGoParagraph(doc) {
		return []block{para(text(doc))}
	}
	return parseGo(doc)
}

func parseGo(doc string) []block {
	parser := comment.Parser{
		LookupPackage: func(name string) (string, bool) { return name, goPackage.MatchString(name) },
		LookupSym:     func(string, string) bool { return true },
	}
	g := goReader{}
	if strings.ContainsAny(doc, "`~|#-*+.[") {
		doc = g.setAside(doc)
	}
	return g.blocks(parser.Parse(doc).Content)
}

// goPackage matches a package name or path. Brackets may also hold an index.
var goPackage = lazyregexp.New(`^[a-zA-Z_]\w*(?:[./-]\w+)*$`)

// isGoParagraph reports whether a comment is a single plain paragraph, the usual case: no blank or indented line,
// heading, item, link, quotation mark or bold text.
func isGoParagraph(doc string) bool {
	if strings.ContainsAny(doc, "[`") || strings.Contains(doc, "''") || strings.Contains(doc, "**") {
		return false
	}
	for line := range strings.SplitSeq(doc, "\n") {
		if line == "" || line[0] <= ' ' || line[0] >= utf8.RuneSelf || strings.IndexByte("#~|-*+0123456789", line[0]) >= 0 {
			return false
		}
	}
	return true
}

// goReader separates Markdown from a comment: Go's parser gets placeholder paragraphs and placeholder numbers for
// code spans.
type goReader struct {
	parts   [][]block
	spans   []string
	numbers map[string]int // of the spans: equal spans share a number because Go looks links up by text
}

// The placeholders are enclosed in characters that clean removes from all text.
const (
	partMark = "\uFDD0"
	spanMark = "\uFDD1"
)

var (
	goHeading = lazyregexp.New(`^##+ +(\S.*?)[ #]*$`)
	goSpan    = lazyregexp.New("``[^`]+``|`[^`]+`")
	goLink    = lazyregexp.New(`(^|[^\w\])])\[([^\[\]]+)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)`)
)

// setAside extracts unindented fences, tables and lists from a comment.
func (g *goReader) setAside(doc string) string {
	lines := strings.Split(doc, "\n")
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); {
		end := g.partEnd(lines, i)
		switch {
		case end > i:
			g.parts = append(g.parts, blockReader{manner: emphasis | headings, named: true}.read(strings.Join(lines[i:end], "\n")))
			out = append(out, "", partMark+strconv.Itoa(len(g.parts)-1)+partMark, "")
			i = end
			continue
		case strings.HasPrefix(lines[i], "##") && goHeading.MatchString(lines[i]):
			out = append(out, "", "# "+goHeading.FindStringSubmatch(lines[i])[1], "")
		case isGoRule(lines[i]):
			out = append(out, "")
		default:
			out = append(out, g.inline(lines[i]))
		}
		i++
	}
	return strings.Join(out, "\n")
}

func isGoRule(line string) bool {
	return len(line) >= 3 && strings.IndexByte("-*_", line[0]) >= 0 && runLength(line, line[0]) == len(line)
}

func (g *goReader) inline(line string) string {
	if strings.Contains(line, "`") {
		line = goSpan.ReplaceAllStringFunc(line, func(span string) string {
			n, known := g.numbers[span]
			if !known {
				n = len(g.spans)
				g.spans = append(g.spans, span)
				if g.numbers == nil {
					g.numbers = map[string]int{}
				}
				g.numbers[span] = n
			}
			return spanMark + strconv.Itoa(n) + spanMark
		})
	}
	if strings.Contains(line, "](") && line[0] > ' ' {
		line = goLink.ReplaceAllStringFunc(line, func(link string) string {
			m := goLink.FindStringSubmatch(link)
			return m[1] + linked(m[2], m[3])
		})
	}
	return line
}

func (g *goReader) spelled(code string) string {
	if !strings.Contains(code, spanMark) {
		return code
	}
	return goNumber.ReplaceAllStringFunc(code, func(mark string) string { return g.spans[numberIn(mark)] })
}

var goNumber = lazyregexp.New(spanMark + `[0-9]+` + spanMark)

func numberIn(mark string) int {
	n, err := strconv.Atoi(strings.Trim(mark, partMark+spanMark))
	if err != nil {
		panic("markdown: a number that nobody wrote: " + mark)
	}
	return n
}

func (g *goReader) partEnd(lines []string, i int) int {
	if lines[i] == "" || lines[i][0] == ' ' || lines[i][0] == '\t' {
		return i
	}
	if mark := fenceMark(lines[i]); mark != "" {
		for end := i + 1; end < len(lines); end++ {
			if closesFence(lines[end], mark) {
				return end + 1
			}
		}
		return len(lines)
	}
	if i+1 < len(lines) && strings.Contains(lines[i], "|") && isTableRule(lines[i+1]) || isGoItem(lines, i) {
		end := i + 1
		for end < len(lines) && lines[end] != "" {
			end++
		}
		return end
	}
	return i
}

// isGoItem reports the first line of a list item: it follows an item, a line that ends in a colon, or a blank line
// and is itself followed by an item. A single dash may belong to a sentence.
func isGoItem(lines []string, i int) bool {
	if strings.IndexByte("-*+0123456789", lines[i][0]) < 0 || !isBullet(lines[i]) || strings.TrimLeft(lines[i], "-*+0123456789.) ") == "" {
		return false
	}
	if i > 0 && strings.HasSuffix(lines[i-1], ":") {
		return true
	}
	for next := i + 1; next < len(lines) && lines[next] != ""; next++ {
		if isBullet(lines[next]) {
			return true
		}
	}
	return false
}

func isTableRule(line string) bool {
	return strings.Contains(line, "|") && strings.Contains(line, "-") && strings.Trim(line, "|-: ") == ""
}

func (g *goReader) blocks(content []comment.Block) []block {
	var out []block
	for _, b := range content {
		switch b := b.(type) {
		case *comment.Paragraph:
			if part, ok := g.part(b); ok {
				out = append(out, part...)
				continue
			}
			out = append(out, para(g.inlines(b.Text)))
		case *comment.Heading:
			out = append(out, block{kind: label, text: g.inlines(b.Text)})
		case *comment.Code:
			code := withoutFence(g.spelled(b.Text))
			out = append(out, block{kind: codeBlock, code: code, lang: goCodeLang(code)})
		case *comment.List:
			items := block{kind: list}
			for _, it := range b.Items {
				items.ordered = it.Number != ""
				items.items = append(items.items, g.blocks(it.Content))
			}
			out = append(out, items)
		}
	}
	return out
}

// withoutFence removes a Markdown fence around code that is indented as well.
func withoutFence(code string) string {
	first, rest, _ := strings.Cut(code, "\n")
	if body, closed := strings.CutSuffix(strings.TrimRight(rest, "\n"), "```"); closed && strings.HasPrefix(first, "```") {
		return body
	}
	return code
}

func (g *goReader) part(p *comment.Paragraph) ([]block, bool) {
	if len(p.Text) != 1 {
		return nil, false
	}
	plain, ok := p.Text[0].(comment.Plain)
	if !ok || !strings.HasPrefix(string(plain), partMark) {
		return nil, false
	}
	return g.parts[numberIn(string(plain))], true
}

// goCodeLang detects code that is clearly not Go: shell sessions and drawings.
func goCodeLang(code string) string {
	first := strings.TrimSpace(code)
	if strings.HasPrefix(first, "$ ") || strings.HasPrefix(first, "% ") || strings.HasPrefix(first, "go ") && !strings.HasPrefix(first, "go func") {
		return ""
	}
	if strings.ContainsAny(code, "(){}=") {
		return "go"
	}
	return ""
}

func (g *goReader) inlines(content []comment.Text) []inline {
	var out []inline
	for _, t := range content {
		switch t := t.(type) {
		case comment.Plain:
			out = g.appendMarked(out, string(t))
		case comment.Italic:
			out = append(out, inline{emphText, string(t)})
		case *comment.Link:
			out = append(out, g.inlines(t.Text)...)
			if !t.Auto {
				out = append(out, inline{plainText, " (" + t.URL + ")"})
			}
		case *comment.DocLink:
			if n := len(out); n > 0 && out[n-1].kind == plainText && strings.HasSuffix(out[n-1].s, "]") {
				out = append(out, inline{plainText, "[" + rawText(g.inlines(t.Text)) + "]"}) // x[i][j]
				continue
			}
			out = append(out, inline{codeText, rawText(g.inlines(t.Text))})
		}
	}
	return out
}

// goMarked matches a code span placeholder, and Markdown bold text.
var goMarked = lazyregexp.New(spanMark + `([0-9]+)` + spanMark + `|\*\*([^*\s](?:[^*\n]*[^*\s])?)\*\*`)

func (g *goReader) appendMarked(out []inline, s string) []inline {
	at := 0
	if strings.Contains(s, spanMark) || strings.Contains(s, "**") {
		for _, m := range goMarked.FindAllStringSubmatchIndex(s, -1) {
			out = append(out, inline{plainText, s[at:m[0]]})
			at = m[1]
			multiplies := m[0] > 0 && isWordByte(s[m[0]-1]) || at < len(s) && isWordByte(s[at])
			switch {
			case m[2] >= 0:
				out = append(out, inline{codeText, strings.Trim(g.spans[numberIn(s[m[2]:m[3]])], "`")})
			case multiplies:
				out = append(out, inline{plainText, g.spelled(s[m[0]:at])})
			default:
				out = append(out, inline{strongText, g.spelled(s[m[4]:m[5]])})
			}
		}
	}
	return append(out, inline{plainText, s[at:]})
}

func linked(shown, dest string) string {
	if isWeb(dest) && strings.TrimSpace(shown) != dest {
		return shown + " (" + dest + ")"
	}
	return shown
}
