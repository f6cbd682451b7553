package markdown

import "strings"

// table reads a reStructuredText table. A table that Markdown cannot express stays preformatted.
func (r pythonReader) table(lines []string, i int) ([]block, int) {
	grid := strings.HasPrefix(strings.TrimSpace(lines[i]), "+")
	end := i
	for rules := 0; end < len(lines) && (lines[end] != "" || !grid && rules < 2 && end+1 < len(lines)); end++ {
		if !grid && isRSTTable(lines[end]) {
			rules++
		}
	}
	drawn := trimBlank(dedentAll(lines[i:end]))
	rows := simpleRows(drawn)
	if grid {
		rows = gridRows(drawn)
	}
	if len(rows) < 2 {
		return []block{{kind: codeBlock, lang: "text", code: strings.Join(drawn, "\n")}}, end
	}
	out := block{kind: table}
	for _, row := range rows {
		var cells [][]inline
		for _, cell := range row {
			cells = append(cells, readRST(strings.Join(strings.Fields(cell), " ")))
		}
		out.rows = append(out.rows, cells)
	}
	return []block{out}, end
}

// simpleRows reads rows between rules of equal signs. The first rule defines the columns. A line with a blank first
// cell continues the row above it.
func simpleRows(lines []string) [][]string {
	columns := columnsOf(lines[0])
	var rows [][]string
	headed := false
	for n, line := range lines[1:] {
		switch {
		case isRSTTable(line):
			if n+2 < len(lines) {
				headed = len(rows) == 1 && !headed
			}
			continue
		case line == "", strings.Trim(line, "- ") == "":
			continue
		}
		cells := make([]string, len(columns))
		for c, at := range columns {
			end := len(line)
			if c+1 < len(columns) {
				end = min(end, columns[c+1])
			}
			if at > 0 && at <= len(line) && line[at-1] != ' ' {
				return nil // text crosses a column border
			}
			cells[c] = strings.TrimSpace(line[min(at, end):end])
		}
		if cells[0] == "" && len(rows) > 0 {
			for c, cell := range cells {
				rows[len(rows)-1][c] += " " + cell
			}
			continue
		}
		rows = append(rows, cells)
	}
	return withHead(rows, headed)
}

func columnsOf(rule string) []int {
	var out []int
	for i := range rule {
		if rule[i] != ' ' && (i == 0 || rule[i-1] == ' ') {
			out = append(out, i)
		}
	}
	return out
}

// withHead adds a blank head if there is none, because Markdown tables require one.
func withHead(rows [][]string, headed bool) [][]string {
	if headed || len(rows) == 0 {
		return rows
	}
	return append([][]string{make([]string, len(rows[0]))}, rows...)
}

// gridRows reads rows between drawn lines; nil if a cell spans several.
func gridRows(lines []string) [][]string {
	var rows [][]string
	width := strings.Count(lines[0], "+") - 1
	open, headed := false, false
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if strings.Trim(line, "+-=") == "" {
			if strings.Count(line, "+")-1 != width {
				return nil
			}
			headed = headed || strings.Contains(line, "=") && len(rows) == 1
			open = false
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != width || !strings.HasPrefix(line, "|") {
			return nil
		}
		if !open {
			rows, open = append(rows, make([]string, width)), true
		}
		for c, cell := range cells {
			rows[len(rows)-1][c] += " " + cell
		}
	}
	return withHead(rows, headed)
}
