package sarif

import (
	"strings"
	"unicode/utf16"
)

// Region is a region of a file. Lines and columns count from 1. Column 0 is unknown, and EndColumn exclusive.
type Region struct {
	Line, EndLine     int
	Column, EndColumn int
	// Points is set if columns count code points instead of UTF-16 units.
	Points bool
}

// read converts a region. Without a first line it is empty, because the unit of offsets is unclear.
func (r region) read(points bool) Region {
	out := Region{Line: r.StartLine.from(1, 0), Column: r.StartColumn.from(1, 0), EndColumn: r.EndColumn.from(1, 0)}
	if out.Line == 0 {
		return Region{}
	}
	out.EndLine = r.EndLine.from(out.Line, out.Line)
	if out.EndColumn == 1 && out.EndLine > out.Line { // it ends before that line
		out.EndLine--
		out.EndColumn = 0
	}
	out.Points = points && out.Column+out.EndColumn > 0
	return out
}

// Text returns the flagged text from the lines of a file, or whole lines if the columns are missing or invalid.
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
