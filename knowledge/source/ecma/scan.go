package ecma

import (
	"context"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// TokenKind is the kind of a Token.
type TokenKind uint8

// Token kinds. A template with substitutions is its head, the tokens of the substitutions, and its tail.
const (
	Word TokenKind = iota // identifier or keyword
	Number
	String
	Template // without substitutions
	Part     // of a template with substitutions
	Regexp
	Punct
	Markup // text of JSX
)

// Token is one element of a file, for callers that inspect code the outline skips.
type Token struct {
	Kind  TokenKind
	Text  string // as written
	Doc   string // documentation comment directly before it
	Match int    // index of the paired bracket or template part, or -1
	Line  int
}

var tokenKinds = map[tokenKind]TokenKind{
	tIdent: Word, tPrivate: Word, tNumber: Number, tString: String, tTemplate: Template, tTemplateHead: Part, tTemplateMiddle: Part,
	tTemplateTail: Part, tRegex: Regexp, tPunct: Punct, tText: Markup,
}

// Scan splits a file into tokens and describes the first syntax problem, or returns "". Virtual tokens without text
// close unclosed brackets. If time or memory would exceed a bound linear in the size of src, Scan returns an error.
func Scan(ctx context.Context, name string, src []byte) (tokens []Token, problem string, err error) {
	if len(src) > largest {
		return nil, "it is too large", nil
	}
	defer func() {
		if r := recover(); r != nil {
			if err = kernel.Stopped(r); err == nil {
				panic(r)
			}
		}
	}()
	meter := kernel.NewMeter(ctx, len(src))
	l := lexer{meter: &meter}
	l.scan(src, readsJSX(name))
	text := string(src)
	tokens = make([]Token, len(l.tokens))
	for i, t := range l.tokens {
		tokens[i] = Token{Kind: tokenKinds[t.kind], Text: text[t.off:t.end], Match: int(t.match), Line: int(t.line)}
	}
	for _, c := range l.docs {
		if int(c.next) < len(tokens) {
			tokens[c.next].Doc = docText(src[c.off:c.end])
		}
	}
	return tokens, l.problem.String(), nil
}
