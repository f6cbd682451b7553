package pagecheck

import (
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark/util"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// scan holds the links and anchors of a page.
type scan struct {
	page     string
	problems []Problem
	anchors  map[string]bool
	links    []link
	slugs    markdown.Slugger
	keep     bool // in a keep block
}

type link struct {
	dest string
	line int
}

// report adds a problem, unless it is in a keep block, which belongs to its author.
func (s *scan) report(line int, what, mend string) {
	if !s.keep {
		s.problems = append(s.problems, Problem{Page: s.page, Line: line, What: what, Mend: mend})
	}
}

var (
	fenceOpen = lazyregexp.New("^[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)]) +)?(```+|~~~+)(.*)$")
	heading   = lazyregexp.New(`^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$`)
	idTag     = lazyregexp.New(`(?i)<[a-z][^<>]*?\s(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)')`)
	hrefTag   = lazyregexp.New(`(?i)<(?:a|img)\s[^<>]*?(?:href|src)\s*=\s*(?:"([^"]+)"|'([^']+)')`)
)

func scanPage(p Page) *scan {
	s := &scan{page: p.Path, anchors: map[string]bool{}}
	lines := strings.Split(strings.ReplaceAll(string(p.Content), "\r\n", "\n"), "\n")
	// after returns the first line from i on for which is holds, or the end of the page
	after := func(i int, is func(line string) bool) int {
		for i < len(lines) && !is(lines[i]) {
			i++
		}
		return i
	}
	i := 0
	if lines[0] == "---" { // front matter
		i = 1 + after(1, func(line string) bool { return line == "---" })
	}
	for ; i < len(lines); i++ {
		line := lines[i]
		switch text := strings.TrimLeft(line, " \t"); {
		case strings.HasPrefix(text, "<!-- causal:keep "), strings.HasPrefix(text, "<!-- /causal:keep "):
			s.keep = text[len("<!-- ")] != '/'
		case strings.HasPrefix(text, "<!--"):
			start := i + 1
			if i = after(i, func(line string) bool { return strings.Contains(line, "-->") }); i == len(lines) {
				s.keep = false
				s.report(start, "the comment is not closed", "close it with -->")
			}
		default:
			mark, info := cutFence(line)
			if mark == "" {
				s.line(line, i+1)
				continue
			}
			start := i + 1
			i = after(start, func(line string) bool {
				line = strings.Trim(line, " \t>")
				return len(line) >= len(mark) && strings.Trim(line, mark[:1]) == ""
			})
			if i == len(lines) { // it hides the rest of the page, even if it begins in a keep block
				s.keep = false
				s.report(start, "the fence is not closed", "close it with "+mark)
			} else if strings.TrimSpace(info) == "mermaid" {
				if err := Diagram(strings.Join(lines[start:i], "\n")); err != nil {
					s.report(start, "the diagram does not parse: "+err.Error(), "draw it as a flowchart with quoted labels, or show it as text")
				}
			}
		}
	}
	return s
}

// cutFence splits an opening fence into its marks and info string, which must not contain backticks after a backtick fence.
func cutFence(line string) (mark, info string) {
	if !strings.Contains(line, "```") && !strings.Contains(line, "~~~") {
		return "", ""
	}
	if m := fenceOpen.FindStringSubmatch(line); m != nil && (m[1][0] == '~' || !strings.Contains(m[2], "`")) {
		return m[1], m[2]
	}
	return "", ""
}

// line collects the anchors and links of a line outside of fences. Code spans end in their line.
func (s *scan) line(line string, number int) {
	if strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
		if m := heading.FindStringSubmatch(line); m != nil {
			s.anchors[s.slugs.Slug(markdown.HeadingText(m[1]))] = true
		}
	}
	if !strings.ContainsAny(line, "]<") {
		return
	}
	line = plain(line)
	for _, m := range idTag.FindAllStringSubmatch(line, -1) {
		id := html.UnescapeString(m[1] + m[2])
		if s.anchors[id] {
			s.report(number, fmt.Sprintf("anchor %q comes twice", id), "give each place a unique id")
		}
		s.anchors[id] = true
	}
	if s.keep {
		return
	}
	for _, m := range hrefTag.FindAllStringSubmatch(line, -1) {
		s.links = append(s.links, link{html.UnescapeString(m[1] + m[2]), number})
	}
	for _, text := range strings.Split(line, "](")[1:] {
		if dest := destination(text); dest != "" {
			s.links = append(s.links, link{dest, number})
		}
	}
}

// plain returns a line with blanks for code spans and for escaped brackets.
func plain(line string) string {
	if !strings.ContainsAny(line, "\\`") {
		return line
	}
	out := []byte(line)
	for _, span := range markdown.CodeSpans(line) {
		for i := span[0]; i < span[1]; i++ {
			out[i] = ' '
		}
	}
	for i := 0; i+1 < len(out); i++ {
		if out[i] == '\\' {
			if i++; out[i] == ']' || out[i] == '<' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// destination returns the destination of a link, without its title, from the text behind "](".
func destination(text string) string {
	end, open := 0, 0
	if strings.HasPrefix(text, "<") {
		end, text = max(strings.IndexByte(text[1:], '>'), 0), text[1:]
	} else {
		for ; end < len(text) && text[end] > ' ' && (text[end] != ')' || open > 0); end++ {
			switch text[end] {
			case '(':
				open++
			case ')':
				open--
			}
		}
	}
	return string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences([]byte(text[:end])))))
}
