package rust

import (
	"unicode/utf8"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// span is a range of tokens.
type span = kernel.Span[int]

// problem is the first thing that could not be read.
type problem = kernel.Problem

// class is the lexical class of a token.
type class uint8

const (
	word      class = iota // identifier or keyword
	lifetime               // 'a
	text                   // any string literal
	literal                // character or number
	punct                  // operator, the longest that exists except those that start with < or >
	opener                 // ( [ {
	closer                 // ) ] }
	outerDoc               // /// or /** */
	innerDoc               // //! or /*! */
	directive              // the #! line or the manifest of a script
)

// token is one lexeme, by its place in the source.
type token struct {
	start, end uint32
	line       uint32
	mate       int32 // the other side of a bracket
	class      class
	// skip takes the token out of every digest and rendering: code that only tests see, commas that mean nothing.
	skip bool
}

// documents reports whether t is a doc comment.
func (t *token) documents() bool { return t.class == outerDoc || t.class == innerDoc }

// Byte classes that decide how a token starts.
const (
	cOther byte = iota
	cSpace
	cLine
	cWord
	cDigit
	cOpen
	cClose
)

var byteClass = func() (t [256]byte) {
	for c := range t {
		switch {
		case c == '\n':
			t[c] = cLine
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			t[c] = cSpace
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= utf8.RuneSelf:
			t[c] = cWord
		case c >= '0' && c <= '9':
			t[c] = cDigit
		case c == '(' || c == '[' || c == '{':
			t[c] = cOpen
		case c == ')' || c == ']' || c == '}':
			t[c] = cClose
		}
	}
	return t
}()

func isWordByte(c byte) bool { return byteClass[c] == cWord || byteClass[c] == cDigit }

// pairs are the two-byte operators that are one token. Those that start with < or > are missing on purpose: there the
// same bytes may close generics, and reading them apart never confuses two valid programs.
var pairs = func() map[[2]byte]bool {
	m := map[[2]byte]bool{}
	for _, s := range []string{"::", "->", "=>", "..", "&&", "||", "==", "!=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|="} {
		m[[2]byte{s[0], s[1]}] = true
	}
	return m
}()

// secondByte tells which bytes can end one of the pairs, to keep the map out of the common path.
var secondByte = func() (t [256]bool) {
	for p := range pairs {
		t[p[1]] = true
	}
	return t
}()
