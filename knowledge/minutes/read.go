// Package minutes reads the minutes of a discussion. A line, list item or heading of a Markdown document that begins
// with a word such as "Proposal:" is a statement. It refers to other statements by its position or by quotations.
package minutes

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/ledger"
)

// Limits of a document.
const (
	Largest        = 1 << 20 // bytes
	mostStatements = 500
	mostNamed      = 32 // references per statement
	deepestItems   = 32
)

// kind is the type of a statement's event. That of a decision depends on earlier statements.
type kind struct {
	ledger.Type
	effect  ledger.Effect
	decides bool
}

// acts reports whether a statement acts on another and needs no text.
func (k kind) acts() bool { return !k.decides && !k.Tells() }

var markers = map[string]kind{
	"proposal": {Type: ledger.Proposition}, "proposed": {Type: ledger.Proposition}, "proposition": {Type: ledger.Proposition},
	"objection": {Type: ledger.Contradiction}, "contradiction": {Type: ledger.Contradiction},
	"concern":    {Type: ledger.Contradiction, effect: ledger.Challenges},
	"refinement": {Type: ledger.Refinement}, "instead": {Type: ledger.Refinement},
	"synthesis": {Type: ledger.Synthesis},
	"decision":  {decides: true}, "decided": {decides: true},
	"parked": {Type: ledger.Park}, "deferred": {Type: ledger.Park}, "resumed": {Type: ledger.Resume},
	"confirmed": {Type: ledger.Confirm}, "agreed": {Type: ledger.Confirm}, "accepted": {Type: ledger.Confirm},
	"withdrawn": {Type: ledger.Withdraw}, "rejected": {Type: ledger.Withdraw},
}

type statement struct {
	kind
	line   int
	text   string
	actor  string
	date   string   // YYYY-MM-DD
	refs   []string // quotations in double quotes, and IDs
	parent int      // statement of the parent item, or -1
	within []int    // lines of the enclosing sections, the outermost first
}

// Document holds the statements of a document.
type Document struct {
	statements []statement
	more       bool
}

// More reports whether the document exceeds the limit of statements.
func (d *Document) More() bool { return d.more }

// Statements returns the number of statements.
func (d *Document) Statements() int { return len(d.statements) }

var (
	dated  = lazyregexp.New(`\b[0-9]{4}-[0-9]{2}-[0-9]{2}`)
	itemed = lazyregexp.New(`^([-*+]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)$`)
	headed = lazyregexp.New(`^(#{1,6})[ \t]+(.*?)[ \t]*#*$`)
	ruled  = lazyregexp.New(`^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$`)
)

// Read reads a document. name is its file name, which may contain its date.
func Read(name, text string) *Document {
	text = strings.ReplaceAll(strings.ToValidUTF8(text[:min(len(text), Largest)], "\uFFFD"), "\r\n", "\n")
	r := &reader{Document: &Document{}, current: -1, date: dated.FindString(name)}
	lines := strings.Split(text, "\n")
	for r.at = r.frontMatter(lines); r.at < len(lines); r.at++ {
		r.line(lines[r.at])
	}
	return r.Document
}

type section struct{ level, at, date int }

type item struct{ indent, statement int }

type reader struct {
	*Document
	at       int // line, from 0
	author   string
	date     string
	dates    []string // of the enclosing sections
	sections []section
	items    []item // enclosing items
	current  int    // statement that the next line may continue, or -1
	fence    string // the open fence
	comment  bool
}

// frontMatter reads author and date, and returns the index of the first line after the front matter.
func (r *reader) frontMatter(lines []string) int {
	if strings.TrimRight(lines[0], " \t") != "---" {
		return 0
	}
	author, date := "", r.date
	for i, line := range lines[1:] {
		line = strings.TrimRight(line, " \t")
		if line == "---" || line == "..." {
			r.author, r.date = author, date
			return i + 2
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch strings.ToLower(key) {
		case "author":
			author = value
		case "date":
			if day := dated.FindString(value); day != "" {
				date = day
			}
		}
	}
	return 0
}

func (r *reader) line(raw string) {
	line := strings.TrimSpace(raw)
	indent := indentOf(raw)
	switch {
	case r.comment:
		r.comment = !strings.Contains(line, "-->")
		return
	case r.fence != "":
		if strings.HasPrefix(line, r.fence) && strings.Trim(line, r.fence[:1]) == "" {
			r.fence = ""
		}
		return
	case line == "":
		r.current = -1
		return
	}
	fence := fenceOf(line)
	heading := headed.FindStringSubmatch(line)
	entry := itemed.FindStringSubmatch(line)
	switch {
	case fence != "":
		r.fence, r.current = fence, -1
	case strings.HasPrefix(line, "<!--"):
		r.comment, r.current = !strings.Contains(line, "-->"), -1
	case line[0] == '>', line[0] == '|', ruled.MatchString(line):
		r.current = -1
	case heading != nil && indent < codeIndent:
		r.heading(len(heading[1]), heading[2])
	case entry != nil && (indent < codeIndent || len(r.items) > 0):
		r.leave(indent)
		at := r.state(entry[2])
		if len(r.items) < deepestItems {
			r.items = append(r.items, item{indent, at})
		}
	case r.current >= 0:
		r.goOn(line)
	case indent >= codeIndent && len(r.items) == 0: // a code block
	default:
		r.leave(indent)
		r.state(line)
	}
}

const codeIndent = 4

func (r *reader) goOn(line string) {
	before := r.current
	if r.state(line) < 0 {
		r.current = before
		s := &r.statements[before]
		if len(s.text)+len(line) < ledger.MostText {
			s.text = strings.TrimSpace(s.text + " " + line)
		}
	}
}

func (r *reader) leave(indent int) {
	for len(r.items) > 0 && r.items[len(r.items)-1].indent >= indent {
		r.items = r.items[:len(r.items)-1]
	}
}

func (r *reader) heading(level int, text string) {
	r.items = nil
	for len(r.sections) > 0 && r.sections[len(r.sections)-1].level >= level {
		r.sections = r.sections[:len(r.sections)-1]
	}
	s := section{level: level, at: r.at}
	if day := dated.FindString(text); day != "" {
		r.dates = append(r.dates, day)
		s.date = len(r.dates)
	}
	r.sections = append(r.sections, s)
	r.state(text)
	r.current = -1
}

// state adds the statement on a line and returns its index, or -1.
func (r *reader) state(line string) int {
	s, ok := parse(line)
	r.current = -1
	if !ok {
		return -1
	}
	if len(r.statements) == mostStatements {
		r.more = true
		return -1
	}
	s.line, s.parent, s.date = r.at+1, -1, r.date
	if s.actor == "" {
		s.actor = r.author
	}
	for _, i := range r.items {
		if i.statement >= 0 {
			s.parent = i.statement
		}
	}
	for _, in := range r.sections {
		s.within = append(s.within, in.at)
		if in.date > 0 {
			s.date = r.dates[in.date-1]
		}
	}
	r.statements = append(r.statements, s)
	r.current = len(r.statements) - 1
	return r.current
}

// indentOf returns the indentation, with tab stops of four columns.
func indentOf(line string) (n int) {
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += codeIndent - n%codeIndent
		default:
			return n
		}
	}
	return n
}

func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= len("```") && (c == "~" || !strings.Contains(line[n:], c)) {
			return strings.Repeat(c, n)
		}
	}
	return ""
}
