package markdown

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func printBlocks(blocks []block) string {
	parts := make([]string, 0, len(blocks))
	for _, b := range blocks {
		if s := printBlock(b); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n\n")
}

func printBlock(b block) string {
	switch b.kind {
	case label:
		return printInlines([]inline{{strongText, rawText(b.text)}}, linePlace)
	case codeBlock:
		if strings.TrimSpace(b.code) == "" {
			return ""
		}
		return docFence(b.lang, b.code)
	case list:
		return printList(b)
	case quote:
		return prefixLines(printBlocks(b.items[0]), "> ", "> ")
	case table:
		if len(b.members) > 0 {
			return printMembers(b)
		}
		return printTable(b.rows)
	}
	return printInlines(b.text, linePlace)
}

// nesting is the indentation inside a list item; Python-Markdown requires four spaces.
const nesting = 4

func printList(b block) string {
	var items []string
	tight := !b.loose
	for _, blocks := range b.items {
		body := printBlocks(blocks)
		if body == "" {
			continue
		}
		if len(blocks) == 2 && blocks[0].kind == paragraph && blocks[1].kind == list {
			body = strings.Replace(body, "\n\n", "\n", 1)
		} else if len(blocks) > 1 {
			tight = false
		}
		mark := "- "
		if b.ordered {
			mark = strconv.Itoa(max(b.start, 1)+len(items)) + ". "
		}
		indent := len(mark)
		if blocks[0].kind != codeBlock && blocks[0].kind != list {
			indent = max(indent, nesting)
		}
		items = append(items, prefixLines(body, mark, strings.Repeat(" ", indent)))
	}
	if tight {
		return strings.Join(items, "\n")
	}
	return strings.Join(items, "\n\n")
}

func prefixLines(s, first, rest string) string {
	if s == "" {
		return ""
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		prefix := rest
		if i == 0 {
			prefix = first
		}
		lines[i] = strings.TrimRight(prefix+line, " ")
	}
	return strings.Join(lines, "\n")
}

func printTable(rows [][][]inline) string {
	if len(rows) == 0 {
		return ""
	}
	width := len(rows[0])
	var b strings.Builder
	for i, row := range rows {
		for column := range width {
			b.WriteString("| ")
			if column >= len(row) {
				continue
			}
			if cell := printInlines(row[column], cellPlace); cell != "" {
				b.WriteString(cell + " ")
			}
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", width) + "|\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

type place int

const (
	linePlace place = iota
	cellPlace
)

// printInlines writes one line. Emphasis that its neighbours would break is written as plain text.
func printInlines(in []inline, at place) string {
	in = settle(normalise(worded(in)))
	var b strings.Builder
	b.Grow(sizeOf(in))
	for i, piece := range in {
		switch piece.kind {
		case codeText:
			writeCode(&b, piece.s)
		case strongText:
			writeMarked(&b, "**", piece.s)
		case emphText:
			writeMarked(&b, "*", piece.s)
		default:
			escapeRun(&b, piece.s, around{start: i == 0, before: i > 0, after: i+1 < len(in)})
		}
	}
	line := strings.TrimSpace(b.String())
	if at == cellPlace {
		return Cell(line)
	}
	return line
}

func worded(in []inline) []inline {
	if !slices.ContainsFunc(in, isPicture) {
		return in
	}
	out := slices.Clone(in)
	for i := range out {
		if isPicture(out[i]) {
			out[i].kind = plainText
		}
	}
	return out
}

func sizeOf(in []inline) int {
	const marks = len("****")
	n := 0
	for _, piece := range in {
		n += len(piece.s) + marks
	}
	return n
}

func writeMarked(b *strings.Builder, mark, s string) {
	b.WriteString(mark)
	escapeRun(b, s, around{before: true, after: true})
	b.WriteString(mark)
}

// settle turns emphasis into plain text if Markdown would not parse the marks: both outer sides must be white space,
// punctuation or the end, and no other emphasis may touch it.
func settle(in []inline) []inline {
	if !slices.ContainsFunc(in, isEmphasis) {
		return in
	}
	out := make([]inline, 0, len(in))
	for i, piece := range in {
		if isEmphasis(piece) {
			left := i == 0 || in[i-1].kind == plainText && endsOpen(in[i-1].s)
			right := i+1 == len(in) || in[i+1].kind == plainText && startsOpen(in[i+1].s)
			if !left || !right {
				piece.kind = plainText
			}
		}
		out = append(out, piece)
	}
	return normalise(out)
}

func isEmphasis(piece inline) bool { return piece.kind == strongText || piece.kind == emphText }

func endsOpen(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsSpace(r) || r == '(' || r == '"'
}

func startsOpen(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r) || strings.ContainsRune(").,;:!?\"", r)
}

// Cell makes a line of inline Markdown fit a table cell: one line, and no bar, because a table is split into cells
// before its cells are parsed. A bar in code is written as HTML, since parsers disagree on escaped bars in code. Cell
// is idempotent.
func Cell(s string) string {
	s = strings.TrimSpace(squeeze(s))
	if !strings.Contains(s, "|") {
		return s
	}
	s = rewriteCode(s, func(code string) bool { return strings.Contains(code, "|") })
	var b strings.Builder
	slashes := 0
	for i := range len(s) {
		if s[i] == '|' && slashes%2 == 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
		if s[i] == '\\' {
			slashes++
		} else {
			slashes = 0
		}
	}
	return b.String()
}
