package summary

import (
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// mostDiff is how many lines of differences a comment shows.
const mostDiff = 200

// mostCompared is how many lines two versions of a page may have together to be compared: the time grows with the square
// of how many differ. It is ten times what a comment shows, of each.
const mostCompared = 20 * mostDiff

// pageDiff is how a page reads otherwise: only the lines that differ, the old ones before the new ones.
func pageDiff(before, after string) []string {
	was, is := strings.Count(before, "\n"), strings.Count(after, "\n")
	if was+is > mostCompared {
		return []string{fmt.Sprintf("@@ %d lines become %d, which are too many to compare here @@", was, is)}
	}
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
	longest, run := 2, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + "diff\n" + text + "\n" + fence
}
