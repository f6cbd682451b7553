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

// Lists in checks and comments end with how much more there is.
const (
	mostLines  = 50
	mostInLine = 6
)

const (
	// longestText is how many bytes of one name or reason a list shows: three lines of a comment.
	longestText = 300
	// longestAddress is how many bytes of an address are linked: browsers take 2,000, and six of them stand in a comment.
	longestAddress = 1500
	// longestError is how many bytes of an error are shown. A configuration has dozens of faults at most.
	longestError = 8 << 10
)

// Count is a number of things in words.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Code shows a text from a repository or from GitHub so that nothing in it is taken for Markdown, a mention or a link.
func Code(text string) string {
	return markdown.Code(strings.Join(strings.Fields(plain.Line(text, longestText)), " "))
}

// Words shows words that people wrote, as words.
func Words(text string) string { return markdown.Escape(plain.Line(text, longestText)) }

// Said shows what went wrong, which may have many lines.
func Said(problem error) string { return markdown.Fence("", plain.Text(problem.Error(), longestError)) }

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

// BlockedTitle says how much only a person can mend.
func BlockedTitle(r *report.Update) string {
	return Count(len(r.Blocked), "page") + " cannot be updated"
}

// Blocked says what only a person can mend.
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

// Unfit says which files are left out, and why.
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

// Join puts parts of a text below each other, but for those that are empty.
func Join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n\n")
}

// Fold hides what few will read.
func Fold(title, body string) string {
	return "<details><summary>" + title + "</summary>\n\n" + body + "\n\n</details>"
}

// address is the page of a path on the web.
func address(base string, parts ...string) string {
	return base + "/" + markdown.Path(path.Join(parts...))
}
