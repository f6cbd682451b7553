package markdown

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var bullet = lazyregexp.New(`^( *)([-*+]|[0-9]{1,9}[.)])( +|$)`)

// isBullet checks the first character before the pattern, for speed.
func isBullet(line string) bool {
	body := strings.TrimLeft(line, " ")
	return body != "" && strings.IndexByte("-*+0123456789", body[0]) >= 0 && bullet.MatchString(line)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// fenceMark returns the marks that open a fence on this line, or "".
func fenceMark(line string) string {
	s := strings.TrimLeft(line, " ")
	for _, c := range []byte("`~") {
		n := runLength(s, c)
		if n >= 3 && (c == '~' || strings.IndexByte(s[n:], '`') < 0) {
			return s[:n]
		}
	}
	return ""
}

func closesFence(line, mark string) bool {
	s := strings.TrimSpace(line)
	return len(s) >= len(mark) && runLength(s, mark[0]) == len(s)
}

func fenced(lines []string, i int) (code block, next int) {
	mark, in := fenceMark(lines[i]), indentOf(lines[i])
	lang := strings.TrimSpace(lines[i][in+len(mark):])
	var body []string
	for i++; i < len(lines) && !closesFence(lines[i], mark); i++ {
		body = append(body, dedent(lines[i], in))
	}
	return block{kind: codeBlock, lang: lang, code: strings.Join(body, "\n")}, i + 1
}

func joinLines(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.TrimSpace(line))
	}
	return b.String()
}

// plainLength returns the length of the prefix of s without marks.
func plainLength(s string, marks *[256]bool) int {
	n := 0
	for n < len(s) && !marks[s[n]] {
		n++
	}
	return n
}

func backtickRuns(s string) map[int][]int {
	if !strings.Contains(s, "`") {
		return nil
	}
	runs := map[int][]int{}
	for i := 0; i < len(s); {
		n := runLength(s[i:], '`')
		if n > 0 {
			runs[n] = append(runs[n], i)
		}
		i += max(n, 1)
	}
	return runs
}

// nextRun returns the first run of length n at or after from, or -1, and drops the earlier ones.
func nextRun(runs map[int][]int, n, from int) int {
	list := runs[n]
	for len(list) > 0 && list[0] < from {
		list = list[1:]
	}
	runs[n] = list
	if len(list) == 0 {
		return -1
	}
	return list[0]
}

func matchPairs(s string, opening, closing byte) map[int]int {
	if strings.IndexByte(s, opening) < 0 {
		return nil
	}
	pairs := map[int]int{}
	var stack []int
	for i := range len(s) {
		switch s[i] {
		case opening:
			stack = append(stack, i)
		case closing:
			if n := len(stack); n > 0 {
				pairs[stack[n-1]] = i
				stack = stack[:n-1]
			}
		}
	}
	return pairs
}
