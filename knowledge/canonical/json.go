package canonical

import (
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/markdown"
)

// JSON writes the characters of a JSON text that are obeyed and not seen as escapes, which changes nothing of what it says.
func JSON(data []byte) []byte {
	if !slices.ContainsFunc(data, func(c byte) bool { return c >= 0x7f }) {
		return data
	}
	out := make([]byte, 0, len(data))
	previous := ' '
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		switch hidden := r >= 0x7f && unseen(r, previous); {
		case hidden && r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		case hidden:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, data[at:at+size]...)
		}
		at, previous = at+size, r
	}
	return out
}

// unseen reports a character that is obeyed and not seen. Scripts and pictures need what joins, letters of ASCII do not.
func unseen(r, previous rune) bool {
	return markdown.Hidden(r) || r == '\u2028' || r == '\u2029' || markdown.Joiner(r) && previous < utf8.RuneSelf
}
