package sarif

import (
	"strings"
	"unicode/utf16"
)

// Region is where in a file something is. Lines and columns are counted from 1; a column of 0 is not told, and the end column is that
// behind the last character.
type Region struct {
	Line, EndLine     int
	Column, EndColumn int
	// Points reports whether columns count characters, and not the units of UTF-16.
	Points bool
}

// read makes sense of a region. One that has no first line has none at all, for its offsets may count anything.
func (r region) read(points bool) Region {
	out := Region{Line: r.StartLine.from(1, 0), Column: r.StartColumn.from(1, 0), EndColumn: r.EndColumn.from(1, 0)}
	if out.Line == 0 {
		return Region{}
	}
	out.EndLine = r.EndLine.from(out.Line, out.Line)
	if out.EndColumn == 1 && out.EndLine > out.Line { // it ends before the first character of that line
		out.EndLine--
		out.EndColumn = 0
	}
	out.Points = points && out.Column+out.EndColumn > 0
	return out
}

// Text is the flagged text in the lines of a file, which have no ends: whole lines where the region has no columns, or none that
// these lines have.
func (r Region) Text(lines []string) string {
	if r.Line < 1 || r.Line > len(lines) {
		return ""
	}
	last := max(r.Line, min(r.EndLine, len(lines)))
	whole := strings.Join(lines[r.Line-1:last], "\n")
	start, end := r.offset(lines[r.Line-1], r.Column), len(whole)
	if r.EndColumn > 0 {
		end -= len(lines[last-1]) - r.offset(lines[last-1], r.EndColumn)
	}
	if start >= end {
		return whole
	}
	return whole[start:end]
}

// offset is how many bytes of a line stand before a column.
func (r Region) offset(line string, column int) int {
	units := 1
	for at, c := range line {
		if units >= column {
			return at
		}
		if units++; !r.Points && utf16.RuneLen(c) > 1 {
			units++
		}
	}
	return len(line)
}
