package summary

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
)

// Headline and trailer of causal's commits.
const (
	Headline       = "Update docs"
	SessionTrailer = "Causal-Session"
)

// IsOwn reports whether a commit message is by causal.
func IsOwn(message string) bool { return strings.Contains("\n"+message, "\n"+sessionTrailer) }

// mostReasons is how many reasons a commit gives.
const mostReasons = 20

// Reasons are why nodes were derived again and specs do not hold, a line each, for the body of a commit.
func Reasons(r *report.Update) string {
	var lines []string
	seen := map[string]bool{}
	add := func(what, why string) {
		line := "- " + plain.InCommit(what) + ": " + plain.InCommit(why)
		if seen[line] {
			return
		}
		if seen[line] = true; len(lines) < mostReasons {
			lines = append(lines, line)
		}
	}
	for _, i := range r.Invalidated {
		add(i.Node, i.String())
	}
	if r.Tests != nil {
		for _, f := range r.Tests.Invalidated {
			add(f.Spec, f.String())
		}
	}
	if more := len(seen) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more", more))
	}
	if len(lines) == 0 {
		return "Earlier updates."
	}
	return strings.Join(lines, "\n")
}

// FromCommit shows the reasons of a commit that anybody may have written.
func FromCommit(reasons string) string {
	var out []string
	for line := range strings.SplitSeq(reasons, "\n") {
		if text := Code(strings.TrimPrefix(line, "- ")); text != "" {
			out = append(out, "- "+text)
		}
	}
	return List(out)
}
