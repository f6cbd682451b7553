package surface

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// optionTables tells the flags of lists of objects that describe options. They belong to a command where a loop adds them to one.
func (f *finder) optionTables() {
	if !f.cmd.on || f.Commands.Table == nil {
		return
	}
	for _, n := range f.Body {
		if n.Kind != Bind || n.X == nil || len(n.Args) != 1 || n.Args[0].Kind != Name {
			continue
		}
		name := n.Args[0].Text
		if name == f.Routes.Default {
			if list := f.listOf(n.X, 0); list != "" && list != name {
				f.join(source.Fact{ID: list, Of: name}, n)
			}
		}
		if n.X.Kind == List {
			for _, row := range n.X.Args {
				if row.Kind == Map && property([]*Node{row}, f.Commands.Row) != nil {
					f.option(CommandRule{Part: Option, Dash: "--", Roles: f.Commands.Table}, []*Node{row}, "", name, row)
				}
			}
		}
	}
}

// listOf is the name of the list that a value is, or that a function sorts or filters.
func (f *finder) listOf(n *Node, depth int) string {
	if n == nil || depth > 4 {
		return ""
	}
	switch c := f.constant(n); {
	case n.Kind == Call && n.X.Kind == Member && f.listOf(n.X.X, depth+1) != "":
		return f.listOf(n.X.X, depth+1)
	case n.Kind == Call && len(n.Args) > 0:
		return f.listOf(n.Args[0], depth+1)
	case n.Kind == Name && c != nil && c.Kind == List:
		return n.Text
	case n.Kind == Name && c != nil:
		return f.listOf(c, depth+1)
	}
	return ""
}

// overTable walks what is done for each element of a value, which a variable holds.
func (f *finder) overTable(over, each *Node, walk func()) {
	was := f.looping
	if over != nil && each != nil && (over.Kind == Name || over.Kind == List) {
		f.looping = loop{over, each.Text}
	}
	walk()
	f.looping = was
}

// loop is one over a table.
type loop struct {
	over *Node
	each string // the variable
}

// perRow are the calls that a call stands for whose arguments are fields of the rows of a table, without those that a row lacks; none
// where they are not.
func (f *finder) perRow(n *Node) (calls []*Node) {
	list := f.looping.over
	if c := f.constant(list); c != nil {
		list = c
	}
	isField := func(a *Node) bool { return a.Kind == Member && a.X.Is(f.looping.each) }
	if list == nil || list.Kind != List || len(list.Args) > mostRows || !slices.ContainsFunc(n.Args, isField) {
		return nil
	}
	for _, row := range list.Args {
		call := *n
		call.Args = nil
		for i, a := range n.Args {
			if isField(a) {
				a = property([]*Node{row}, last(a))
			}
			if a == nil && i == 0 {
				break // a row without a path
			} else if a != nil {
				call.Args = append(call.Args, a)
			}
		}
		calls = append(calls, &call)
	}
	return calls
}

// addsRows notes that an option of a command is what a row of a table says, which another file may have.
func (f *finder) addsRows(args []*Node, on string, at *Node) {
	if len(args) > 0 && args[0].Kind == Call {
		args = args[0].Args
	}
	if len(args) > 0 && (args[0].Kind == Name || args[0].Kind == Sum) && f.Commands.Table != nil {
		f.join(source.Fact{ID: Dotted(f.looping.over), Of: on}, at)
	}
}
