package grounding

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Clean returns a model's text as one line of plain text: invisible characters are removed, and backticks remain only in pairs around
// code names. ok is false for text without words, and for text with markup: an address, a tag, a heading or a link.
func Clean(text string) (clean string, ok bool) {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Cc, r), unicode.Is(unicode.Co, r), r == utf8.RuneError, '\ufe00' <= r && r <= '\ufe0f':
			return -1
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if markup.MatchString(text) || strings.Contains(text, "``") || strings.Count(text, "`")%2 != 0 {
		return "", false
	}
	return text, strings.ContainsFunc(text, unicode.IsLetter)
}

// CleanSentence is Clean for a sentence: ok is also false if it is too long.
func CleanSentence(text string) (clean string, ok bool) {
	if len(text) > mostUnclean {
		return "", false
	}
	clean, ok = Clean(text)
	return clean, ok && len(clean) <= longestSentence
}

// markup matches everything that is more than text on a page: an address, a tag or comment, a link or image, a heading, a mention of a user.
var markup = lazyregexp.New(`\w://|\bwww\.|\bmailto:|</?[A-Za-z!]|\]\s*[\[(]|!\[|^\s*#|(?:^|[^\w.` + "`" + `])@[A-Za-z]|(?i:javascript:|data:text)`)

var (
	quoted = lazyregexp.New("`[^`]+`")
	chain  = lazyregexp.New(`[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*`)
	// bare matches names outside of backticks: a.B, B(), snake_case, camelCase.
	bare = lazyregexp.New(`[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w+)+|[A-Za-z_]\w*\(\)|\b[A-Za-z]\w*_\w+\b|\b[a-z]+[0-9]*[A-Z]\w*\b`)
)

// codeNames lists the code names in a text: identifiers and chains of them.
func codeNames(text string) []string {
	var out []string
	rest := quoted.ReplaceAllStringFunc(text, func(span string) string {
		out = append(out, chain.FindAllString(strings.Trim(span, "`"), -1)...)
		return " "
	})
	for _, name := range bare.FindAllString(rest, -1) {
		if !abbreviations[strings.ToLower(name)] {
			out = append(out, strings.TrimSuffix(name, "()"))
		}
	}
	return out
}

var abbreviations = map[string]bool{"e.g": true, "i.e": true, "a.k": true, "w.r": true}

// HasWord reports whether a text contains a name as a whole word.
func HasWord(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		if !isNameRune(before) && !isNameRune(after) {
			return true
		}
		at = i + 1
	}
}

func isNameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// Quotes reports whether a text contains a quotation word by word, ignoring case, punctuation and white space. It is false for quotations
// of fewer than least words.
func Quotes(text, quotation string, least int) bool {
	want := words(quotation)
	return len(want) >= least && strings.Contains(" "+strings.Join(words(text), " ")+" ", " "+strings.Join(want, " ")+" ")
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
