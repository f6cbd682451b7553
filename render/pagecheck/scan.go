package pagecheck

import (
	"errors"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// scan holds the results of one pass over a page.
type scan struct {
	page        string
	text        string
	lines       []string // of the text
	starts      []int    // of the lines in the text
	problems    []Problem
	anchors     map[string]bool
	links       []link
	uses        []link          // uses of reference definitions
	definitions map[string]bool // normalized
	slugs       markdown.Slugger
	keepIDs     map[string]bool
	keep        string // the open keep block
	keepLine    int
}

// link is a destination or the name of a definition, with its position.
type link struct {
	dest string
	line int
	keep bool
}

func (s *scan) report(line int, severity Severity, what, mend string) {
	if s.keep != "" {
		severity = Warning
	}
	s.problems = append(s.problems, Problem{Page: s.page, Line: line, Severity: severity, What: what, Mend: mend})
}

func scanPage(p Page) *scan {
	s := &scan{page: p.Path, anchors: map[string]bool{}, definitions: map[string]bool{}, keepIDs: map[string]bool{}}
	s.cutLines(strings.ReplaceAll(string(p.Content), "\r\n", "\n"))
	if n := len(p.Content); n > maxPageBytes {
		s.report(1, Warning, fmt.Sprintf("the page has %d bytes", n), "split it: pages over 100 KB are slow to read, over 512,000 bytes GitHub does not show them")
	}
	i := s.frontMatter()
	for i < len(s.lines) {
		i = s.block(i)
	}
	if s.keep != "" {
		line := s.keepLine
		id := s.keep
		s.keep = ""
		s.report(line, Error, fmt.Sprintf("keep block %q is not closed", id), "add <!-- /causal:keep --> after it")
	}
	return s
}

func (s *scan) cutLines(text string) {
	n := strings.Count(text, "\n") + 1
	s.text, s.lines, s.starts = text, make([]string, 0, n), make([]int, 0, n)
	start := 0
	for line := range strings.SplitSeq(text, "\n") {
		s.lines, s.starts = append(s.lines, line), append(s.starts, start)
		start += len(line) + 1
	}
}

// between returns the text of the lines from i to before j.
func (s *scan) between(i, j int) string {
	if i == j {
		return ""
	}
	return s.text[s.starts[i] : s.starts[j-1]+len(s.lines[j-1])]
}

var (
	fenceOpen = lazyregexp.New("^[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)]) +)?(```+|~~~+)(.*)$")
	idTag     = lazyregexp.New(`(?i)<[a-z][^<>]*?\s(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)')`)
	hrefTag   = lazyregexp.New(`(?i)<(?:a|img)\s[^<>]*?(?:href|src)\s*=\s*(?:"([^"]+)"|'([^']+)')`)
	keepOpen  = lazyregexp.New(`^\s*<!-- causal:keep ([A-Za-z0-9][A-Za-z0-9._-]*) -->\s*$`)
	keepClose = lazyregexp.New(`^\s*<!-- /causal:keep -->\s*$`)
	keepAny   = lazyregexp.New(`(?i)<!--\s*/?\s*causal:\s*keep`)
)

// block reads the block that starts at line i and returns the line after it.
func (s *scan) block(i int) int {
	line := s.lines[i]
	switch {
	case strings.TrimSpace(line) == "":
		return i + 1
	case opensFence(line):
		return s.fence(i)
	case strings.HasPrefix(strings.TrimLeft(line, " \t"), "<!--"):
		return s.comment(i)
	}
	if text, ok := cutHeading(line); ok {
		s.heading(text)
		s.inline(line, i)
		return i + 1
	}
	return s.paragraph(i)
}

// cutHeading returns the text of a heading without its marks. Closing marks need text before them.
func cutHeading(line string) (text string, ok bool) {
	text, ok = cutMargin(line)
	level := runLength(text, '#')
	if !ok || level == 0 || level > 6 {
		return "", false
	}
	text = text[level:]
	if text != "" && text[0] != ' ' && text[0] != '\t' {
		return "", false
	}
	text = strings.Trim(text, " \t")
	if open := strings.TrimRight(text, "#"); strings.HasSuffix(open, " ") || strings.HasSuffix(open, "\t") {
		text = strings.TrimRight(open, " \t")
	}
	return text, true
}

// cutMargin removes the allowed indent of a heading or its underline. With a deeper indent, the line is code.
func cutMargin(line string) (rest string, ok bool) {
	rest = strings.TrimLeft(line, " ")
	return rest, len(line)-len(rest) <= 3
}

func isHeading(line string) bool {
	_, ok := cutHeading(line)
	return ok
}

func isUnderline(line string) bool {
	mark, ok := cutMargin(strings.TrimRight(line, " \t"))
	return ok && mark != "" && (mark[0] == '=' || mark[0] == '-') && runLength(mark, mark[0]) == len(mark)
}

// opensItem reports whether a line begins a list item, which ends the code spans before it. An empty item cannot
// interrupt a paragraph.
func opensItem(line string) bool {
	body := strings.Trim(line, " \t")
	mark := strings.TrimLeft(body, "0123456789")
	switch {
	case len(mark) < 2 || mark[1] != ' ' && mark[1] != '\t':
		return false
	case len(mark) < len(body):
		return mark[0] == '.' || mark[0] == ')'
	}
	return mark[0] == '-' || mark[0] == '*' || mark[0] == '+'
}

func isQuote(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") }

func opensFence(line string) bool {
	_, _, ok := cutFence(line)
	return ok
}

// cutFence splits an opening fence into its marks and info string, which must not contain backticks after a backtick
// fence.
func cutFence(line string) (mark, info string, ok bool) {
	if !strings.Contains(line, "```") && !strings.Contains(line, "~~~") {
		return "", "", false
	}
	if n := runLength(line, line[0]); n >= 3 && (line[0] == '`' || line[0] == '~') {
		mark, info = line[:n], line[n:]
	} else if m := fenceOpen.FindStringSubmatch(line); m != nil {
		mark, info = m[1], m[2]
	}
	return mark, info, mark != "" && (mark[0] == '~' || !strings.Contains(info, "`"))
}

func (s *scan) fence(i int) int {
	mark, info, _ := cutFence(s.lines[i])
	start := i + 1
	for i = start; i < len(s.lines); i++ {
		body := strings.Trim(s.lines[i], " \t>")
		if len(body) >= len(mark) && runLength(body, mark[0]) == len(body) {
			break
		}
	}
	if i == len(s.lines) {
		s.report(start, Error, "the fence is not closed", "close it with "+mark)
	}
	if strings.TrimSpace(info) == "mermaid" {
		s.diagram(start, i)
	}
	return i + 1
}

func (s *scan) diagram(start, end int) {
	err := Diagram(s.between(start, end))
	if err == nil {
		return
	}
	line := start
	var at *DiagramError
	if errors.As(err, &at) {
		line = min(line+at.Line, len(s.lines))
	}
	s.report(line, Error, "the diagram does not parse: "+err.Error(), "draw it as a flowchart with quoted labels, or show it as text")
}

// comment reads the markers of keep blocks and skips other comments.
func (s *scan) comment(i int) int {
	line := s.lines[i]
	if m := keepOpen.FindStringSubmatch(line); m != nil {
		s.openKeep(m[1], i+1)
		return i + 1
	}
	if keepClose.MatchString(line) {
		if s.keep == "" {
			s.report(i+1, Error, "a keep block ends that was not opened", "remove the line, or open the block with <!-- causal:keep ID -->")
		}
		s.keep = ""
		return i + 1
	}
	if keepAny.MatchString(line) {
		s.report(i+1, Error, "the marker of a keep block is malformed", "write <!-- causal:keep ID --> or <!-- /causal:keep --> on a separate line")
		return i + 1
	}
	for j := i; j < len(s.lines); j++ {
		if strings.Contains(s.lines[j], "-->") {
			return j + 1
		}
	}
	s.report(i+1, Error, "the comment is not closed", "close it with -->")
	return len(s.lines)
}

func (s *scan) openKeep(id string, line int) {
	switch {
	case s.keep != "":
		open := s.keep
		s.keep = ""
		s.report(line, Error, fmt.Sprintf("keep block %q opens inside %q", id, open), "close the first one before it")
	case s.keepIDs[id]:
		s.report(line, Error, fmt.Sprintf("keep block %q comes twice", id), "give each block a unique id")
	}
	s.keepIDs[id] = true
	s.keep, s.keepLine = id, line
}

// paragraph reads lines up to a blank one or one that opens another kind of block.
func (s *scan) paragraph(i int) int {
	start := i
	for i++; i < len(s.lines); i++ {
		line := s.lines[i]
		if isUnderline(line) && !strings.Contains(s.lines[i-1], "|") {
			s.heading(joined(s.lines[start:i]))
			break
		}
		if strings.TrimSpace(line) == "" || opensFence(line) || isHeading(line) || opensItem(line) ||
			isQuote(line) && !isQuote(s.lines[i-1]) || strings.HasPrefix(strings.TrimLeft(line, " \t"), "<!--") {
			break
		}
	}
	s.inline(s.between(start, i), start)
	if i < len(s.lines) && isUnderline(s.lines[i]) {
		i++
	}
	return i
}

// joined joins the lines of a heading as they are rendered.
func joined(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.Trim(line, " \t"))
	}
	return b.String()
}

func (s *scan) heading(text string) {
	s.anchors[s.slugs.Slug(headingText(text))] = true
}
