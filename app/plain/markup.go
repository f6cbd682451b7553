package plain

import (
	"unicode/utf8"
)

// Markup makes invisible control characters visible in an HTML page with escaped texts, such as those that reverse the
// text direction.
func Markup(page []byte) []byte {
	out := make([]byte, 0, len(page))
	last := ' '
	for at := 0; at < len(page); {
		r, size := utf8.DecodeRune(page[at:])
		switch {
		case r == '\n' || r == '\t':
			out = append(out, byte(r))
		case r == utf8.RuneError && size == 1, ends(r), acts(r, last):
			out = utf8.AppendRune(out, utf8.RuneError)
		default:
			out = append(out, page[at:at+size]...)
		}
		at, last = at+size, r
	}
	return out
}
