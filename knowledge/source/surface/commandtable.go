package surface

import "github.com/causaldocs/causal/knowledge/source"

// tableRule reads the rows of a table of options, by keys.
func (f *finder) tableRule() CommandRule {
	return CommandRule{Part: Option, Dash: "--", Roles: f.Commands.Table}
}

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
					f.option(f.tableRule(), []*Node{row}, "", name, row)
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

// addsRows notes that a loop adds an option for each row of a table, which another file may have.
func (f *finder) addsRows(over *Node, body []*Node) {
	if !f.cmd.on || f.Commands.Table == nil || over == nil || over.Kind != Name {
		return
	}
	for _, s := range body {
		f.everywhere(s, 0, func(n *Node) {
			if n.Kind != Call || n.X.Kind != Member || len(n.Args) == 0 {
				return
			}
			rule, spec := f.Commands.Calls["."+n.X.Text], n.Args[0]
			if rule.Part == Given && spec.Kind == Call && len(spec.Args) > 0 {
				spec = spec.Args[0]
			}
			if on := f.held(Dotted(n.X.X)); on != "" && (rule.Part == Option || rule.Part == Given) && (spec.Kind == Name || spec.Kind == Sum) {
				f.join(source.Fact{ID: over.Text, Of: on}, over)
			}
		})
	}
}
