package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// optionTables reads lists of objects that describe flags. They belong to the command to which a loop adds them.
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

// exportsCommand joins a named command that the file exports, and does not run, to the name of the export.
func (f *finder) exportsCommand(n *Node) {
	if !f.cmd.on || f.Commands.Table == nil || n.Kind != Bind || n.X == nil || n.X.Kind != Name || len(n.Args) != 1 || !n.Args[0].Is(f.Routes.Default) {
		return
	}
	made := f.constant(n.X)
	for made != nil && made.Kind == Call && made.X.Kind == Member && f.Commands.Calls[f.Library(Dotted(made.X))].Part == 0 {
		made = made.X.X
	}
	if made == nil || made.Kind != Call || f.Commands.Calls[f.Library(Dotted(made.X))].Part != Makes {
		return
	}
	if f.Steps(len(f.Src) / bytesOfStep); strings.Contains(f.Src, n.X.Text+".parse") {
		return
	}
	if _, named := f.literal(Arg(made.Args, "", 0)); named {
		f.cmd.exports = n.X.Text
		f.join(source.Fact{ID: n.X.Text, Of: n.Args[0].Text, Usage: source.Handed}, n)
	}
}

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

func (f *finder) overTable(over, each *Node, walk func()) {
	was := f.looping
	if over != nil && each != nil && (over.Kind == Name || over.Kind == List) {
		f.looping = loop{over, each.Text}
	}
	walk()
	f.looping = was
}

type loop struct {
	over *Node
	each string
}

// mostRowsRead bounds the calls to which the loops of a file are expanded.
const mostRowsRead = 10_000

// eachRow calls do for a call per row of the table whose fields are arguments of a call, and reports whether there is one.
func (f *finder) eachRow(n *Node, do func(call *Node)) bool {
	calls, was := f.perRow(n), f.looping
	f.looping = loop{} // a row may lack a field, or have one of itself
	for _, call := range calls {
		do(call)
	}
	f.looping = was
	return calls != nil
}

// perRow expands a call whose arguments are fields of table rows to one call per row, without the fields that a row
// lacks; nil for other calls.
func (f *finder) perRow(n *Node) (calls []*Node) {
	list := f.follow(f.looping.over)
	isField := func(a *Node) bool { return fieldOf(a) != "" && a.X.Is(f.looping.each) }
	if list == nil || list.Kind != List || len(list.Args) > mostRows || !slices.ContainsFunc(n.Args, isField) {
		return nil
	}
	if f.rowsRead += len(list.Args); f.rowsRead > mostRowsRead {
		return nil
	}
	for _, row := range list.Args {
		f.Step()
		call := *n
		call.Args = nil
		for i, a := range n.Args {
			switch {
			case isField(a):
				a = property([]*Node{row}, fieldOf(a))
			case a.Kind == Map:
				a = f.filledIn(a, row, isField)
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

// filledIn returns an object with the fields of a row that it uses.
func (f *finder) filledIn(object, row *Node, isField func(*Node) bool) *Node {
	out := *object
	out.Args = slices.Clone(object.Args)
	for i, p := range out.Args {
		f.Step()
		if p.Kind == Bind && p.X != nil && isField(p.X) {
			own := *p
			own.X = property([]*Node{row}, fieldOf(p.X))
			out.Args[i] = &own
		}
	}
	return &out
}

// fieldOf returns the name of a field that code selects, as in row.name and row["name"].
func fieldOf(n *Node) string {
	if n.Kind == Index && len(n.Args) == 1 && n.Args[0].Kind == Text {
		return n.Args[0].Text
	}
	if n.Kind == Member {
		return n.Text
	}
	return ""
}

// addsRows records that a command's options come from a table, which may be in another file.
func (f *finder) addsRows(args []*Node, on string, at *Node) {
	if len(args) > 0 && args[0].Kind == Call {
		args = args[0].Args
	}
	if len(args) > 0 && (args[0].Kind == Name || args[0].Kind == Sum) && f.Commands.Table != nil {
		f.join(source.Fact{ID: Dotted(f.looping.over), Of: on}, at)
	}
}
