package source

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// Heading is a heading of a document.
type Heading struct {
	Written string // with its markup
	Text    string // without
	Anchor  string // on GitHub
	Level   int    // from 1
	Line    int    // from 0
	next    int    // the line where the text below begins
}

var (
	markdownHeading = lazyregexp.New(`^(#{1,6})[ \t]+(.*?)[ \t]*#*$`)
	// headedName matches a heading about a symbol: its name, a call or an assignment.
	headedName = lazyregexp.New("^(?:`+)?(?:(?:async|await|new|function|def|func|class|static)[ \t]+)?([\\pL_$][\\pL\\d_$]*(?:(?:\\.|#|::)[\\pL_$][\\pL\\d_$]*)*)(\\??(?:<[^>]*>)?\\(.*\\).*|=.*|[ \t]*:[ \t].*)?(?:`+)?$")
)

// Headings lists the headings of a Markdown, reStructuredText or AsciiDoc document: marked with # or =, or underlined. Blocks of code and
// comments have none.
func Headings(name string, content []byte) []Heading { return headings(name, documentLines(content)) }

func documentLines(content []byte) []string {
	return strings.Split(strings.ReplaceAll(strings.ToValidUTF8(string(content), "�"), "\r\n", "\n"), "\n")
}

func headings(name string, lines []string) (out []Heading) {
	if IsASCIIDoc(name) {
		return asciiHeadings(lines)
	}
	restructured, marks := strings.HasSuffix(name, ".rst"), "=-"
	levels := []string{"=", "-"}
	if restructured { // a level has the mark that the document gives it, doubled if there is a line above too
		marks, levels = "=-~^\"'#*+`.:_", nil
	}
	first := 0
	if lines[0] == "---" { // front matter
		first = slices.Index(lines[1:], "---") + 2
	}
	var slugs markdown.Slugger
	add := func(written string, level, line, next int) {
		text := markdown.HeadingText(written)
		out = append(out, Heading{written, text, slugs.Slug(text), level, line, next})
	}
	fence, comment := "", false
	for i := first; i < len(lines); i++ {
		line, mark := lines[i], ""
		if !restructured {
			mark, _ = fenceMark(line)
		}
		switch {
		case fence != "":
			if closesFence(line, fence) {
				fence = ""
			}
			continue
		case mark != "" && !comment:
			fence = mark
			continue
		}
		if comment = !restructured && (comment || strings.HasPrefix(strings.TrimSpace(line), "<!--")); comment {
			comment = !strings.Contains(line, "-->")
			continue
		}
		if m := markdownHeading.FindStringSubmatch(line); m != nil && !restructured {
			add(m[2], len(m[1]), i, i+1)
			continue
		}
		above := i > first && strings.TrimSpace(lines[i-1]) != ""
		if i+1 == len(lines) || above && !restructured || !isUnderlined(line, strings.TrimRight(lines[i+1], " \t"), marks, restructured) {
			continue
		}
		level := lines[i+1][:1]
		if restructured && above {
			level += level
		}
		if !slices.Contains(levels, level) {
			levels = append(levels, level)
		}
		add(linkTarget.ReplaceAllString(strings.TrimSpace(line), "$1"), slices.Index(levels, level)+1, i, i+2)
	}
	return out
}

// linkTarget matches the target of a link in reStructuredText: "`gevent <http://www.gevent.org>`__".
var linkTarget = lazyregexp.New("`([^`<]+?) *<[^`<>]*>`__?")

// otherBlock matches a line that begins a table, quotation, list or heading.
var otherBlock = lazyregexp.New(`^(?:[|>#]|[-*+][ \t])`)

// isUnderlined reports whether a line is a heading with the line below, which repeats one of the marks.
func isUnderlined(line, under, marks string, restructured bool) bool {
	repeats := func(text string) bool {
		return len(text) > 2 && strings.Contains(marks, text[:1]) && strings.Trim(text, text[:1]) == ""
	}
	text := strings.TrimSpace(line)
	if text == "" || !repeats(under) || repeats(text) {
		return false
	}
	if restructured {
		return line == strings.TrimLeft(line, " \t") && len(under) >= utf8.RuneCountInString(text)
	}
	return !otherBlock.MatchString(text)
}

// DescribedHeadings lists the Markdown sections with a symbol name as heading: "### request.header", "##
// `open(path)`". A single word counts only as code or with parentheses.
func DescribedHeadings(content []byte) []Described {
	lines := documentLines(content)
	var out []Described
	all := headings("", lines)
	for i, h := range all {
		end := len(lines)
		if i+1 < len(all) {
			end = all[i+1].Line
		}
		name := nameInHeading(h.Written)
		if name == "" || len(out) == mostDescribed {
			continue
		}
		if text := said(lines[h.next:end]); text != "" {
			out = append(out, Described{Name: name, Line: h.Line + 1, Anchor: h.Anchor, Text: text, Digest: DigestOf(text, h.Anchor), Bytes: len(text), End: end})
		}
	}
	return out
}

func nameInHeading(title string) string {
	title = strings.ReplaceAll(strings.TrimSpace(title), `\`, "")
	m := headedName.FindStringSubmatch(title)
	if m == nil || len(m[1]) > longestName {
		return ""
	}
	if code := strings.HasPrefix(title, "`"); !code && !strings.ContainsAny(m[1], ".#:") && !strings.HasPrefix(strings.TrimPrefix(m[2], "?"), "(") {
		return ""
	}
	return strings.NewReplacer("#", ".", "::", ".").Replace(m[1])
}
