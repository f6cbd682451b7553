package review

import (
	"sort"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/review/change"
)

// longestQuote is in bytes.
const longestQuote = 2000

// locate finds the lines of a file's new version that hold a quote, ignoring white space. It prefers changed lines,
// then other lines of the diff, then the rest of the file.
func (s *Shown) locate(f *change.File, quote string) (first, last int, ok bool) {
	words, _ := wordsOf(quote)
	if len(quote) > longestQuote || !strings.ContainsFunc(quote, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return 0, 0, false
	}
	text, starts := wordsOf(string(f.After))
	best := 0
	for at := 0; best < 3; {
		i := strings.Index(text[at:], words)
		if i < 0 {
			break
		}
		i += at
		at = i + len(words) - 1 // matches may share a separator
		from, to := starts.line(i+1), starts.line(i+len(words)-2)
		rank := 1
		switch {
		case f.Lines.Added(from, to):
			rank = 3
		case s.visible[f.Path][from]:
			rank = 2
		}
		if rank > best {
			best, first, last = rank, from, to
		}
	}
	return first, last, best > 0
}

type lineStarts []int

func (l lineStarts) line(at int) int {
	return sort.Search(len(l), func(i int) bool { return l[i] > at })
}

// wordsOf separates the words of a text by NUL: names, numbers and single other characters.
func wordsOf(text string) (string, lineStarts) {
	var b strings.Builder
	b.WriteByte(0)
	starts := lineStarts{0}
	inName := false
	for _, r := range text {
		isName := r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
		if inName && !isName {
			b.WriteByte(0)
		}
		inName = isName
		switch {
		case r == '\n':
			starts = append(starts, b.Len())
		case isName:
			b.WriteRune(r)
		case r != 0 && !unicode.IsSpace(r):
			b.WriteRune(r)
			b.WriteByte(0)
		}
	}
	if inName {
		b.WriteByte(0)
	}
	return b.String(), starts
}
