package surface

import (
	"maps"
	"slices"
)

// truth is what is known about a condition.
type truth int8

const (
	no truth = iota - 1
	unknown
	yes
)

func known(is bool) truth {
	if is {
		return yes
	}
	return no
}

// truth evaluates a condition.
func (p *interpreter) truth(n *Node) truth {
	switch {
	case n.Kind == Or || n.Kind == Operator && n.Text == "and":
		is := p.truth(n.Args[0])
		for _, a := range n.Args[1:] {
			if n.Kind == Or {
				is = max(is, p.truth(a))
			} else {
				is = min(is, p.truth(a))
			}
		}
		return is
	case n.Kind == Operator && n.Text == "!":
		return -p.truth(n.Args[0])
	case n.Kind == Operator && len(n.Args) == 2:
		switch n.Text {
		case "==":
			return p.equal(n.Args[0], n.Args[1])
		case "!=":
			return -p.equal(n.Args[0], n.Args[1])
		case ">":
			if p.length(n.Args[0]) != nil {
				return -p.equal(n.Args[0], n.Args[1])
			}
		}
	case n.Kind == Name || n.Kind == Member:
		switch v := p.resolve(n); {
		case v.Is("true"):
			return yes
		case v.Is("false"):
			return no
		}
	}
	return unknown
}

// equal compares two expressions: texts, the length of a text with zero, nothing, and equal names.
func (p *interpreter) equal(a, b *Node) truth {
	if of := p.length(a); of != nil {
		if text, ok := p.text(of); ok && b.Kind == Number && b.Text == "0" {
			return known(text == "")
		}
		return unknown
	}
	left, ok := p.text(a)
	if right, also := p.text(b); ok && also {
		return known(left == right)
	}
	a, b = p.resolve(a), p.resolve(b)
	switch {
	case a == nil || b == nil:
	case b.Kind == Name && p.Nothing[b.Text]:
		if a.Kind == Name && p.Nothing[a.Text] {
			return yes
		} else if a.Kind == Func || isLiteral(a) || a.Kind == Operator && a.Text == "&" {
			return no
		}
	case Dotted(a) != "" && Dotted(b) != "": // constants of other files
		return known(Dotted(a) == Dotted(b))
	}
	return unknown
}

func (p *interpreter) length(n *Node) *Node {
	if n.Kind == Call && n.X.Is(p.Length) && len(n.Args) == 1 {
		return n.Args[0]
	}
	return nil
}

// about reports whether an expression mentions a row of a table.
func (p *interpreter) about(n *Node) bool {
	switch {
	case n == nil:
		return false
	case n.Kind == Name:
		h := p.locals[n.Text]
		return h != nil && h.row != nil
	case n.Kind == Func:
		return false
	}
	for _, a := range n.Args {
		if p.about(a) {
			return true
		}
	}
	return p.about(n.X)
}

// ofRow returns a call in a loop over a literal table with the cells of the current row in place of the variables of the
// loop, and the row if it is a struct. It returns the call itself elsewhere.
func (p *interpreter) ofRow(n *Node) (call, row *Node) {
	if p.loop == nil {
		return n, nil
	}
	if call = p.withCells(n, 0); call == n {
		return n, nil
	}
	for _, a := range p.loop.Args {
		if h := p.locals[a.Text]; h != nil && h.row != nil && isStruct(h.value) {
			row = h.value
		}
	}
	if row == nil {
		return call, nil
	}
	call.Line = row.Line
	for i, a := range call.Args {
		if a.Kind == Name && p.locals[a.Text] != nil { // the handler of the row with something around it
			for _, name := range slices.Sorted(maps.Keys(p.Routes.Table[1])) {
				if cell := p.field(row, name); cell != nil {
					call.Args[i] = cell
					break
				}
			}
		}
	}
	return call, row
}

// withCells copies the parts of an expression that have cells of the row.
func (p *interpreter) withCells(n *Node, depth int) *Node {
	if n == nil || depth > deepest {
		return n
	}
	variable := func(n *Node) *Node {
		if n.Kind != Name || !slices.ContainsFunc(p.loop.Args, func(a *Node) bool { return a.Is(n.Text) }) || p.locals[n.Text] == nil {
			return nil
		}
		return p.locals[n.Text].value
	}
	switch n.Kind {
	case Name:
		if v := variable(n); v != nil && !isLiteral(v) {
			return v
		}
	case Member:
		if v := variable(n.X); isStruct(v) {
			if cell := p.field(v, n.Text); cell != nil {
				return cell
			}
			return n
		}
		fallthrough
	case Call, Sum:
		made := *n
		made.X, made.Args = p.withCells(n.X, depth+1), slices.Clone(n.Args)
		changed := made.X != n.X
		for i, a := range n.Args {
			made.Args[i] = p.withCells(a, depth+1)
			changed = changed || made.Args[i] != a
		}
		if changed {
			return &made
		}
	}
	return n
}
