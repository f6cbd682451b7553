// Package surface finds routes, environment variables, command lines and other interfaces of a program, in a syntax
// that all languages share. Readers translate a file once; rule tables describe the calls of each framework.
package surface

import (
	"strings"
)

// Kind is the kind of a Node.
type Kind uint8

// Node kinds: expressions first, then statements.
const (
	Unknown  Kind = iota // cannot be evaluated
	Text                 // a literal; Text is its value
	Number               // a literal; Text is as written
	Name                 // Text is the name; of a parameter, X is its default
	Member               // Text is selected from X
	Call                 // X is called with Args
	Index                // Args are the subscripts of X
	List                 // of Args
	Map                  // Args have a Key if it is a literal, otherwise an Index
	Sum                  // Args are added or formatted
	Or                   // the first of Args that is present
	Operator             // Text, with Args as operands
	Func                 // Text is its name, Args are the parameters
	Class                // Text is its name, Args are the bases
	Bind                 // Args are assigned X; Text is the operator, if it declares nothing or may
	Return               // X
	If                   // X, with Body and Else
	For                  // Args iterate over X in Body
	Block                // Body, which may be left early
)

// Node is an expression or a statement.
type Node struct {
	Kind     Kind
	Line     int32
	From, To int32  // byte offsets in the source
	Text     string // see Kind
	Key      string // keyword of an argument, or key in a map
	X        *Node
	Args     []*Node
	Body     []*Node
	Else     []*Node
	Marks    []*Node
	Type     *Node // declared type of a name
}

// Tree holds the nodes of one file.
type Tree struct {
	Src   string
	Body  []*Node
	nodes []Node // the rest of an allocated chunk
	lists []*Node
	stack []*Node
	words map[string]bool // that the rules ask for; whether they occur
}

const chunk = 512

// Reset begins the Tree of a file.
func (t *Tree) Reset(src string) {
	t.Src, t.Body, t.stack, t.words = src, nil, t.stack[:0], map[string]bool{}
}

// Mentions reports whether a word of the rules occurs in the source.
func (t *Tree) Mentions(word string) bool {
	occurs, known := t.words[word]
	if !known {
		occurs = strings.Contains(t.Src, word)
		t.words[word] = occurs
	}
	return occurs
}

// New returns a node for a range of the source.
func (t *Tree) New(k Kind, line, from, to int32) *Node {
	if len(t.nodes) == 0 {
		t.nodes = make([]Node, chunk)
	}
	n := &t.nodes[0]
	t.nodes = t.nodes[1:]
	n.Kind, n.Line, n.From, n.To = k, line, from, to
	return n
}

// Mark begins a list to which Push adds; Take returns its nodes.
func (t *Tree) Mark() int { return len(t.stack) }

// Push adds to the innermost open list.
func (t *Tree) Push(n *Node) { t.stack = append(t.stack, n) }

// Take returns the nodes pushed since the mark.
func (t *Tree) Take(mark int) []*Node {
	n := len(t.stack) - mark
	if n == 0 {
		return nil
	}
	if cap(t.lists)-len(t.lists) < n {
		t.lists = make([]*Node, 0, max(chunk, n, 2*cap(t.lists)))
	}
	from := len(t.lists)
	t.lists = append(t.lists, t.stack[mark:]...)
	t.stack = t.stack[:mark]
	return t.lists[from : from+n : from+n]
}

// Written returns the source of a node on one line.
func (t *Tree) Written(n *Node) string {
	return strings.ToValidUTF8(strings.Join(strings.Fields(t.Src[n.From:n.To]), " "), "\ufffd")
}

// longestName bounds the elements of a dotted name.
const longestName = 24

// Dotted returns the dotted name of a Name or Member node, or "".
func Dotted(n *Node) string { return dotted(n, longestName) }

func dotted(n *Node, left int) string {
	switch {
	case n == nil || left == 0:
	case n.Kind == Name:
		return n.Text
	case n.Kind == Member:
		if owner := dotted(n.X, left-1); owner != "" {
			return owner + "." + n.Text
		}
	}
	return ""
}

func last(n *Node) string {
	if n != nil && (n.Kind == Name || n.Kind == Member) {
		return n.Text
	}
	return ""
}

// called returns the function that a call or a decorator names.
func called(n *Node) *Node {
	if n.Kind == Call {
		return n.X
	}
	return n
}

// Arg returns the argument with a keyword, or else the one at a position among those without.
func Arg(args []*Node, key string, position int) *Node {
	var found *Node
	for _, a := range args {
		if a.Key != "" {
			if a.Key == key {
				return a
			}
			continue
		}
		if position == 0 {
			found = a
		}
		position--
	}
	return found
}

// Is reports whether a node is a name.
func (n *Node) Is(name string) bool { return n != nil && n.Kind == Name && n.Text == name }

// Set returns the set of blank-separated names.
func Set(names string) map[string]bool {
	out := map[string]bool{}
	for n := range strings.FieldsSeq(names) {
		out[n] = true
	}
	return out
}

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
