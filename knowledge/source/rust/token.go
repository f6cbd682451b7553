package rust

import (
	"unicode/utf8"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

type span = kernel.Span[int]

type problem = kernel.Problem

type class uint8

const (
	word      class = iota // identifier or keyword
	lifetime               // 'a
	text                   // any string literal
	literal                // character or number
	punct                  // longest operator, except those starting with < or >
	opener                 // ( [ {
	closer                 // ) ] }
	outerDoc               // /// or /** */
	innerDoc               // //! or /*! */
	directive              // shebang line or script manifest
)

type token struct {
	start, end uint32
	line       uint32
	mate       int32 // the matching bracket
	class      class
	// skip excludes the token from digests and rendering: test-only code, insignificant commas.
	skip bool
}

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

// pairs are the two-byte operators that form one token. Those starting with < or > are excluded because the same
// bytes may close generics; splitting them never confuses two valid programs.
var pairs = func() map[[2]byte]bool {
	m := map[[2]byte]bool{}
	for _, s := range []string{"::", "->", "=>", "..", "&&", "||", "==", "!=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|="} {
		m[[2]byte{s[0], s[1]}] = true
	}
	return m
}()

// secondByte speeds up the check for pairs.
var secondByte = func() (t [256]bool) {
	for p := range pairs {
		t[p[1]] = true
	}
	return t
}()
