// Package condition holds invalidation conditions: what would make a conclusion wrong.
//
// A condition is an expression over a Vocabulary, to which each room adds the words that it can answer, such as
//
//	modified("internal/auth/*.go") or interface_changed("db")
//
// It is parsed with the expr-lang grammar, kept in one canonical spelling, evaluated against Facts that the caller
// knows, and explained: a Result lists the terms that made it true and what caused each.
//
// The grammar is that of expr cut down to and, or, not, parentheses, calls of the vocabulary with string literals,
// and comparisons of numeric words with a number literal. As in expr, not binds tightest, then the
// comparisons, then and, then or: the negation of a comparison needs parentheses.
package condition

import "strings"

// Condition is a parsed invalidation condition. It is immutable and safe for concurrent use. The zero Condition has no
// term and never holds.
type Condition struct {
	root *node
}

// String returns the canonical spelling: terms in the order they were given, one space around operators, no
// parentheses that are not needed. Parse reads it back as the same Condition.
func (c Condition) String() string {
	if c.root == nil {
		return ""
	}
	var b strings.Builder
	c.root.write(&b)
	return b.String()
}

// Equal reports whether both have the same canonical spelling.
func (c Condition) Equal(d Condition) bool { return c.String() == d.String() }

// IsZero reports whether c has no term.
func (c Condition) IsZero() bool { return c.root == nil }

// operator says what a node does with its children. Higher ones bind tighter.
type operator uint8

const (
	opOr operator = iota + 1
	opAnd
	opCompare
	opNot
	opCall
)

// node is one part of a condition. Chains of the same and/or are one node with many children, so that the depth of a
// condition does not grow with its length.
type node struct {
	op       operator
	children []node // opOr, opAnd: two or more; opNot: one
	term     *term  // opCompare, opCall
}

// term is one call of the vocabulary, with its comparison when the word is numeric.
type term struct {
	word       *word
	args       []string
	glob       Glob
	comparison comparison
	number     float64
	text       string // canonical spelling
}

var joins = [...]string{opOr: " or ", opAnd: " and "}

func (n *node) write(b *strings.Builder) {
	switch n.op {
	case opOr, opAnd:
		for i := range n.children {
			if i > 0 {
				b.WriteString(joins[n.op])
			}
			n.children[i].writeWithin(b, n.op)
		}
	case opNot:
		b.WriteString("not ")
		n.children[0].writeWithin(b, opNot)
	default:
		b.WriteString(n.term.text)
	}
}

func (n *node) writeWithin(b *strings.Builder, outer operator) {
	if n.op >= outer {
		n.write(b)
		return
	}
	b.WriteByte('(')
	n.write(b)
	b.WriteByte(')')
}
