package ecma

import (
	"context"

	"github.com/causaldocs/causal/knowledge/source"
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
	Match int    // index of the paired bracket or template part, or -1
	Line  int
	Free  bool // a name that no enclosing function or block binds: of the file, an import, a global
	Value bool // a Free name that is used as a value, not as a type
}

var tokenKinds = map[tokenKind]TokenKind{
	tIdent: Word, tPrivate: Word, tNumber: Number, tString: String, tTemplate: Template, tTemplateHead: Part, tTemplateMiddle: Part,
	tTemplateTail: Part, tRegex: Regexp, tPunct: Punct, tText: Markup,
}

// Code is a file with its tokens. Virtual tokens without text close unclosed brackets.
type Code struct {
	source.File
	Tokens []Token
	// Places locates the declarations of each symbol, overloads included, in source order.
	Places map[string][]Place
}

// Place is a range of tokens. Body is the first token after the signature, or To if there is no body.
type Place struct{ From, Body, To int }

// Read reads a TypeScript file. It returns an error if time or memory would exceed a bound linear in the size of src.
func Read(ctx context.Context, path string, src []byte) (c Code, err error) {
	c.File, err = source.Extract(ctx, task{TypeScript, func(x *extractor) source.File {
		f := x.extract()
		c.Tokens, c.Places = x.tokens(), x.located()
		return f
	}}, path, src)
	return c, err
}

// task is a Language with another way to read the tokens of a file.
type task struct {
	source.Language
	do func(*extractor) source.File
}

// Extract implements source.Language.
func (t task) Extract(ctx context.Context, path string, src []byte) source.File {
	return Language{"typescript"}.scan(ctx, path, src, t.do)
}

func (x *extractor) tokens() []Token {
	text := string(x.src)
	out := make([]Token, len(x.t))
	for i, t := range x.t {
		out[i] = Token{tokenKinds[t.kind], text[t.off:t.end], int(t.match), int(t.line), t.has(fFree), t.has(fValue)}
	}
	return out
}

func (x *extractor) located() map[string][]Place {
	out := map[string][]Place{}
	for _, s := range x.spans {
		body := min(max(s.body, s.From), s.To)
		if x.at(body).isPunct(';') {
			body = s.To
		}
		name := x.symbols[s.symbol].Name
		out[name] = append(out[name], Place{s.From, body, s.To})
	}
	return out
}
