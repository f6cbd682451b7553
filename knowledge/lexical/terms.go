// Package lexical finds texts by the words that they have in common with a question. It knows no meanings: what is told of a text
// is which words of the question stand in it, and how rare they are.
package lexical

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// longestWord is how many bytes of a word count: what is longer is data, and a stemmer may take long over it.
const longestWord = 64

// Terms are the words of a text in the form in which they are compared: in lower case, without English endings, and without the words that
// every text has. Scripts that set no blanks between words give each pair of characters.
func Terms(text string) []string { return slices.Collect(split(text, stem)) }

// split yields the terms of a text, with words as stem has them.
func split(text string, stem func(word string) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for w := range strings.FieldsFuncSeq(strings.ToLower(text), between) {
			if first, _ := utf8.DecodeRuneInString(w); unblanked(first) {
				if !pairs(w, yield) {
					return
				}
				continue
			}
			term := w[:min(len(w), longestWord)]
			if len(w) <= longestWord {
				term = stem(w)
			}
			if term != "" && !yield(term) {
				return
			}
		}
	}
}

func between(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)
}

// pairs yields each two characters that stand beside each other.
func pairs(word string, yield func(string) bool) bool {
	runes := []rune(word)
	for i := range max(1, len(runes)-1) {
		if !yield(string(runes[i:min(i+2, len(runes))])) {
			return false
		}
	}
	return true
}

// stem is a word without its ending, and empty for one that every text has.
func stem(word string) string {
	if english.IsStopWord(word) {
		return ""
	}
	return english.Stem(word, false)
}

// stems remembers the stems of words. To find one takes a hundred times as long as to look it up.
type stems map[string]string

// mostStems is how many are remembered: what is met after as many other words is rare.
const mostStems = 1 << 17

func (s stems) of(word string) string {
	if known, ok := s[word]; ok {
		return known
	}
	found := stem(word)
	if len(s) < mostStems {
		s[strings.Clone(word)] = found
	}
	return found
}

func unblanked(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
