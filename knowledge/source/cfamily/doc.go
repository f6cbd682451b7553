package cfamily

import (
	"bytes"
	"sort"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

type docs struct {
	*file
	about int // the comment that documents the file, or -1
	// below maps the token after a prototype to the comment below it, in headers with that convention.
	below map[int32]int
	taken map[int]bool // the comments in below
}

func (f *file) docs() *docs {
	d := &docs{file: f, about: -1}
	for i, c := range f.comments {
		if text := f.src[c.start:c.end]; marked(text) &&
			(bytes.Contains(text, []byte("@file")) || bytes.Contains(text, []byte(`\file`))) && fileCommand.Match(text) {
			d.about = i
			break
		}
	}
	return d
}

var (
	fileCommand  = lazyregexp.New(`[@\\]file\b`)
	fileLine     = lazyregexp.New(`(?m)^\s*[@\\]file\b.*\n?`)
	briefCommand = lazyregexp.New(`(?m)^\s*[@\\]brief\s+`)
	grouping     = lazyregexp.New(`^[@\\](defgroup|addtogroup|ingroup|name|\{|\}|cond|endcond|mainpage|page)`)
)

func (d *docs) ofFile() string {
	if d.about < 0 {
		return ""
	}
	first, last := d.run(d.about, true)
	doc := fileLine.ReplaceAllString(d.text(first, last), "")
	return strings.TrimSpace(briefCommand.ReplaceAllString(doc, ""))
}

// marked reports whether a comment has documentation syntax.
func marked(c []byte) bool {
	if len(c) < 4 {
		return false
	}
	switch string(c[:3]) {
	case "///", "//!", "/*!":
		return c[3] != '/'
	case "/**":
		return c[3] != '*' && c[3] != '/'
	}
	return false
}

// trailing reports whether a comment documents the preceding code: ///< and similar.
func trailing(c []byte) bool { return marked(c) && c[3] == '<' }

func (d *docs) spelled(i int) []byte { return d.src[d.comments[i].start:d.comments[i].end] }

// before returns the documentation above the declaration at token at, or above the macro of a directive.
func (d *docs) before(at, directive, line int32) string {
	i := sort.Search(len(d.comments), func(i int) bool {
		c := d.comments[i]
		return c.at > at || c.at == at && c.directive > directive
	}) - 1
	for ; i >= 0; i-- {
		c := d.comments[i]
		if c.at != at || c.directive != directive {
			return ""
		}
		if c.last <= line && i != d.about && c.alone && !trailing(d.spelled(i)) {
			break
		}
	}
	if i < 0 {
		return ""
	}
	if d.taken[i] {
		return ""
	}
	isDoc := marked(d.spelled(i))
	if !isDoc && d.comments[i].last != line-1 || isDoc && d.comments[i].last < line-2 {
		return ""
	}
	first, last := d.run(i, false)
	if first <= d.about && d.about <= last {
		return ""
	}
	doc := d.text(first, last)
	if source.HasLicence(doc) || doc != "" && (doc[0] == '@' || doc[0] == '\\') && grouping.MatchString(doc) {
		return ""
	}
	return doc
}

func (d *docs) behind(at int32, line int32) string {
	i := sort.Search(len(d.comments), func(i int) bool { return d.comments[i].at >= at })
	if i == len(d.comments) || d.comments[i].at != at || d.comments[i].line != line || !trailing(d.spelled(i)) {
		return ""
	}
	_, last := d.run(i, true)
	return d.text(i, last)
}

// findBelow detects headers with comments below prototypes: more prototypes must have one there than above.
func (b *builder) findBelow() {
	d := b.docs
	var prototypes []*entry
	d.below, d.taken = map[int32]int{}, map[int]bool{}
	for i := range b.found {
		e := &b.found[i]
		if e.macro > 0 || e.kind != source.Func || !b.is(e.end, ';') {
			continue
		}
		prototypes = append(prototypes, e)
		behind := int32(e.end + 1)
		n := sort.Search(len(d.comments), func(n int) bool { return d.comments[n].at >= behind })
		if n < len(d.comments) && d.comments[n].at == behind && d.comments[n].line == b.tokens[e.end].line+1 && d.standsApart(n) {
			d.below[behind], d.taken[n] = n, true
		}
	}
	above := 0
	for _, e := range prototypes {
		if d.before(int32(e.start), b.directivesBefore(int32(e.start)), b.tokens[e.start].line) != "" {
			above++
			delete(d.below, int32(e.end+1))
		}
	}
	if len(d.below) < fewestBelow || len(d.below) <= above {
		d.below, d.taken = nil, nil
	}
}

// fewestBelow is the minimum number of such comments.
const fewestBelow = 2

func (d *docs) standsApart(n int) bool {
	c := d.comments[n]
	if !c.alone {
		return false
	}
	if n+1 < len(d.comments) && d.comments[n+1].at == c.at && d.comments[n+1].line == c.last+1 {
		return false
	}
	return int(c.at) >= len(d.tokens) || d.tokens[c.at].line > c.last+1
}

// inside returns the trailing documentation on a macro's line.
func (d *docs) inside(at *directive, index int32) string {
	i := sort.Search(len(d.comments), func(i int) bool { return d.comments[i].start >= at.start })
	for ; i < len(d.comments) && d.comments[i].start < at.end; i++ {
		if d.comments[i].directive == index && trailing(d.spelled(i)) {
			return d.text(i, i)
		}
	}
	return ""
}

// run returns the block of adjacent line comments around i; only up to i unless forward.
func (d *docs) run(i int, forward bool) (first, last int) {
	first, last = i, i
	if d.src[d.comments[i].start+1] != '/' {
		return first, last
	}
	joined := func(a, b int) bool {
		x, y := d.comments[a], d.comments[b]
		return x.at == y.at && x.directive == y.directive && x.last+1 == y.line && d.src[x.start+1] == '/' &&
			d.src[y.start+1] == '/' && marked(d.spelled(a)) == marked(d.spelled(b)) && (x.alone && y.alone || forward)
	}
	for first > 0 && joined(first-1, first) {
		first--
	}
	for forward && last+1 < len(d.comments) && joined(last, last+1) {
		last++
	}
	return first, last
}

func (d *docs) text(first, last int) string {
	var lines []string
	for i := first; i <= last; i++ {
		c := string(d.spelled(i))
		if strings.HasPrefix(c, "//") {
			lines = append(lines, strings.TrimLeft(strings.TrimLeft(c, "/"), "!<"))
			continue
		}
		c = strings.TrimSuffix(strings.TrimPrefix(c, "/*"), "*/")
		c = strings.TrimLeft(strings.TrimLeft(c, "*!"), "<")
		inner := strings.Split(c, "\n")
		starred := isStarred(inner[1:])
		for n, line := range inner {
			if bare := strings.TrimLeft(line, " \t"); n > 0 && starred && strings.HasPrefix(bare, "*") {
				line = strings.TrimLeft(bare, "*")
			}
			lines = append(lines, line)
		}
	}
	return valid(unindent(lines))
}

// isStarred reports whether lines begin with a column of asterisks, judging by the first nonblank one.
func isStarred(lines []string) bool {
	for _, line := range lines {
		if bare := strings.TrimLeft(line, " \t"); strings.Trim(bare, " \t\r") != "" {
			return bare[0] == '*'
		}
	}
	return false
}

// unindent removes the common indentation, trailing blanks, ornaments and outer blank lines. The first line follows
// the comment marker and does not count for the indentation.
func unindent(lines []string) string {
	for i, line := range lines {
		if lines[i] = strings.ReplaceAll(line, "\t", "    "); strings.Trim(line, " *-=#~_+/\t\r\f\v") == "" {
			lines[i] = ""
		}
	}
	return source.Unindent(lines, false)
}
