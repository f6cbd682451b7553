package token

import "fmt"

// Problem is the first thing in a file that could not be read. The zero value says that all could.
type Problem struct {
	line int32
	text string
}

// Report tells of a problem. Of several the one on the first line stays, and of those on one line the one that was told
// first. What does not stay is not put into words either: a broken file may have very many.
func (p *Problem) Report(line int32, format string, args ...any) {
	if !p.Found() || line < p.line {
		p.line, p.text = line, fmt.Sprintf(format, args...)
	}
}

// Found reports whether something could not be read.
func (p *Problem) Found() bool { return p.text != "" }

// String says what is wrong and where; nothing when nothing is.
func (p *Problem) String() string {
	if !p.Found() {
		return ""
	}
	return fmt.Sprintf("line %d: %s", p.line, p.text)
}
