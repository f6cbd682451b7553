package surface

import "strings"

// Group parses operands with operators between them. The only precedence is that `or` binds less than `and`, and `and`
// less than all others.
type Group struct {
	tree  *Tree
	mark  int
	with  string
	outer [2][]*Node // operands of `or`, and those of `and`
}

// Group begins an expression. The caller pushes its operands.
func (t *Tree) Group() Group { return Group{tree: t, mark: t.Mark()} }

// Operator adds an operator after the last operand.
func (g *Group) Operator(word string) {
	switch word {
	case "or", "||", "??":
		g.outer[0] = append(g.outer[0], g.close(1))
	case "and", "&&":
		g.outer[1] = append(g.outer[1], g.close(2))
	case g.with:
	default:
		if g.with != "" {
			word = "…"
		}
		g.with = word
	}
}

// End returns the whole expression.
func (g *Group) End() *Node { return g.close(0) }

func (g *Group) close(level int) *Node {
	args := g.tree.Take(g.mark)
	n := args[0]
	if g.with != "" {
		if n = g.tree.Operation(g.with, args...); g.with == "+" {
			n.Kind = Sum
		}
		g.with = ""
	}
	for at := 1; at >= level; at-- {
		if g.outer[at] == nil {
			continue
		}
		n = g.tree.Operation("and", append(g.outer[at], n)...)
		if at == 0 {
			n.Kind = Or
		}
		g.outer[at] = nil
	}
	return n
}

// Operation returns an operator with its operands.
func (t *Tree) Operation(text string, args ...*Node) *Node {
	n := t.New(Operator, args[0].Line, args[0].From, args[len(args)-1].To)
	n.Text, n.Args = text, args
	return n
}

// Concat turns a sum of texts into a text, and unwraps a sum of one part.
func (n *Node) Concat() *Node {
	text := n.Kind == Sum
	for _, a := range n.Args {
		text = text && a.Kind == Text
	}
	if !text {
		return n
	}
	var b strings.Builder
	for _, a := range n.Args {
		b.WriteString(a.Text)
	}
	n.Kind, n.Text, n.Args = Text, b.String(), nil
	return n
}
