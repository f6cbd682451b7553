package summary

import (
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/markdown"
)

const (
	// mostDiff is how many lines of differences a comment shows.
	mostDiff = 200
	// mostSteps is how many steps all diffs of a comment may take, counted as lines before times lines after: about a second.
	// Time is no bound, because the outcome must not depend on how fast the machine is.
	mostSteps = 100_000_000
)

// differ compares pages within a step limit.
type differ struct{ left int }

// compare returns the differing lines, removed before added ones. Beyond the limit, it ignores the order of lines.
func (d *differ) compare(before, after string) []string {
	steps := (strings.Count(before, "\n") + 1) * (strings.Count(after, "\n") + 1)
	if before == "" || after == "" {
		steps = 0
	}
	if steps > d.left {
		return unordered(before, after)
	}
	d.left -= steps
	return ordered(before, after)
}

// Diff returns the lines that differ between two texts, removed lines with a minus before added lines with a plus.
func Diff(before, after string) []string { return (&differ{mostSteps}).compare(before, after) }

func ordered(before, after string) []string {
	d := diffmatchpatch.New()
	d.DiffTimeout = 0
	a, b, all := d.DiffLinesToChars(before, after)
	var out []string
	for _, part := range d.DiffCharsToLines(d.DiffMain(a, b, false), all) {
		sign := map[diffmatchpatch.Operation]string{diffmatchpatch.DiffDelete: "-", diffmatchpatch.DiffInsert: "+"}[part.Type]
		if sign == "" {
			continue
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(part.Text, "\n"), "\n") {
			if strings.TrimSpace(line) != "" {
				out = append(out, sign+line)
			}
		}
	}
	return out
}

// unordered returns the lines that occur less often in the other text.
func unordered(before, after string) []string {
	var out []string
	for _, side := range []struct{ sign, text, other string }{{"-", before, after}, {"+", after, before}} {
		there := map[string]int{}
		for line := range strings.SplitSeq(side.other, "\n") {
			there[line]++
		}
		for line := range strings.SplitSeq(side.text, "\n") {
			if there[line]--; there[line] < 0 && strings.TrimSpace(line) != "" {
				out = append(out, side.sign+line)
			}
		}
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
