package token

import "fmt"

// Problem is the first syntax error of a file. The zero value stands for none.
type Problem struct {
	line int32
	text string
}

// Report records an error. The one on the first line is kept, and on one line the first report. Others are not
// formatted, because a broken file may have very many.
func (p *Problem) Report(line int32, format string, args ...any) {
	if !p.Found() || line < p.line {
		p.line, p.text = line, fmt.Sprintf(format, args...)
	}
}

// Found reports whether there is an error.
func (p *Problem) Found() bool { return p.text != "" }

// String describes the error with its line; empty if there is none.
func (p *Problem) String() string {
	if !p.Found() {
		return ""
	}
	return fmt.Sprintf("line %d: %s", p.line, p.text)
}
