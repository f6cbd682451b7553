// Package lexical finds texts by the words that they share with a question, weighted by rarity. It knows no synonyms.
package lexical

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// longestWord bounds the bytes of a word: longer ones are data, and slow to stem.
const longestWord = 64

// Terms returns the normalized words of a text: lower case, stemmed in English, without stop words. Scripts without
// spaces between words give each pair of characters.
func Terms(text string) []string { return slices.Collect(split(text, stem)) }

// split yields the terms of a text, normalized by stem.
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

// pairs yields the adjacent pairs of characters.
func pairs(word string, yield func(string) bool) bool {
	runes := []rune(word)
	for i := range max(1, len(runes)-1) {
		if !yield(string(runes[i:min(i+2, len(runes))])) {
			return false
		}
	}
	return true
}

// stem returns a word without its ending, or "" for a stop word.
func stem(word string) string {
	if english.IsStopWord(word) {
		return ""
	}
	return english.Stem(word, false)
}

// stems caches stems: stemming takes a hundred times as long as a lookup.
type stems map[string]string

// mostStems bounds the cache: later words are rare.
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
