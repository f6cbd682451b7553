package summary

import "strings"

const leftOut = "_… Shortened: the text is too long for GitHub._"

// Fit joins the parts of a text and omits those that exceed limit bytes, with one note. A part is never cut: half a
// table or an open code block would affect the following parts.
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
