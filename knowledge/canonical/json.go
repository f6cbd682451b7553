package canonical

import (
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/markdown"
)

// JSON escapes the invisible characters of a JSON text that affect programs. The value does not change.
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

// unseen reports an invisible character that affects programs. Joiners are allowed after non-ASCII characters,
// because scripts and emoji need them.
func unseen(r, previous rune) bool {
	return markdown.Hidden(r) || r == '\u2028' || r == '\u2029' || markdown.Joiner(r) && previous < utf8.RuneSelf
}
