package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

type manner uint8

const (
	emphasis manner = 1 << iota
	indented        // four spaces make code
	headings
)

// blockReader reads Markdown from comments, without raw HTML, which the reader of the language translates first. If
// four spaces do not make code, it ignores indentation.
type blockReader struct {
	manner
	named bool                                                 // [path::Name] and [path.Name] are references to code
	fence string                                               // default language of fences and indented code
	tidy  func(lang string, lines []string) (string, []string) // postprocesses a fence
}

var parsers = func() (all [emphasis | indented | headings + 1]parser.Parser) {
	for m := range all {
		all[m] = newParser(manner(m))
	}
	return all
}()

func newParser(m manner) parser.Parser {
	strict := []util.PrioritizedValue{util.Prioritized(parser.NewThematicBreakParser(), 200)}
	loose := []util.PrioritizedValue{
		util.Prioritized(parser.NewListParser(), 300), util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700), util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	}
	if m&headings != 0 {
		strict = append(strict, util.Prioritized(parser.NewSetextHeadingParser(), 100))
		loose = append(loose, util.Prioritized(parser.NewATXHeadingParser(), 600))
	}
	if m&indented != 0 {
		strict = append(strict, util.Prioritized(parser.NewCodeBlockParser(), 500))
	} else {
		for i, b := range loose {
			loose[i].Value = anywhere{b.Value.(parser.BlockParser)}
		}
	}
	inlines := []util.PrioritizedValue{
		util.Prioritized(parser.NewCodeSpanParser(), 100), util.Prioritized(parser.NewLinkParser(), 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
	}
	if m&emphasis != 0 {
		inlines = append(inlines, util.Prioritized(parser.NewEmphasisParser(), 500))
	}
	return parser.NewParser(
		parser.WithBlockParsers(append(loose, strict...)...), parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100), util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

func (r blockReader) read(s string) []block {
	lines := dedentAll(splitLines(s))
	if len(lines) == 1 && isOrderedMark(lines[0]) {
		return paragraphs(lines) // the number itself is the text
	}
	if isProse(lines) || isHostile(lines) {
		return paragraphs(lines)
	}
	return r.parse(lines)
}

func (r blockReader) parse(lines []string) []block {
	source := []byte(strings.Join(lines, "\n"))
	context := parser.NewContext()
	if r.named {
		context = namingContext{context}
	}
	t := tree{blockReader: r, source: source}
	return t.blocks(parsers[r.manner].Parse(gmtext.NewReader(source), parser.WithContext(context)), 0)
}

func isProse(lines []string) bool {
	for _, line := range lines {
		if line != "" && (opens[line[0]] || plainLength(line, &inlineMarks) < len(line)) {
			return false
		}
	}
	return true
}

var (
	opens       = bytesOf(" #>-+=~0123456789")
	inlineMarks = bytesOf("\\`[<&*_|")
)

// longest limits the bytes of a paragraph that is parsed for marks: parsing time is quadratic.
const longest = 16 << 10

// The parser rescans the paragraph for each link with an open destination, and the line for each quote or list that
// begins in it.
const (
	mostOpenLinks = 64 // in a paragraph
	deepestLine   = 32
)

// isHostile reports a paragraph that is too expensive to parse.
func isHostile(lines []string) bool {
	size, open := 0, 0
	for _, line := range lines {
		size += len(line)
		if links := strings.Count(line, "]("); links > 0 {
			open += max(links-strings.Count(line, ")"), 0)
		}
		if line == "" {
			size, open = 0, 0
		}
		if size > longest || open > mostOpenLinks || begunIn(line) > deepestLine {
			return true
		}
	}
	return false
}

func begunIn(line string) int {
	n := 0
	for i := 0; i < len(line) && strings.IndexByte(" \t>-*+.)0123456789", line[i]) >= 0; i++ {
		switch line[i] {
		case '>':
			n++
		case '-', '*', '+', '.', ')':
			if i+1 < len(line) && line[i+1] == ' ' {
				n++
			}
		}
	}
	return n
}

func paragraphs(lines []string) []block {
	var out []block
	start := 0
	for i := range len(lines) + 1 {
		if i < len(lines) && lines[i] != "" {
			continue
		}
		if start < i {
			out = append(out, para(text(joinLines(lines[start:i]))))
		}
		start = i + 1
	}
	return out
}

// highest limits the number of a list's first item, because a list marker has at most nine digits.
const highest = 99_999_999

type tree struct {
	blockReader
	source []byte
}

func (t tree) blocks(parent ast.Node, depth int) []block {
	var out []block
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		out = append(out, t.block(n, depth)...)
	}
	return out
}

func (t tree) block(n ast.Node, depth int) []block {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return []block{para(t.inlines(n))}
	case *ast.Heading:
		return []block{{kind: label, text: t.inlines(n)}}
	case *ast.FencedCodeBlock:
		lang := ""
		if n.Info != nil {
			lang = string(n.Info.Value(t.source))
		}
		return []block{t.code(lang, n)}
	case *ast.CodeBlock:
		return []block{t.code("", n)}
	case *extast.Table:
		return []block{t.table(n)}
	case *ast.List:
		if depth >= maxDepth {
			return t.flat(n, depth)
		}
		out := block{kind: list, ordered: n.IsOrdered(), start: n.Start, loose: !n.IsTight}
		if out.start > highest {
			out.start = 1
		}
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			out.items = append(out.items, t.blocks(item, depth+1))
		}
		return []block{out}
	case *ast.Blockquote:
		if depth >= maxDepth {
			return t.blocks(n, depth)
		}
		return []block{{kind: quote, items: [][]block{t.blocks(n, depth+1)}}}
	}
	return nil
}

func (t tree) flat(n ast.Node, depth int) []block {
	var out []block
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		out = append(out, t.blocks(item, depth)...)
	}
	return out
}

func (t tree) code(lang string, n ast.Node) block {
	var body []string
	for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
		body = append(body, strings.TrimSuffix(string(line.Value(t.source)), "\n"))
	}
	if n.Kind() == ast.KindCodeBlock {
		body = dedentAll(body)
	}
	if lang == "" {
		lang = t.fence
	}
	if t.tidy != nil {
		lang, body = t.tidy(lang, body)
	}
	return block{kind: codeBlock, lang: lang, code: strings.Join(body, "\n")}
}

func (t tree) table(n *extast.Table) block {
	out := block{kind: table}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells [][]inline
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, t.inlines(cell))
		}
		out.rows = append(out.rows, cells)
	}
	return out
}

func readMarkdown(doc string) []block {
	return blockReader{manner: emphasis | indented | headings}.read(translate(doc, dialect{}))
}

func readPlain(doc string) []block { return blockReader{}.read(doc) }
