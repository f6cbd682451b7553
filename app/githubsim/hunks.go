package githubsim

import (
	"fmt"
	"strings"
)

// The sides of a diff, in GitHub's words.
const (
	left  = "LEFT"
	right = "RIGHT"
)

// spot is where a line stands in the diff of a file.
type spot struct {
	hunk     int    // which of the file's, from 0
	text     string // the hunk up to and with the line
	position int    // lines below the first "@@"
}

// patchLine is a line of a patch with its numbers; 0 where it is not in the file.
type patchLine struct {
	spot
	before, after int
}

// linesOf reads the hunks of one file. What stands before the first one is not theirs.
func linesOf(patch string) []patchLine {
	var out []patchLine
	before, after, hunk, position, begun := 0, 0, -1, -1, 0
	at := 0
	for line := range strings.Lines(patch) {
		start := at
		at += len(line)
		position++
		here := patchLine{spot: spot{hunk: hunk, position: position, text: strings.TrimSuffix(patch[begun:at], "\n")}}
		switch line[0] {
		case '@':
			hunk, begun = hunk+1, start
			before, after = beginnings(line)
			continue
		case '+':
			here.after, after = after, after+1
		case '-':
			here.before, before = before, before+1
		case ' ':
			here.before, here.after, before, after = before, after, before+1, after+1
		default: // "\ No newline at end of file"
			continue
		}
		out = append(out, here)
	}
	return out
}

// beginnings reads the numbers of the first lines out of the head of a hunk. One without lines has the number of the line
// before it.
func beginnings(head string) (before, after int) {
	var old, fresh string
	_, _ = fmt.Sscanf(head, "@@ -%s +%s @@", &old, &fresh) // git writes it so
	first := func(text string) int {
		start, count := 0, 1
		_, _ = fmt.Sscanf(text, "%d,%d", &start, &count)
		if count == 0 {
			start++
		}
		return start
	}
	return first(old), first(fresh)
}

// locate finds a line of one side in the hunks of a file.
func locate(patch, side string, line int) (spot, bool) {
	for _, l := range linesOf(patch) {
		if line > 0 && (side == left && l.before == line || side == right && l.after == line) {
			return l.spot, true
		}
	}
	return spot{}, false
}

// carried is the number that a line of a file has after a change of it; 0 when the change took it away.
func carried(patch string, line int) int {
	shift := 0
	for _, l := range linesOf(patch) {
		switch {
		case l.before == line:
			return l.after
		case l.before > line:
			return line + shift
		case l.after == 0:
			shift--
		case l.before == 0:
			shift++
		}
	}
	return line + shift
}
