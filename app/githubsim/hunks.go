package githubsim

import (
	"fmt"
	"strings"
)

const (
	left  = "LEFT"
	right = "RIGHT"
)

type spot struct {
	hunk     int    // index of the hunk
	text     string // the hunk up to and including the line
	position int    // lines below the first "@@"
}

// patchLine is a line of a patch with its line numbers, 0 on the side that lacks it.
type patchLine struct {
	spot
	before, after int
}

// linesOf parses the hunks of one file and ignores everything before the first hunk.
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

// beginnings parses the start lines of a hunk header. For an empty range git gives the line before it.
func beginnings(head string) (before, after int) {
	var old, fresh string
	_, _ = fmt.Sscanf(head, "@@ -%s +%s @@", &old, &fresh)
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

func locate(patch, side string, line int) (spot, bool) {
	for _, l := range linesOf(patch) {
		if line > 0 && (side == left && l.before == line || side == right && l.after == line) {
			return l.spot, true
		}
	}
	return spot{}, false
}

// carried returns the line number after a change, or 0 if the change removed the line.
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
