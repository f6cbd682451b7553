package markdown

import (
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/lazy"
)

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
	apart(b)
	if strings.IndexByte(s, '`') < 0 {
		b.WriteByte('`')
		b.WriteString(s)
		b.WriteByte('`')
		return
	}
	mark := strings.Repeat("`", freeRun(s))
	pad := ""
	if s[0] == '`' || s[len(s)-1] == '`' {
		pad = " "
	}
	b.WriteString(mark + pad + s + pad + mark)
}

func apart(b *strings.Builder) {
	if strings.HasSuffix(b.String(), "`") {
		b.WriteByte(' ')
	}
}

// freeRun returns the smallest length of a backtick run that s does not contain.
func freeRun(s string) int {
	held := map[int]bool{}
	for i := 0; i < len(s); {
		n := runLength(s[i:], '`')
		held[n] = true
		i += max(n, 1)
	}
	least := 1
	for held[least] {
		least++
	}
	return least
}

func runLength[S string | []byte](s S, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// Fence returns code as a fenced block that the code cannot close. It reduces lang to a plain word.
func Fence(lang, code string) string {
	code = trimBlankLines(disarm(clean(code)))
	mark, word := fenceFor(code), infoWord(lang)
	var b strings.Builder
	b.Grow(2*len(mark) + len(word) + len(code) + 2)
	b.WriteString(mark)
	b.WriteString(word)
	b.WriteByte('\n')
	for more := code != ""; more; {
		var line string
		line, code, more = strings.Cut(code, "\n")
		b.WriteString(strings.TrimRight(line, " \t"))
		b.WriteByte('\n')
	}
	b.WriteString(mark)
	return b.String()
}

func fenceFor(code string) string {
	const least = "```"
	if !strings.Contains(code, least) {
		return least
	}
	longest := len(least) - 1
	for line := range strings.SplitSeq(code, "\n") {
		longest = max(longest, runLength(strings.TrimLeft(line, " \t"), '`'))
	}
	return strings.Repeat("`", longest+1)
}

func trimBlankLines(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	text := strings.TrimLeftFunc(s, unicode.IsSpace)
	start := strings.LastIndexByte(s[:len(s)-len(text)], '\n') + 1
	end := len(strings.TrimRightFunc(s, unicode.IsSpace))
	if n := strings.IndexByte(s[end:], '\n'); n >= 0 {
		return s[start : end+n]
	}
	return s[start:]
}

func infoWord(lang string) string {
	end := 0
	for end < len(lang) && (isWordByte(lang[end]) || strings.IndexByte("+-#.", lang[end]) >= 0) {
		end++
	}
	return lang[:end]
}

var acting = lazy.Set("mermaid math latex tex geojson topojson stl suggestion")

// docFence is Fence for code from a comment, whose language is untrusted.
func docFence(lang, code string) string {
	lang = strings.ToLower(infoWord(lang))
	if acting[lang] {
		lang = "text"
	}
	return Fence(lang, code)
}
