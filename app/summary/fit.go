package summary

import "strings"

const leftOut = "_… Shortened: the text is too long for GitHub._"

// Fit joins the parts of a text, and leaves out those that would make it longer than limit bytes, which it says once. A
// part is kept whole or not at all: half a table or an open code block would swallow what follows.
func Fit(parts []string, limit int) string {
	const gap = "\n\n"
	var kept []string
	left, said := limit-len(leftOut), false
	for _, part := range parts {
		switch {
		case len(gap)+len(part) <= left:
			kept, left = append(kept, part), left-len(gap)-len(part)
		case !said:
			kept, said = append(kept, leftOut), true
		}
	}
	return strings.Join(kept, gap)
}
