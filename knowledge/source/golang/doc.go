package golang

import (
	"go/ast"
	"slices"
	"strings"
)

// docText returns a comment group's text without directives and trailing blanks.
func (r *reader) docText(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	if text, ok := r.plainText(g); ok {
		return r.valid(text)
	}
	if r.broken && slices.ContainsFunc(g.List, unfinished) {
		return ""
	}
	return strings.TrimSpace(strings.ToValidUTF8(g.Text(), "�"))
}

// unfinished reports whether the file ends right after the comment opens: go/ast panics on such a comment.
func unfinished(c *ast.Comment) bool {
	return strings.HasPrefix(c.Text, "/*") && len(c.Text) < len("/**/")
}

// plainText returns the text of a group of line comments that are empty or begin with a blank, the usual case.
func (r *reader) plainText(g *ast.CommentGroup) (string, bool) {
	for _, c := range g.List {
		if !strings.HasPrefix(c.Text, "// ") && c.Text != "//" {
			return "", false
		}
	}
	if len(g.List) == 1 {
		return strings.TrimSpace(g.List[0].Text[len("//"):]), true
	}
	r.text.Reset()
	gap := false
	for _, c := range g.List {
		line := strings.TrimRight(strings.TrimPrefix(c.Text[len("//"):], " "), " \t\r\n")
		if line == "" {
			gap = true
			continue
		}
		if r.text.Len() > 0 {
			r.text.WriteByte('\n')
			if gap {
				r.text.WriteByte('\n')
			}
		}
		gap = false
		r.text.WriteString(line)
	}
	return strings.TrimSpace(r.text.String()), true
}

// valid replaces invalid UTF-8, which the parser always reports as an error.
func (r *reader) valid(text string) string {
	if r.broken {
		return strings.ToValidUTF8(text, "�")
	}
	return text
}

func deprecated(doc string) string {
	if !strings.Contains(doc, "Deprecated:") {
		return ""
	}
	for _, paragraph := range strings.Split(doc, "\n\n") {
		if reason, ok := strings.CutPrefix(strings.TrimSpace(paragraph), "Deprecated:"); ok {
			if reason = strings.Join(strings.Fields(reason), " "); reason != "" {
				return reason
			}
			return "deprecated"
		}
	}
	return ""
}
