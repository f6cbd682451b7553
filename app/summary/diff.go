package summary

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/review/change"
)

// mostDiff is how many lines of differences a comment shows.
const mostDiff = 200

// Diff returns the lines that differ between two texts, removed lines with a minus before added lines with a plus. It omits
// blank lines.
func Diff(before, after string) []string {
	var out []string
	add := func(sign string, lines []string) {
		for _, line := range lines {
			if line != "" {
				out = append(out, sign+line)
			}
		}
	}
	was, is := change.Split([]byte(before)), change.Split([]byte(after))
	for _, e := range change.Compare(was, is).Edits() {
		add("-", was[e.First-1:e.End-1])
		add("+", is[e.NowFirst-1:e.NowEnd-1])
	}
	return out
}

// fenced formats lines as a diff block that no line can close.
func fenced(lines []string) string {
	shown := make([]string, 0, mostDiff+1)
	for _, line := range lines[:min(len(lines), mostDiff)] {
		shown = append(shown, plain.Line(line, longestText))
	}
	if more := len(lines) - mostDiff; more > 0 {
		shown = append(shown, fmt.Sprintf("@@ … and %d more lines @@", more))
	}
	return markdown.Fence("diff", strings.Join(shown, "\n"))
}
