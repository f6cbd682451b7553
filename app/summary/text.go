package summary

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/render/markdown"
)

// Lists in checks and comments end with how much more there is.
const (
	mostLines  = 50
	mostInLine = 6
)

// Count is a number of things in words.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Code shows a text from a repository or from GitHub so that nothing in it is taken for Markdown, a mention or a link.
func Code(text string) string { return markdown.Code(strings.Join(strings.Fields(text), " ")) }

// List joins the entries of a list, as many as there is room for.
func List(list []string) string {
	if more := len(list) - mostLines; more > 0 {
		list = append(slices.Clone(list[:mostLines]), fmt.Sprintf("- … and %d more", more))
	}
	return strings.Join(list, "\n")
}

// Why says of each node why it fell.
func Why(r *report.Update) string {
	var out []string
	for _, i := range r.Invalidated {
		line := "- " + Code(i.Node) + ": " + Code(i.String())
		if i.Because != "" && i.Because != i.String() {
			line += ", " + Code(i.Because)
		}
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return List(out)
}

// BlockedTitle says how much only a person can mend.
func BlockedTitle(r *report.Update) string {
	return Count(len(r.Blocked), "page") + " cannot be brought up to date"
}

// Blocked says what only a person can mend.
func Blocked(r *report.Update) string {
	var out []string
	for _, b := range r.Blocked {
		where := b.Page
		if where == "" {
			where = b.Node
		}
		out = append(out, "- "+Code(where)+": "+Code(b.Because)+". To mend it: "+Code(b.Mend))
	}
	return List(out)
}

// Fold hides what few will read.
func Fold(title, body string) string {
	return "<details><summary>" + title + "</summary>\n\n" + body + "\n\n</details>"
}

// address is the page of a path on the web.
func address(base string, parts ...string) string {
	return base + "/" + markdown.Path(path.Join(parts...))
}
