package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source/surface"
)

// grower builds the surface tree of a file while the binder reads it. Without a tree all nodes are the same one, which
// nothing reads.
type grower struct {
	tree    *surface.Tree
	none    surface.Node
	pending []*surface.Node // assignments, conditionals and prefix operators without their last operand
	marks   []*surface.Node // decorators of the next declaration
}

// operation is an expression whose operands are pushed.
type operation struct {
	surface.Group
	mark, pending int
}

// translated returns the surface tree of a file.
func translated(x *extractor) *surface.Tree {
	b := newBinder(x)
	b.grow()
	b.statements(0, len(x.t))
	return b.grown()
}

// grow makes the binder build a tree.
func (b *binder) grow() {
	b.tree = &surface.Tree{}
	b.tree.Reset(b.names.src)
}

func (b *binder) grown() *surface.Tree {
	if b.tree != nil {
		b.tree.Body = b.take(0)
	}
	return b.tree
}

func (b *binder) mark() int {
	if b.tree == nil {
		return 0
	}
	return b.tree.Mark()
}

// push adds a node to the innermost list, if there is one: there is no node for a missing expression.
func (b *binder) push(n *surface.Node) {
	if b.tree != nil && n != nil {
		b.tree.Push(n)
	}
}

func (b *binder) take(mark int) []*surface.Node {
	if b.tree == nil {
		return nil
	}
	return b.tree.Take(mark)
}

// last takes the nodes since the mark and returns the last one.
func (b *binder) last(mark int) *surface.Node {
	list := b.take(mark)
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

func (b *binder) listOf(nodes ...*surface.Node) []*surface.Node {
	mark := b.mark()
	for _, n := range nodes {
		b.push(n)
	}
	return b.take(mark)
}

func (b *binder) node(k surface.Kind, i, end int) *surface.Node {
	if b.tree == nil {
		return &b.none
	}
	t := b.at(i)
	return b.tree.New(k, t.line, t.off, max(t.off, b.at(max(end-1, i)).end))
}

// around returns a node for the range of another one.
func (b *binder) around(k surface.Kind, n *surface.Node) *surface.Node {
	if b.tree == nil {
		return &b.none
	}
	return b.tree.New(k, n.Line, n.From, n.To)
}

// leaf returns the node of one token.
func (b *binder) leaf(k surface.Kind, i int) *surface.Node {
	n := b.node(k, i, i+1)
	n.Text = b.text(i)
	return n
}

func (b *binder) text(i int) string {
	t := b.at(i)
	return b.names.src[t.off:t.end]
}

func (b *binder) constant(i int) *surface.Node {
	switch b.t[i].kind {
	case tString, tTemplate:
		n := b.node(surface.Text, i, i+1)
		if b.tree != nil {
			n.Text = unquote([]byte(b.text(i)))
		}
		return n
	case tNumber:
		return b.leaf(surface.Number, i)
	}
	return b.node(surface.Unknown, i, i+1)
}

// some returns a node, or one for the expression that is missing at token i.
func (b *binder) some(n *surface.Node, i int) *surface.Node {
	if n == nil {
		return b.node(surface.Unknown, i, i+1)
	}
	return n
}

// of selects, calls or indexes x, which begins at token start, by what is at [i, end).
func (b *binder) of(x *surface.Node, start int, k surface.Kind, i, end int) *surface.Node {
	n := b.node(k, i, end)
	n.X, n.From = x, b.at(start).off
	if k == surface.Member {
		n.Text = b.text(i)
	} else {
		n.Line = x.Line
	}
	return n
}

// selected returns the node of the name at i with its members up to end.
func (b *binder) selected(i, end int) *surface.Node {
	n := b.leaf(surface.Name, i)
	for j := i + 1; j < end && b.tree != nil; j++ {
		if b.t[j].kind != tPunct {
			n = b.of(n, i, surface.Member, j, j+1)
		}
	}
	return n
}

// typeNode returns the node of the type in [i, end). A list of values represents its element type.
func (b *binder) typeNode(i, end int) *surface.Node {
	n := b.node(surface.Unknown, i, max(end, i+1))
	if b.at(i).kind == tIdent {
		n.Kind, n.Text = surface.Name, b.text(i)
	}
	return n
}

// piece pushes the text of a part of a template.
func (b *binder) piece(i int) {
	if k := b.at(i).kind; b.tree == nil || k != tTemplateHead && k != tTemplateMiddle && k != tTemplateTail {
		return
	}
	n := b.node(surface.Text, i, i+1)
	n.Text = strings.TrimSuffix(strings.TrimLeft(b.text(i), "`}"), "${")
	if n.Text = strings.TrimSuffix(n.Text, "`"); n.Text != "" {
		b.push(n)
	}
}

func (b *binder) operation() operation {
	o := operation{pending: len(b.pending)}
	if b.tree != nil {
		o.Group, o.mark = b.tree.Group(), b.tree.Mark()
	}
	return o
}

// operator adds the operator at i after the last operand.
func (b *binder) operator(o *operation, i int) {
	if b.tree != nil {
		o.Operator(b.text(i))
	}
}

// operand returns the operands so far as one; at is behind them.
func (b *binder) operands(o *operation, at int) *surface.Node {
	if b.tree == nil {
		return &b.none
	}
	if b.tree.Mark() == o.mark {
		b.push(b.node(surface.Unknown, at, at+1))
	}
	return o.End()
}

// await notes a node without its last operand.
func (b *binder) await(n *surface.Node) {
	if b.tree != nil && len(b.pending) < deepest {
		b.pending = append(b.pending, n)
	}
}

// assigned notes an assignment to n by the operator at i.
func (b *binder) assigned(n *surface.Node, i int) {
	if b.tree == nil {
		return
	}
	bind := b.around(surface.Bind, n)
	bind.Text = b.text(i)
	if surface.Dotted(n) == "module.exports" {
		n.Kind, n.Text, n.X = surface.Name, defaultName, nil
	}
	bind.Args = b.listOf(n)
	b.await(bind)
}

// complete gives the pending nodes since open their last operand.
func (b *binder) complete(n *surface.Node, open int) *surface.Node {
	for len(b.pending) > open {
		p := b.pending[len(b.pending)-1]
		b.pending = b.pending[:len(b.pending)-1]
		if p.To = n.To; p.Kind == surface.Bind {
			p.X = n
		} else {
			p.Args = append(p.Args, n)
		}
		n = p
	}
	return n
}
