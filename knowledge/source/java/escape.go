package java

import (
	"strconv"
	"strings"
	"unicode"
)

// unescape replaces Unicode escapes of printable ASCII characters, which may spell any token (`\u0022` is a quote).
// Other escapes can only be part of names and literals and stay.
func unescape(src string) string {
	if !strings.Contains(src, `\u00`) {
		return src
	}
	var out strings.Builder
	done := 0
	for i := 0; i < len(src); i++ {
		if src[i] != '\\' {
			continue
		}
		end := escapeEnd(src, i)
		if end == 0 {
			i++ // the backslash escapes the next character
			continue
		}
		if c := escapeRune(src, end); c >= ' ' && c <= '~' {
			out.WriteString(src[done:i])
			out.WriteByte(byte(c))
			done = end
		}
		i = end - 1
	}
	out.WriteString(src[done:])
	return out.String()
}

func escapeEnd(src string, i int) int {
	j := i + 1
	for j < len(src) && src[j] == 'u' {
		j++
	}
	if j == i+1 || j+4 > len(src) {
		return 0
	}
	for k := j; k < j+4; k++ {
		if !isHex(src[k]) {
			return 0
		}
	}
	return j + 4
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func escapeRune(src string, end int) rune {
	n, err := strconv.ParseUint(src[end-4:end], 16, 16)
	if err != nil {
		return unicode.ReplacementChar
	}
	return rune(n)
}

// wordEnd extends a word ending at j over Unicode escapes of letters.
func (u *unit) wordEnd(j int) int {
	for j < len(u.src) {
		end := 0
		if u.src[j] == '\\' {
			end = escapeEnd(u.src, j)
		}
		switch {
		case end > 0 && !unicode.IsSpace(escapeRune(u.src, end)):
			j = end
		case classes[u.src[j]] >= classWord:
			j++
		default:
			return j
		}
	}
	return j
}

// escaped reads the Unicode escape at i outside literals: white space or the start of a word.
func (u *unit) escaped(i int, line int32) int {
	end := escapeEnd(u.src, i)
	if unicode.IsSpace(escapeRune(u.src, end)) {
		return end
	}
	return u.add(word, i, u.wordEnd(end), line)
}

func (u *unit) name(i int32) string {
	s := u.text(i)
	if strings.IndexByte(s, '\\') >= 0 {
		if decoded, err := strconv.Unquote(`"` + s + `"`); err == nil {
			s = decoded
		}
	}
	return u.shown(s)
}
