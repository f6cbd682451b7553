// Package condition implements invalidation conditions, which state when a conclusion is wrong. Example:
//
//	modified("internal/auth/*.go") or interface_changed("db")
//
// The grammar is a subset of expr: and, or, not, parentheses, calls of words with string literals, and comparisons of
// numeric words with a number. The negation of a comparison needs parentheses, because not binds tightest.
package condition

import "strings"

// Condition is a parsed invalidation condition. It is immutable. The zero Condition has no term and never holds.
type Condition struct {
	root *node
}

// String returns the canonical form, without redundant parentheses. Parse converts it back to an equal Condition.
func (c Condition) String() string {
	if c.root == nil {
		return ""
	}
	var b strings.Builder
	c.root.write(&b)
	return b.String()
}

// Equal reports whether both have the same canonical form.
func (c Condition) Equal(d Condition) bool { return c.String() == d.String() }

// IsZero reports whether c has no term.
func (c Condition) IsZero() bool { return c.root == nil }

type operator uint8

const (
	opOr operator = iota + 1
	opAnd
	opCompare
	opNot
	opCall
)

// node is one part of a condition. A chain of the same operator is one node, which bounds the depth.
type node struct {
	op       operator
	children []node // opOr, opAnd: two or more; opNot: one
	term     *term  // opCompare, opCall
}

type term struct {
	word       *word
	args       []string
	glob       Glob
	comparison comparison
	number     float64
	text       string // canonical form
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
