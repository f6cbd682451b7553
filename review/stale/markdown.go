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

// piece is one line of a document's code, a span or a line of a block, or where a link leads.
type piece struct {
	link   bool
	text   string
	line   int
	fenced bool
	indent bool   // its block is indented, and not fenced: it may declare names, and is not told of, as lists look like that as well
	fence  int    // which fence it is in, from 1
	past   bool   // it stands below a heading that tells of what was
	around string // what is said with it, of a span
}

// blocks finds the blocks of Markdown that code is in. Links are found in its lines. Emphasis does not matter: code spans come before it.
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

// The parser goes over the rest of a line for each quote or list that begins in it, and over the rest of a paragraph for each length
// of backquotes.
const (
	longestParagraph = 256 << 10 // in bytes; the rows of a table are one
	deepestLine      = 32
)

// readable reports whether people have written a document.
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

// begunIn is how many quotes and lists may begin in a line.
func begunIn(line []byte) int {
	n := 0
	for i := 0; i < len(line) && strings.IndexByte(" \t>-*+.)0123456789", line[i]) >= 0; i++ {
		if strings.IndexByte(">-*+.)", line[i]) >= 0 && (line[i] == '>' || i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t')) {
			n++
		}
	}
	return n
}

// generated matches the beginning of a document that a program wrote.
var generated = lazyregexp.New(`(?i)do not edit|(auto-?|automatically )generated|generated (by|from|with) |@generated`)

// codeOf lists the code of a document; false when people have not written it.
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

// reader goes over the blocks of a document.
type reader struct {
	pieces []piece
	source []byte
	text   string // the same
	starts []int  // where each line begins
	fences int
	// level is that of the heading that tells of the past, with everything below it; 0 when none does
	level int
}

// told matches what is said of things that were there: whoever says so knows that they are gone.
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

// span adds a code span, the part of each line by itself.
func (r *reader) span(n *ast.CodeSpan) {
	around := r.sentence(n)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			text := strings.TrimSuffix(string(t.Segment.Value(r.source)), "\n")
			r.pieces = append(r.pieces, piece{text: text, line: r.lineOf(t.Segment.Start), past: r.level > 0, around: around})
		}
	}
}

// gone reports whether what is said with a piece, or above it, tells of what was.
func (p piece) gone() bool { return p.past || told.MatchString(p.around) }

// nearby is how far around a span, in bytes, what is said of it is looked for.
const nearby = 400

// sentence is what is said of a span: the sentence that it begins in, as far as that is on its line.
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

// lineOf is the line of a place in the source, from 1.
func (r *reader) lineOf(at int) int { return sort.SearchInts(r.starts, at+1) }
