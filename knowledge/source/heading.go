package source

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Anchors returns the anchors of a document's headings, which must be queried in order.
type Anchors interface{ Slug(heading string) string }

// Heading is a heading of a document.
type Heading struct {
	Title string // as written, with its markup
	Level int    // from 1
	Line  int    // from 0
	next  int    // the line where its text begins
}

var (
	markdownHeading = lazyregexp.New(`^(#{1,6})[ \t]+(.*?)[ \t]*#*$`)
	// headedName matches a heading about a symbol: its name, a call or an assignment.
	headedName = lazyregexp.New("^(?:`+)?(?:(?:async|await|new|function|def|func|class|static)[ \t]+)?([\\pL_$][\\pL\\d_$]*(?:(?:\\.|#|::)[\\pL_$][\\pL\\d_$]*)*)(\\??(?:<[^>]*>)?\\(.*\\).*|=.*|[ \t]*:[ \t].*)?(?:`+)?$")
)

// Headings lists the headings of a Markdown or reStructuredText document: marked with #, or underlined. Blocks of code and
// comments have none.
func Headings(name string, content []byte) []Heading { return headings(name, documentLines(content)) }

func documentLines(content []byte) []string {
	return strings.Split(strings.ReplaceAll(strings.ToValidUTF8(string(content), "�"), "\r\n", "\n"), "\n")
}

func headings(name string, lines []string) (out []Heading) {
	restructured, marks := strings.HasSuffix(name, ".rst"), "=-"
	levels := []string{"=", "-"}
	if restructured { // a level has the mark that the document gives it, doubled if there is a line above too
		marks, levels = "=-~^\"'#*+`.:_", nil
	}
	first := 0
	if lines[0] == "---" { // front matter
		first = slices.Index(lines[1:], "---") + 2
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
			out = append(out, Heading{m[2], len(m[1]), i, i + 1})
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
		out = append(out, Heading{strings.TrimSpace(line), slices.Index(levels, level) + 1, i, i + 2})
	}
	return out
}

// isUnderlined reports whether a line is a heading with the line below.
func isUnderlined(line, under, marks string, restructured bool) bool {
	text := strings.TrimSpace(line)
	return len(under) > 2 && strings.Contains(marks, under[:1]) && strings.Trim(under, under[:1]) == "" &&
		(!restructured || len(under) >= len([]rune(text)) && line == strings.TrimLeft(line, " \t")) &&
		text != "" && !strings.ContainsRune("|->*#`", rune(text[0])) && strings.Trim(text, text[:1]) != ""
}

// DescribedHeadings lists the Markdown sections with a symbol name as heading: "### request.header", "##
// `open(path)`". A single word counts only as code or with parentheses.
func DescribedHeadings(content []byte, anchors Anchors) []Described {
	lines := documentLines(content)
	var out []Described
	all := headings("", lines)
	for i, h := range all {
		end := len(lines)
		if i+1 < len(all) {
			end = all[i+1].Line
		}
		anchor, name := anchors.Slug(h.Title), nameInHeading(h.Title)
		if name == "" || len(out) == mostDescribed {
			continue
		}
		if text := said(lines[h.next:end]); text != "" {
			out = append(out, Described{Name: name, Line: h.Line + 1, Anchor: anchor, Text: text, Digest: DigestOf(text, anchor), Bytes: len(text), End: end})
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
