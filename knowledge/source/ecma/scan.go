package ecma

import (
	"context"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// TokenKind says what a Token is.
type TokenKind uint8

// The kinds of tokens. A template with substitutions is its head, what is substituted, and its tail.
const (
	Word TokenKind = iota // an identifier or a keyword
	Number
	String
	Template // without substitutions
	Part     // of a template with substitutions
	Regexp
	Punct
	Markup // text of JSX
)

// Token is one element of a file, for readers who look into what the outline passes over.
type Token struct {
	Kind  TokenKind
	Text  string // as written
	Doc   string // of the documentation comment right before it
	Match int    // the partner of a bracket, and of the first and last part of a template; -1 of all others
	Line  int
}

var tokenKinds = map[tokenKind]TokenKind{
	tIdent: Word, tPrivate: Word, tNumber: Number, tString: String, tTemplate: Template, tTemplateHead: Part, tTemplateMiddle: Part,
	tTemplateTail: Part, tRegex: Regexp, tPunct: Punct, tText: Markup,
}

// Scan splits a file into its tokens, and says what is wrong with it; nothing when all of it could be read. What the source leaves open is
// closed by tokens without text. It takes time and memory in proportion to src, or returns an error.
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
