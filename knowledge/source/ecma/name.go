package ecma

import (
	"strings"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// Numbers of names without a token.
const (
	nameThis int32 = iota + 1
	nameSuper
	namePrivate // of the class whose private names are in scope
	reservedNames
)

// reserved spells the names without a token so that they match no token; the first is none.
var reserved = [reservedNames]string{"\x00", "\x00this", "\x00super", "\x00private"}

type nameTable struct {
	kernel.Words
	src string
	top []int32
}

func newNameTable(src []byte) nameTable {
	n := nameTable{src: string(src)} // its words are substrings of it
	for _, name := range reserved {
		n.Number(name)
	}
	return n
}

// literal returns the path of a dotted name.
func (b *binder) literal(text string) (path int32) {
	for part := range strings.SplitSeq(text, ".") {
		path = b.paths.Join(path, b.names.Number(part))
	}
	return path
}

// spelled is the text of a path, until the next call.
func (b *binder) spelled(path int32) []byte {
	b.letters = b.Spell(b.letters[:0], path)
	return b.letters
}

// Spell implements source.Speller.
func (b *binder) Spell(to []byte, path int32) []byte { return b.paths.Spell(to, path, &b.names.Words) }

// LineOf implements source.Speller.
func (b *binder) LineOf(at int32) int { return int(b.t[at].line) }
