package summary

import (
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// mostDiff is how many lines of differences a comment shows.
const mostDiff = 200

// pageDiff is how a page reads otherwise: only the lines that differ, the old ones before the new ones.
func pageDiff(before, after string) []string {
	d := diffmatchpatch.New()
	d.DiffTimeout = 0 // the outcome must not depend on how fast the machine is
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

// fenced shows lines as a diff that nothing in them can end.
func fenced(lines []string) string {
	if more := len(lines) - mostDiff; more > 0 {
		lines = append(lines[:mostDiff:mostDiff], fmt.Sprintf("@@ … and %d more lines @@", more))
	}
	text := strings.Join(lines, "\n")
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "diff\n" + text + "\n" + fence
}
