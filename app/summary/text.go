package summary

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// Limits of lists in checks and comments.
const (
	mostLines  = 50
	mostInLine = 6
)

const (
	// longestText bounds the bytes of a name or reason in a list: three lines of a comment.
	longestText = 300
	// longestAddress bounds the bytes of a link target: browsers accept 2,000, and a comment has six of them.
	longestAddress = 1500
	// longestError bounds the bytes of an error. A configuration has a few dozen errors at most.
	longestError = 8 << 10
)

// Count formats a number with a noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Code formats untrusted text as code, without Markdown, mentions or links.
func Code(text string) string {
	return markdown.Code(strings.Join(strings.Fields(plain.Line(text, longestText)), " "))
}

// Words formats untrusted text as escaped text.
func Words(text string) string { return markdown.Escape(plain.Line(text, longestText)) }

// Said formats an error, which may have several lines.
func Said(problem error) string { return markdown.Fence("", plain.Text(problem.Error(), longestError)) }

// List joins the first entries of a list, and counts the others.
func List(list []string) string {
	if more := len(list) - mostLines; more > 0 {
		list = append(slices.Clone(list[:mostLines]), fmt.Sprintf("- … and %d more", more))
	}
	return strings.Join(list, "\n")
}

// Why lists the reasons of all invalidated nodes.
func Why(r *report.Update) string {
	var out []string
	seen := map[string]bool{}
	for _, i := range r.Invalidated {
		line := "- " + Code(i.Node) + ": " + Code(i.String())
		if i.Because != "" && i.Because != i.String() {
			line += ", " + Code(i.Because)
		}
		if !seen[line] {
			seen[line], out = true, append(out, line)
		}
	}
	return List(out)
}

// BlockedTitle counts the pages that only the user can fix.
func BlockedTitle(r *report.Update) string {
	return Count(len(r.Blocked), "page") + " cannot be updated"
}

// Blocked lists the pages that only the user can fix.
func Blocked(r *report.Update) string {
	var out []string
	for _, b := range r.Blocked {
		where := b.Page
		if where == "" {
			where = b.Node
		}
		out = append(out, "- "+Code(where)+": "+Code(b.Because)+". Fix: "+Code(b.Mend))
	}
	return List(out)
}

// Unfit lists the files that are left out because of their names.
func Unfit(files []string) string {
	if len(files) == 0 {
		return ""
	}
	var out []string
	for _, name := range files {
		out = append(out, "- "+Code(name))
	}
	return "These files are left out, because the name of their directory is too long for a page. Use a shorter name.\n\n" + List(out)
}

// Join joins the non-empty parts of a text.
func Join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n\n")
}

// Fold hides details behind a title.
func Fold(title, body string) string {
	return "<details><summary>" + title + "</summary>\n\n" + body + "\n\n</details>"
}

// address returns the URL of a path.
func address(base string, parts ...string) string {
	return base + "/" + markdown.Path(path.Join(parts...))
}
