package python

import (
	"context"

	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// TokenKind is the kind of a Token.
type TokenKind uint8

// Token kinds. A string with replacement fields is its pieces with the tokens of the fields between them.
const (
	Word TokenKind = iota // identifier or keyword
	Number
	String // str or bytes literal, with prefix and quotes
	Piece  // of a string with replacement fields
	Operator
	Unknown
)

// Token is one element of a file, for callers that inspect code the outline skips.
type Token struct {
	Kind TokenKind
	Text string // as written
	Line int
}

var tokenKinds = [...]TokenKind{name: Word, keyword: Word, number: Number, str: String, fpart: Piece, fdebug: Piece, op: Operator, junk: Unknown}

// Scan splits code into tokens. It returns an error if time would exceed a bound linear in the size of src.
func Scan(ctx context.Context, src string) (tokens []Token, err error) {
	_, err = source.Extract(ctx, scanning{tokens: &tokens}, "", []byte(src))
	return tokens, err
}

type scanning struct {
	Language
	tokens *[]Token
}

// Extract implements source.Language.
func (s scanning) Extract(ctx context.Context, _ string, src []byte) source.File {
	meter := kernel.NewMeter(ctx, len(src))
	x := newReader(&meter, string(src), "")
	x.lex()
	for i, t := range x.toks {
		*s.tokens = append(*s.tokens, Token{tokenKinds[t.kind], x.text(i), int(t.line)})
	}
	return source.File{}
}
