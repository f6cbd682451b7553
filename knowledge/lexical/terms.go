// Package lexical finds texts by the words that they have in common with a question. It knows no meanings: what is told of a text
// is which words of the question stand in it, and how rare they are.
package lexical

import (
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
)

// longestWord is how many bytes of a word count: what is longer is data, and a stemmer may take long over it.
const longestWord = 64

// Terms are the words of a text in the form in which they are compared: in lower case, without English endings, and without the words that
// every text has. Scripts that set no blanks between words give each pair of characters.
func Terms(text string) []string {
	var out []string
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) })
	for _, w := range words {
		switch runes := []rune(w); {
		case unblanked(runes[0]):
			for i := range max(1, len(runes)-1) {
				out = append(out, string(runes[i:min(i+2, len(runes))]))
			}
		case len(w) > longestWord:
			out = append(out, w[:longestWord])
		case !english.IsStopWord(w):
			out = append(out, english.Stem(w, false))
		}
	}
	return out
}

func unblanked(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
