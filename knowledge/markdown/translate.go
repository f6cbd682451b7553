package markdown

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

type dialect struct {
	braces  bool // {@link X}
	doxygen bool // \c word
}

// translate rewrites HTML and inline tags as Markdown, outside fences and code spans. blockReader parses the result and
// makes it safe.
func translate(s string, d dialect) string {
	if plainLength(s, &translated) == len(s) {
		return s
	}
	t := translator{s: s, dialect: d, runs: backtickRuns(s), missing: map[string]bool{}}
	if d.braces {
		t.braces = matchPairs(s, '{', '}')
	}
	for t.i < len(s) {
		t.step()
	}
	return t.out.String()
}

type translator struct {
	dialect
	s       string
	i       int
	out     strings.Builder
	runs    map[int][]int
	braces  map[int]int
	missing map[string]bool // closing tags without a further occurrence
	lists   []string        // open <ul>, <ol>
	item    int             // start of the last item's text
	href    string          // address of the open <a>, whose text starts at label
	label   int
}

func (t *translator) step() {
	c := t.s[t.i]
	switch {
	case c == '\n':
		t.newline()
	case (c == '`' || c == '~') && t.atLineStart() && fenceMark(t.line()) != "":
		t.fence()
	case c == '`':
		t.span()
	case c == '<':
		t.tag()
	case c == '{' && t.dialect.braces && strings.HasPrefix(t.s[t.i:], "{@"):
		t.brace()
	case (c == '\\' || c == '@') && t.dialect.doxygen:
		t.command()
	default:
		t.keep(1 + plainLength(t.s[t.i+1:], &stops))
	}
}

// translated lists the characters that may need rewriting; stops adds line ends.
var (
	translated = bytesOf("`~<{\\@")
	stops      = bytesOf("`~<{\\@\n")
)

func (t *translator) keep(n int) {
	t.out.WriteString(t.s[t.i : t.i+n])
	t.i += n
}

func (t *translator) line() string {
	rest := t.s[t.i:]
	if n := strings.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	return rest
}

func (t *translator) atLineStart() bool {
	for i := t.i - 1; i >= 0 && t.s[i] != '\n'; i-- {
		if t.s[i] != ' ' && t.s[i] != '\t' {
			return false
		}
	}
	return true
}

// newline keeps the lines of an HTML list inside their item.
func (t *translator) newline() {
	t.out.WriteByte('\n')
	t.i++
	if len(t.lists) == 0 {
		return
	}
	t.skipBlanks()
	t.out.WriteString(t.margin())
}

func (t *translator) skipBlanks() {
	for t.i < len(t.s) && (t.s[t.i] == ' ' || t.s[t.i] == '\t') {
		t.i++
	}
}

// open starts an item. Markdown requires its text on the line of its marker.
func (t *translator) open() {
	for t.i < len(t.s) && strings.IndexByte(" \t\n", t.s[t.i]) >= 0 {
		t.i++
	}
	t.item = t.out.Len()
}

// opened reports that nothing has been written into an item yet.
func (t *translator) opened() bool { return t.item > 0 && t.item == t.out.Len() }

func (t *translator) margin() string { return strings.Repeat("    ", min(len(t.lists), maxDepth)) }

func (t *translator) breakBlock() {
	if t.opened() {
		t.open()
		return
	}
	t.out.WriteString("\n\n" + t.margin())
}

func (t *translator) fence() {
	mark := fenceMark(t.line())
	for first := true; t.i < len(t.s); first = false {
		line := t.line()
		t.keep(min(len(line)+1, len(t.s)-t.i))
		if !first && closesFence(line, mark) {
			return
		}
	}
}

func (t *translator) span() {
	n := runLength(t.s[t.i:], '`')
	if end := nextRun(t.runs, n, t.i+n); end >= 0 && !strings.Contains(t.s[t.i:end], "\n\n") {
		t.keep(end + n - t.i)
		return
	}
	t.keep(n)
}

// before returns the text up to the next closer, ignoring case, and remembers missing closers.
func (t *translator) before(closer string) (string, bool) {
	if t.missing[closer] {
		return "", false
	}
	n := indexFold(t.s[t.i:], closer)
	if n < 0 {
		t.missing[closer] = true
		return "", false
	}
	return t.s[t.i : t.i+n], true
}

func indexFold(s, sub string) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		if (s[i]|0x20) == (sub[0]|0x20) && strings.EqualFold(s[i:i+len(sub)], sub) {
			return i
		}
	}
	return -1
}

var braceTag = lazyregexp.New(`^\{@([A-Za-z]+)\s*`)

// brace translates an inline tag: {@link X#y label}, {@code x}.
func (t *translator) brace() {
	end, closed := t.braces[t.i]
	m := braceTag.FindStringSubmatch(t.s[t.i:min(len(t.s), t.i+60)])
	if !closed || m == nil {
		t.keep(1)
		return
	}
	start := min(t.i+len(m[0]), end)
	body := strings.TrimSpace(t.s[start:end])
	t.i = end + 1
	t.out.WriteString(braceText(m[1], body))
}

func braceText(name, body string) string {
	switch strings.ToLower(name) {
	case "link", "linkcode", "linkplain", "tutorial":
		return linkText(body)
	case "inheritdoc", "docroot", "label":
		return ""
	case "literal":
		return escapePlain(body)
	case "index", "summary", "a":
		return body
	case "return":
		return "Returns " + strings.TrimSuffix(body, ".") + "."
	case "value":
		return Code(strings.TrimPrefix(strings.ReplaceAll(body, "#", "."), "."))
	case "snippet":
		_, code, _ := strings.Cut(body, ":")
		return "\n\n" + Fence("java", strings.Join(dedentAll(splitLines(clean(code))), "\n")) + "\n\n"
	}
	return Code(body)
}

func linkText(body string) string {
	target, shown, labelled := strings.Cut(body, "|")
	if !labelled {
		target, shown = cutTarget(body)
	}
	target, shown = strings.TrimSpace(target), strings.TrimSpace(shown)
	switch {
	case strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://"):
		return strings.TrimSpace(shown + " " + target)
	case shown != "":
		return untagged(shown)
	}
	return Code(strings.TrimPrefix(strings.ReplaceAll(target, "#", "."), "."))
}

// cutTarget cuts at the first space outside parentheses, as in X#m(int, String) label.
func cutTarget(s string) (target, rest string) {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ' ', '\n', '\t':
			if depth <= 0 {
				return s[:i], s[i+1:]
			}
		}
	}
	return s, ""
}

func escapePlain(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte("\\`*_[]<>&!#", s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
