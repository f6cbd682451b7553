package source

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Anchors returns the anchors of a document's headings, which must be queried in order.
type Anchors interface{ Slug(heading string) string }

var (
	markdownHeading = lazyregexp.New(`^(#{1,6})[ \t]+(.*?)[ \t]*#*$`)
	// headedName matches a heading about a symbol: its name, a call or an assignment.
	headedName = lazyregexp.New("^(?:`+)?(?:(?:async|await|new|function|def|func|class|static)[ \t]+)?([\\pL_$][\\pL\\d_$]*(?:(?:\\.|#|::)[\\pL_$][\\pL\\d_$]*)*)(\\??(?:<[^>]*>)?\\(.*\\).*|=.*|[ \t]*:[ \t].*)?(?:`+)?$")
)

// DescribedHeadings lists the Markdown sections with a symbol name as heading: "### request.header", "##
// `open(path)`". A single word counts only as code or with parentheses.
func DescribedHeadings(content []byte, anchors Anchors) []Described {
	lines := strings.Split(strings.ReplaceAll(strings.ToValidUTF8(string(content), "�"), "\r\n", "\n"), "\n")
	var out []Described
	var open *Described
	var text []string
	fence := ""
	flush := func(end int) {
		if open != nil {
			if open.Text = said(text); open.Text != "" && len(out) < mostDescribed {
				open.Digest, open.Bytes, open.End = DigestOf(open.Text, open.Anchor), len(open.Text), end
				out = append(out, *open)
			}
		}
		open, text = nil, nil
	}
	for i, line := range lines {
		if mark, _ := fenceMark(line); fence == "" && mark != "" {
			fence = mark
		} else if fence != "" && closesFence(line, fence) {
			fence = ""
		} else if m := markdownHeading.FindStringSubmatch(line); fence == "" && m != nil {
			flush(i)
			anchor := anchors.Slug(m[2])
			if name := nameInHeading(m[2]); name != "" {
				open = &Described{Name: name, Line: i + 1, Anchor: anchor}
			}
			continue
		}
		if open != nil {
			text = append(text, line)
		}
	}
	flush(len(lines))
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
