package markdown

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Words returns the text of a line of Markdown without markup, such as the result of [Escape].
func Words(line string) string { return rawText(lead(Read(line, "markdown").blocks)) }

// HeadingText returns the text of a heading, as Words does. A heading begins no list: "1. Install".
func HeadingText(heading string) string {
	if code := strings.Trim(heading, "`"); len(code) == len(heading)-2 && !strings.Contains(code, "`") {
		return code // most are the name of a symbol
	}
	const word = "x" // behind a word, a number begins no list
	return strings.TrimSpace(strings.TrimPrefix(Words(word+" "+heading), word))
}

var linkDestination = lazyregexp.New(`(\]\(\s*<|\]\(\s*|^ {0,3}\[[^\]]+\]:\s*<|^ {0,3}\[[^\]]+\]:\s*|\b(?:href|src)=["'])([^\s<>"'()]+)`)

// Relink replaces the link destinations of a page, except in code.
func Relink(page string, to func(destination string) string) string {
	lines, mark := strings.SplitAfter(page, "\n"), ""
	for i, line := range lines {
		switch bare := strings.TrimRight(line, "\r\n"); {
		case mark != "":
			if closesFence(bare, mark) {
				mark = ""
			}
		case fenceMark(bare) != "":
			mark = fenceMark(bare)
		default:
			lines[i] = relinkLine(line, to)
		}
	}
	return strings.Join(lines, "")
}

func relinkLine(line string, to func(destination string) string) string {
	var b strings.Builder
	done, code := 0, CodeSpans(line)
	for _, m := range linkDestination.FindAllStringSubmatchIndex(line, -1) {
		for len(code) > 0 && code[0][1] <= m[0] {
			code = code[1:]
		}
		if len(code) > 0 && code[0][0] <= m[0] {
			continue
		}
		b.WriteString(line[done:m[4]] + to(line[m[4]:m[5]]))
		done = m[5]
	}
	return b.String() + line[done:]
}

// CodeSpans returns the start and end of the code spans of a line, including the backticks.
func CodeSpans(line string) (out [][2]int) {
	last := map[int]int{} // last position of each run length: only an earlier run can be closed
	for i := 0; i < len(line); i++ {
		if n := runLength(line[i:], '`'); n > 0 {
			last[n] = i
			i += n
		}
	}
	for i := 0; i < len(line); i++ {
		n := runLength(line[i:], '`')
		switch {
		case n > 0 && last[n] > i:
			end := i + n + closingRun(line[i+n:], n) + n
			out = append(out, [2]int{i, end})
			i = end - 1
		case n > 0:
			i += n - 1
		case line[i] == '\\':
			i++
		}
	}
	return out
}
