package stale

import (
	"bytes"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// piece is one line of a document's code, in a span or a block, or a link destination.
type piece struct {
	link   bool
	text   string
	line   int
	fenced bool
	indent bool   // in an indented block, which may be a list: it may declare names, but is not reported
	fence  int    // number of the fence, from 1
	past   bool   // below a heading about the past
	around string // the sentence around a span or link
}

// blocks parses the Markdown blocks that contain code. Links are found by line. Emphasis is ignored, because code
// spans take precedence.
var blocks = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100), util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300), util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500), util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700), util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900), util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithInlineParsers(util.Prioritized(parser.NewCodeSpanParser(), 100)),
)

// Limits for the parser, which takes quadratic time for nested quotes and lists, and for backquotes.
const (
	longestParagraph = 256 << 10 // in bytes; the rows of a table count as one
	deepestLine      = 32
)

// readable reports whether a document is within the limits, as hand-written ones are.
func readable(lines [][]byte) bool {
	size := 0
	for _, line := range lines {
		if size += len(line); len(bytes.TrimSpace(line)) == 0 {
			size = 0
		}
		if size > longestParagraph || begunIn(line) > deepestLine {
			return false
		}
	}
	return true
}

func begunIn(line []byte) int {
	n := 0
	for i := 0; i < len(line) && strings.IndexByte(" \t>-*+.)0123456789", line[i]) >= 0; i++ {
		if strings.IndexByte(">-*+.)", line[i]) >= 0 && (line[i] == '>' || i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t')) {
			n++
		}
	}
	return n
}

var generated = lazyregexp.New(`(?i)do not edit|(auto-?|automatically )generated|generated (by|from|with) |@generated`)

// codeOf lists the code of a document. It returns false if the document is generated or exceeds a limit.
func codeOf(source []byte) ([]piece, bool) {
	source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	lines := bytes.Split(source, []byte("\n"))
	if generated.Match(source[:min(len(source), 600)]) || !readable(lines) {
		return nil, false
	}
	r := reader{source: source, text: string(source)}
	at := 0
	for _, line := range lines {
		r.starts = append(r.starts, at)
		at += len(line) + 1
	}
	_ = ast.Walk(blocks.Parse(text.NewReader(source)), r.visit)
	return r.pieces, true
}

type reader struct {
	pieces []piece
	source []byte
	text   string // source as a string
	starts []int  // offset of each line
	fences int
	// level of the heading about the past that applies, or 0
	level int
}

// told matches text about the past or the future, whose author knows that the names do not exist.
var told = lazyregexp.New(`(?i)\b(removed?|removal|rename[ds]?|deprecat\w*|no longer|not (exist|supported|available)|anymore|formerly|previously|used to be|` +
	`replace[ds]?|instead of|migrat\w*|upgrad\w*|obsolete|legacy|dropped|changelog|breaking|went|gone|prior to|release notes|what'?s new|history|` +
	`roadmap|proposal|proposed)\b`)

var version = lazyregexp.New(`^\W*v?\d+\.\d+`)

func (r *reader) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.Heading:
		if r.level == 0 || n.Level <= r.level {
			r.level = 0
			if title := r.textOf(n); told.MatchString(title) || version.MatchString(title) {
				r.level = n.Level
			}
		}
		r.links(n)
	case *ast.Paragraph, *ast.TextBlock:
		r.links(n)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		r.fences++
		for i := range n.Lines().Len() {
			s := n.Lines().At(i)
			r.pieces = append(r.pieces, piece{
				text: strings.TrimRight(string(s.Value(r.source)), "\n"), line: r.lineOf(s.Start), fenced: true, indent: n.Kind() == ast.KindCodeBlock,
				fence: r.fences, past: r.level > 0,
			})
		}
		return ast.WalkSkipChildren, nil
	case *ast.HTMLBlock:
		return ast.WalkSkipChildren, nil
	case *ast.CodeSpan:
		r.span(n)
		return ast.WalkSkipChildren, nil
	}
	return ast.WalkContinue, nil
}

func (r *reader) span(n *ast.CodeSpan) {
	around := r.sentence(n)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			text := strings.TrimSuffix(string(t.Segment.Value(r.source)), "\n")
			r.pieces = append(r.pieces, piece{text: text, line: r.lineOf(t.Segment.Start), past: r.level > 0, around: around})
		}
	}
}

// gone reports whether the text around a piece, or a heading above it, is about the past.
func (p piece) gone() bool { return p.past || told.MatchString(p.around) }

const nearby = 400

// sentence returns the part of the sentence around a span that is on the same line.
func (r *reader) sentence(n *ast.CodeSpan) string {
	if t, ok := n.FirstChild().(*ast.Text); ok {
		return r.sentenceAt(t.Segment.Start)
	}
	return ""
}

func (r *reader) sentenceAt(at int) string {
	before, after := r.text[max(at-nearby, 0):at], r.text[at:min(at+nearby, len(r.text))]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after, _, _ = strings.Cut(after, "\n")
	before = before[strings.LastIndex(before, ". ")+1:]
	after, _, _ = strings.Cut(after, ". ")
	return r.text[at-len(before) : at+len(after)]
}

func (r *reader) textOf(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(r.source))
	}
	return b.String()
}

func (r *reader) lineOf(at int) int { return sort.SearchInts(r.starts, at+1) }
