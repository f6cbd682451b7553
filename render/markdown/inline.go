package markdown

import (
	"html"
	"regexp"
	"strings"
)

// inlineReader reads the marks inside a paragraph of Markdown. Only what a comment needs is known; links become their
// text, and the address where it is one of the web.
type inlineReader struct {
	emphasis bool
	rust     bool            // [path::Name] is a reference to code
	defs     map[string]bool // reference definitions of the comment, in lower case
}

const asciiPunct = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

var (
	entity   = regexp.MustCompile(`^&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
	autolink = regexp.MustCompile(`^<((?:https?|ftp|mailto):[^\s<>]+|[^\s<>@]+@[^\s<>]+)>`)
	codeName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_<][A-Za-z0-9_<>]*)*(\(\)|!)?$|^(fn|struct|enum|trait|mod|macro|type|const|method|value|derive|prim|primitive)@[^\s]+$`)
)

func (r inlineReader) read(s string) []inline { return r.readDepth(s, 0) }

func (r inlineReader) readDepth(s string, depth int) []inline {
	sc := scanner{reader: r, s: s, depth: depth, runs: backtickRuns(s), brackets: matchPairs(s, '[', ']'), missing: map[string]bool{}}
	for sc.i < len(s) {
		sc.step()
	}
	sc.flush()
	return sc.out
}

type scanner struct {
	reader   inlineReader
	s        string
	i        int
	depth    int
	out      []inline
	plain    strings.Builder
	runs     map[int][]int
	brackets map[int]int
	missing  map[string]bool // delimiters that do not come again, so that no search is made twice
}

func (sc *scanner) flush() {
	if sc.plain.Len() > 0 {
		sc.out = append(sc.out, inline{plainText, sc.plain.String()})
		sc.plain.Reset()
	}
}

func (sc *scanner) emit(pieces []inline, next int) {
	sc.flush()
	sc.out = append(sc.out, pieces...)
	sc.i = next
}

func (sc *scanner) literal(n int) {
	sc.plain.WriteString(sc.s[sc.i : sc.i+n])
	sc.i += n
}

func (sc *scanner) step() {
	s, i := sc.s, sc.i
	switch c := s[i]; {
	case c == '\\' && i+1 < len(s) && strings.IndexByte(asciiPunct, s[i+1]) >= 0:
		sc.plain.WriteByte(s[i+1])
		sc.i += 2
	case c == '`':
		sc.code()
	case c == '[' || c == '!' && i+1 < len(s) && s[i+1] == '[':
		sc.link()
	case c == '<':
		if m := autolink.FindStringSubmatch(s[i:min(len(s), i+2100)]); m != nil {
			sc.plain.WriteString(m[1])
			sc.i += len(m[0])
			return
		}
		sc.literal(1)
	case c == '&':
		if m := entity.FindString(s[i:min(len(s), i+40)]); m != "" {
			sc.plain.WriteString(clean(html.UnescapeString(m)))
			sc.i += len(m)
			return
		}
		sc.literal(1)
	case (c == '*' || c == '_') && sc.reader.emphasis:
		sc.emphasised(c)
	default:
		sc.literal(1 + plainLength(s[i+1:], &inlineMarks))
	}
}

// inlineMarks are the characters at which the readers of inline text may have to do something.
var inlineMarks = bytesOf("\\`[!<&*_:|")

// plainLength is how many bytes s begins with that are none of the marks.
func plainLength(s string, marks *[256]bool) int {
	n := 0
	for n < len(s) && !marks[s[n]] {
		n++
	}
	return n
}

func (sc *scanner) code() {
	n := runLength(sc.s[sc.i:], '`')
	end := nextRun(sc.runs, n, sc.i+n)
	if end < 0 {
		sc.literal(n)
		return
	}
	sc.emit([]inline{{codeText, sc.s[sc.i+n : end]}}, end+n)
}

// backtickRuns lists where the runs of backticks of each length start.
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

// nextRun returns the first run of length n at or after from, or -1, and forgets those before it.
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

// matchPairs maps each opening bracket to the one that closes it.
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

// maxLabel is the longest text of a link, which keeps nested brackets from being read over and over.
const maxLabel = 1000

// link reads [text](address), [text][name], [name] and the same as images.
func (sc *scanner) link() {
	open := sc.i
	image := sc.s[open] == '!'
	if image {
		open++
	}
	end, closed := sc.brackets[open]
	if !closed || end == open+1 || end-open > maxLabel {
		sc.literal(open + 1 - sc.i)
		return
	}
	inner := sc.s[open+1 : end]
	rest := sc.s[end+1:]
	if m := linkTail.FindStringSubmatch(rest[:min(len(rest), 2100)]); m != nil {
		sc.linked(inner, strings.Trim(m[1], "<>"), image, end+1+len(m[0]))
		return
	}
	next, name := end+1, inner
	if second, ok := sc.brackets[end+1]; ok && strings.HasPrefix(rest, "[") {
		next = second + 1
		if second > end+2 {
			name = sc.s[end+2 : second]
		}
	}
	switch {
	case sc.reader.rust && codeName.MatchString(strings.Trim(inner, "`")) && !strings.Contains(inner, " "):
		sc.emit([]inline{{codeText, strings.Trim(inner, "`")}}, next)
	case sc.reader.rust && next > end+1, sc.reader.rust && strings.HasPrefix(inner, "`"), sc.reader.defs[strings.ToLower(name)]:
		sc.linked(inner, "", image, next)
	default:
		sc.literal(open + 1 - sc.i)
	}
}

var linkTail = regexp.MustCompile(`^\(\s*(<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`)

func (sc *scanner) linked(inner, dest string, image bool, next int) {
	pieces := []inline{{plainText, inner}}
	if !image && sc.depth < 2 {
		pieces = sc.reader.readDepth(inner, sc.depth+1)
	}
	if strings.HasPrefix(dest, "http") && !image && strings.TrimSpace(inner) != dest {
		pieces = append(pieces, inline{plainText, " (" + dest + ")"})
	}
	sc.emit(pieces, next)
}

// emphasised reads *text*, **text**, _text_ and __text__; other runs are literal.
func (sc *scanner) emphasised(c byte) {
	s, i := sc.s, sc.i
	n := runLength(s[i:], c)
	mark := s[i : i+min(n, 2)]
	before, after := i == 0 || !isWordByte(s[i-1]), i+n < len(s) && s[i+n] != ' '
	if n > 2 || !after || c == '_' && !before || sc.missing[mark] {
		sc.literal(n)
		return
	}
	end := closingMark(s, mark, i+n)
	if end < 0 {
		sc.missing[mark] = true
		sc.literal(n)
		return
	}
	inner := s[i+n : end]
	kind := emphText
	if n == 2 {
		kind = strongText
	}
	pieces := []inline{{kind, inner}}
	if strings.ContainsAny(inner, "`[&<*_\\") && sc.depth < 2 {
		pieces = sc.reader.readDepth(inner, sc.depth+1)
		if len(pieces) == 1 && pieces[0].kind == plainText {
			pieces[0].kind = kind
		}
	}
	sc.emit(pieces, end+n)
}

// closingMark finds a run of exactly the mark that follows something other than a space, and ends a word for "_".
func closingMark(s, mark string, from int) int {
	c := mark[0]
	for i := from; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			continue
		}
		if s[i] != c {
			continue
		}
		n := runLength(s[i:], c)
		ends := c == '*' || i+n == len(s) || !isWordByte(s[i+n])
		if n == len(mark) && i > from && s[i-1] != ' ' && ends {
			return i
		}
		i += n - 1
	}
	return -1
}
