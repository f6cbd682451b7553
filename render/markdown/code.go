package markdown

import "strings"

// Code returns s as an inline code span of one line. It is empty when s is blank.
func Code(s string) string {
	var b strings.Builder
	writeCode(&b, clean(s))
	return b.String()
}

func writeCode(b *strings.Builder, s string) {
	s = strings.TrimSpace(squeeze(disarm(s)))
	if s == "" {
		return
	}
	mark := strings.Repeat("`", freeRun(s, 1))
	pad := ""
	if s[0] == '`' || s[len(s)-1] == '`' {
		pad = " "
	}
	b.WriteString(mark + pad + s + pad + mark)
}

// freeRun returns the least length, from least on, of a run of backticks that s does not hold.
func freeRun(s string, least int) int {
	held := map[int]bool{}
	for i := 0; i < len(s); {
		n := runLength(s[i:], '`')
		held[n] = true
		i += max(n, 1)
	}
	for held[least] {
		least++
	}
	return least
}

func runLength(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// Fence returns code as a fenced block that nothing in the code can close. Of lang only a plain word is kept.
func Fence(lang, code string) string {
	code = disarm(clean(code))
	lines := strings.Split(code, "\n")
	longest := 2
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
		longest = max(longest, runLength(strings.TrimLeft(line, " \t"), '`'))
	}
	mark := strings.Repeat("`", longest+1)
	body := strings.Join(trimBlank(lines), "\n")
	if body != "" {
		body += "\n"
	}
	return mark + infoWord(lang) + "\n" + body + mark
}

func infoWord(lang string) string {
	end := 0
	for end < len(lang) && (isWordByte(lang[end]) || strings.IndexByte("+-#.", lang[end]) >= 0) {
		end++
	}
	return lang[:end]
}

// acting are the fence languages that GitHub draws, or offers to apply, instead of showing them.
var acting = map[string]bool{
	"mermaid": true, "math": true, "latex": true, "tex": true, "geojson": true, "topojson": true, "stl": true, "suggestion": true,
}

// docFence is Fence for code that a comment brings along: its language is a claim of the comment.
func docFence(lang, code string) string {
	lang = strings.ToLower(infoWord(lang))
	if acting[lang] {
		lang = "text"
	}
	return Fence(lang, code)
}
