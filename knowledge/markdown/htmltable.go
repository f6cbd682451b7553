package markdown

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var (
	rowTag   = lazyregexp.New(`(?i)<tr(?:\s[^<>]*)?>`)
	cellTag  = lazyregexp.New(`(?i)<(t[dh])(?:\s[^<>]*)?>`)
	cellEnd  = lazyregexp.New(`(?i)</(?:t[dhr]|tbody|thead|tfoot)>`)
	inCell   = lazyregexp.New(`(?i)<(?:pre|table|ul|ol|dl)[\s>]`)
	titleTag = lazyregexp.New(`(?is)<caption[^<>]*>(.*?)</caption>`)
)

// table converts an HTML table to Markdown. It leaves tables with block content in cells to the inner tags, because
// Markdown cannot express them.
func (t *translator) table(closing bool, _ string) {
	t.breakBlock()
	if closing {
		return
	}
	inner, ok := t.before("</table>")
	if !ok || inCell.MatchString(inner) {
		return
	}
	rows, headed := t.rows(inner)
	if len(rows) == 0 {
		return
	}
	t.i += len(inner) + len("</table>")
	if m := titleTag.FindStringSubmatch(inner); m != nil {
		t.out.WriteString(t.within(m[1]))
		t.breakBlock()
	}
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	if !headed {
		rows = append([][]string{nil}, rows...)
	}
	margin := t.margin()
	for n, row := range rows {
		row = append(row, make([]string, width-len(row))...)
		t.out.WriteString("| " + strings.Join(row, " | ") + " |\n" + margin)
		if n == 0 {
			t.out.WriteString(strings.Repeat("|---", width) + "|\n" + margin)
		}
	}
	t.breakBlock()
}

func (t *translator) rows(inner string) (rows [][]string, headed bool) {
	for _, row := range splitAt(rowTag, inner)[1:] {
		var cells []string
		for _, cell := range splitAt(cellTag, row)[1:] {
			tag := cellTag.FindStringSubmatch(cell)
			if len(rows) == 0 && strings.EqualFold(tag[1], "th") {
				headed = true
			}
			cell = cellEnd.ReplaceAllString(cell[len(tag[0]):], "")
			cells = append(cells, strings.ReplaceAll(strings.TrimPrefix(t.within(cell), "### "), "|", `\|`))
		}
		if len(cells) > 0 {
			rows = append(rows, cells)
		}
	}
	return rows, headed
}

func (t *translator) within(s string) string {
	return strings.Join(strings.Fields(translate(s, t.dialect)), " ")
}

func splitAt(tag *lazyregexp.Regexp, s string) []string {
	var out []string
	from := 0
	for _, m := range tag.FindAllStringSubmatchIndex(s, -1) {
		out = append(out, s[from:m[0]])
		from = m[0]
	}
	return append(out, s[from:])
}
