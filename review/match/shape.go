package match

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/review/finding"
)

const (
	anyName    = "ID"
	anyLiteral = "LIT"
	anyComment = "COMMENT"
)

// Shape returns the structure of code, for comparison: it keeps keywords, punctuation and the names of called
// functions, and replaces other names and literals. White space and comments do not count. It is an approximation for
// all languages.
func Shape(name, code string) string {
	words, _ := shapeOf(name, code)
	return strings.Join(words, " ")
}

// shapeOf returns the words of a shape and the code's own.
func shapeOf(name, code string) (words, own []string) {
	d := dialectOf(name)
	tokens, comment := d.tokens(cut(code, longestText))
	if len(tokens) == 0 && comment {
		return []string{anyComment}, []string{anyComment}
	}
	words, own = make([]string, len(tokens)), make([]string, len(tokens))
	for i, t := range tokens {
		words[i], own[i] = t.text, t.text
		if t.kind == isName && !d.keywords[t.text] && !d.called(tokens, i) {
			words[i] = anyName
		}
	}
	return words, own
}

// CommonShape returns the shape of lines that have the same one. It keeps the names that all of them select from.
func CommonShape(name string, lines []string) string {
	shape, first := shapeOf(name, lines[0])
	var others [][]string
	for _, line := range lines[1:] {
		_, own := shapeOf(name, line)
		others = append(others, own)
	}
	for i := range shape {
		selects := shape[i] == anyName && i+1 < len(shape) && selecting[shape[i+1]]
		if selects && !slices.ContainsFunc(others, func(own []string) bool { return own[i] != first[i] }) {
			shape[i] = first[i]
		}
	}
	return strings.Join(shape, " ")
}

var selecting = map[string]bool{".": true, "?.": true, "::": true}

// HasShape reports whether code has a shape, which may be a common one.
func HasShape(name, code, shape string) bool {
	words, own := shapeOf(name, code)
	i := 0
	for want := range strings.SplitSeq(shape, " ") {
		if i == len(words) || want != words[i] && want != own[i] {
			return false
		}
		i++
	}
	return i == len(words)
}

// Calls reports whether a shape contains a named call.
func Calls(name, shape string) bool {
	d, words := dialectOf(name), strings.Fields(shape)
	for i, word := range words[:max(len(words)-1, 0)] {
		if nameStarts(word[0]) && word != anyName && word != anyLiteral && !d.keywords[word] && opens(words[i+1]) {
			return true
		}
	}
	return false
}

func opens(word string) bool { return word == "(" || word == "!" }

// patternVersion is part of each pattern. Raise it when the same code gets another shape.
const patternVersion = "v1"

// Pattern returns the identity of a kind of finding: a digest of its rule, language and code shape.
func Pattern(rule, name, code string) string {
	return "p-" + fact.Digest(patternVersion, rule, Language(name), Shape(name, code))
}

func patternOf(f *finding.Finding, flagged string) string {
	if f.Change != "" {
		return "p-" + fact.Digest(patternVersion, f.Rule, f.Change)
	}
	return Pattern(f.Rule, f.Path, flagged)
}

func (d dialect) called(tokens []token, i int) bool {
	next := i + 1
	if next+1 < len(tokens) && tokens[next].text == "!" {
		next++
	} else if next >= len(tokens) || tokens[next].text != "(" {
		return false
	}
	if !strings.Contains("([{", tokens[next].text) {
		return false
	}
	if i == 0 {
		return true
	}
	switch before := tokens[i-1]; {
	case before.kind == isName:
		return d.keywords[before.text] && !defining.Get()[before.text]
	case before.text == ")":
		return tokens[0].text != "func" // the receiver of a Go method
	}
	return true
}

type kind int

const (
	isSign kind = iota
	isName
	isLiteral
)

type token struct {
	kind kind
	text string
}

var signs = lazy.Words(":= == != <= >= && || -> => << >> ++ -- += -= *= /= %= |= &= ^= :: ?? ?. ..")

func (d dialect) tokens(code string) (list []token, comment bool) {
	for i := 0; i < len(code); {
		c, start := code[i], i
		switch {
		case c <= ' ':
			i++
		case d.hash && c == '#' || !d.hash && strings.HasPrefix(code[i:], "//"):
			i, comment = behind(code, i, "\n"), true
		case strings.HasPrefix(code[i:], "/*"):
			i, comment = behind(code, i+2, "*/"), true
		case c >= '0' && c <= '9':
			i = number(code, i)
			list = append(list, token{isLiteral, anyLiteral})
		case c == '"' || c == '`' || c == '\'':
			if i = d.literal(code, i); i == start+1 {
				list = append(list, token{isSign, code[start:i]})
			} else {
				list = append(list, token{isLiteral, anyLiteral})
			}
		case nameStarts(c):
			for i < len(code) && (nameStarts(code[i]) || code[i] >= '0' && code[i] <= '9') {
				i++
			}
			if i < len(code) && i-start <= 3 && (code[i] == '"' || code[i] == '\'') && strings.Trim(code[start:i], "rbfuRBFUL8c") == "" {
				continue // a string prefix
			}
			list = append(list, token{isName, code[start:i]})
		default:
			i++
			if i < len(code) && signs.Get()[code[start:i+1]] {
				i++
			}
			list = append(list, token{isSign, code[start:i]})
		}
	}
	return list, comment
}

func nameStarts(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c >= utf8.RuneSelf
}

func behind(code string, from int, end string) int {
	if at := strings.Index(code[from:], end); at >= 0 {
		return from + at + len(end)
	}
	return len(code)
}

func number(code string, i int) int {
	for i++; i < len(code); i++ {
		c, last := code[i], code[i-1]
		exponent := (c == '+' || c == '-') && (last == 'e' || last == 'E')
		fraction := c == '.' && i+1 < len(code) && code[i+1] >= '0' && code[i+1] <= '9'
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && !exponent && !fraction {
			break
		}
	}
	return i
}

// literal returns the end of a string, or the position after the quote if no string begins there.
func (d dialect) literal(code string, i int) int {
	quote := code[i]
	for end := i + 1; end < len(code); end++ {
		switch c := code[end]; {
		case c == '\\':
			end++
		case c == quote:
			return end + 1
		case quote == '\'' && (c == '\n' || d.prime && end-i > utf8.UTFMax && code[i+1] != '\\'):
			return i + 1
		case d.prime && quote == '\'' && end == i+2 && nameStarts(code[i+1]) && code[i+1] < utf8.RuneSelf:
			return i + 1 // a lifetime
		}
	}
	if quote == '\'' {
		return i + 1
	}
	return len(code)
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
