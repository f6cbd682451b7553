package markdown

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Slug returns GitHub's anchor for a heading: lower case, letters, marks, digits, "_" and "-" kept, spaces made "-",
// everything else dropped.
func Slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r < utf8.RuneSelf:
			if r == '-' || isWordByte(byte(r)) {
				return r
			}
			return -1
		case unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic):
			return r
		}
		return -1
	}, lower(heading))
}

// lower follows the full Unicode mapping, in which a dotted capital I becomes two characters.
func lower(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "İ", "i\u0307"))
}

// Slugger returns the anchors of one page in order: a repeated heading gets "-1", "-2" and so on.
type Slugger struct{ seen map[string]int }

// Slug returns the anchor of the page's next heading.
func (s *Slugger) Slug(heading string) string {
	if s.seen == nil {
		s.seen = map[string]int{}
	}
	base := Slug(heading)
	anchor := base
	for {
		if _, taken := s.seen[anchor]; !taken {
			break
		}
		s.seen[base]++
		anchor = base + "-" + strconv.Itoa(s.seen[base])
	}
	s.seen[anchor] = 0
	return anchor
}
