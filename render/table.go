package render

import (
	"math"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
)

// moreOnPages follows a table that shows only some of its rows.
const moreOnPages = "More are listed on the module pages.\n\n"

// table returns a table of inline Markdown without the columns that are empty in all rows.
func table(head []string, rows [][]string) string { return bounded(math.MaxInt, "", head, rows) }

// bounded is a table of the rows that fit into some bytes, with a text behind it if others do not.
func bounded(room int, more string, head []string, rows [][]string) string {
	told := make([]bool, len(head))
	for _, row := range rows {
		for i, cell := range row {
			told[i] = told[i] || cell != ""
		}
	}
	line := func(cells []string) string {
		text := "|"
		for i, cell := range cells {
			if told[i] {
				text += " " + markdown.Cell(cell) + " |"
			}
		}
		return text + "\n"
	}
	first, lines := line(head), make([]string, len(rows))
	for i, row := range rows {
		lines[i] = line(row)
	}
	shown, left := few(lines, room)
	text := first + strings.Repeat("|---", strings.Count(first, "|")-1) + "|\n" + strings.Join(shown, "") + "\n"
	if left > 0 {
		text += more
	}
	return text
}
