package surface

import (
	"maps"
	"slices"
)

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

// tables reports the routes in literals over which no loop registers routes.
func (f *finder) tables() {
	for _, n := range f.routing.tables {
		if !f.routing.looped[n] {
			f.table(n)
		}
	}
}
