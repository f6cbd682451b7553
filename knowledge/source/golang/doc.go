package golang

import (
	"go/ast"
	"slices"
	"strings"
)

// docText returns a comment group's text without directives and trailing blanks.
func (r *reader) docText(g *ast.CommentGroup) string {
	if g == nil || r.broken && slices.ContainsFunc(g.List, unfinished) {
		return ""
	}
	return strings.TrimSpace(strings.ToValidUTF8(g.Text(), "�"))
}

// unfinished reports whether the file ends right after the comment opens: go/ast panics on such a comment.
func unfinished(c *ast.Comment) bool {
	return strings.HasPrefix(c.Text, "/*") && len(c.Text) < len("/**/")
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
