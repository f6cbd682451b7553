package surface

import (
	"cmp"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (f *finder) bind(n *Node) {
	was := f.routing.list
	f.environment(n)
	if len(n.Args) == 1 {
		name := last(n.Args[0])
		f.listedJobs(name, n.X)
		f.mapped(name, n.X)
		f.queue(n)
		if call := f.maker(n.X); call != nil {
			f.routing.ids[call] = f.scopedID(cmp.Or(name, n.Key))
		}
		for call := n.X; f.cmd.on && call != nil && call.Kind == Call; call = call.X.X {
			f.cmd.targets[call] = Dotted(n.Args[0])
			if call.X.Kind != Member || !f.Commands.Paths {
				break
			}
		}
		if f.depth == 1 || f.frame().name == "" {
			f.routing.list, f.cmd.within = name, name
		}
		if n.X != nil && n.X.Kind == Func && n.X.Text == "" && name != f.Routes.Default {
			n.X.Key = name
			if !f.Scoped {
				n.X.Text = name
			}
		}
		if name != "" && name == f.Routes.Default && n.X != nil {
			f.exports(n)
		}
	}
	if n.Key != "" && n.X != nil && n.X.Kind == Func && !f.Scoped {
		n.X.Key = n.Key
	}
	if n.Key != "" && n.Key == f.Sets && n.X != nil && n.X.Kind == Map {
		f.sets(n.X)
	}
	if n.Key != "" && n.X != nil && f.Routes.Named && f.frame().Node != nil && f.frame().Kind == Class {
		f.assign(n.Key, n)
	}
	f.visit(n.X)
	f.routing.list, f.cmd.within = was, ""
}

func (f *finder) target(to, bind *Node) {
	if name := Dotted(to); bind.X != nil && f.cmd.on && name != "" {
		id := ""
		if bind.X.Kind == Call {
			id = f.command(bind.X)
		} else if bind.X.Kind == Name || bind.X.Kind == Member {
			id = f.held(Dotted(bind.X))
		}
		if v := (&value{command: id}); id != "" && strings.Contains(name, ".") {
			f.vars[name] = v
		} else if id != "" {
			f.set(name, v)
		}
	}
	if f.Scoped && to.Kind == Name {
		f.holds(to.Text, bind)
	}
	if v := f.vars[to.Text]; to.Kind == Name && !f.Scoped && bind.X != nil && f.function() != nil {
		if (bind.X.Kind == Text || bind.X.Kind == List) && len(bind.Args) == 1 && bind.Text != "+=" {
			f.set(to.Text, &value{text: bind.X})
		} else if v != nil && v.text != nil {
			f.set(to.Text, &value{})
		}
	}
	if bind.X != nil && (to.Kind == Name || to.Kind == Member && f.Routes.Named) {
		f.assign(to.Text, bind)
	}
	if to.Kind == Member && f.Routes.Plain && f.Self[Dotted(to.X)] && bind.X != nil && calledPath(to.Text) {
		if text, ok := f.usually(bind.X, f.frame().Body, 3); ok && strings.Trim(text, "/") == "" {
			f.tell(source.Fact{Kind: source.Holds, ID: to.Text, Default: "/"}, bind)
		}
	}
	switch to.Kind {
	case Index, Member: // set, not read
		if to.Kind == Index && f.Scoped && bind.X != nil && f.routerOf(bind.X) != nil {
			f.set(f.Written(to), &value{router: f.routerOf(bind.X)})
		}
		if f.Scoped && !f.Routes.Functions && to.Text == "Handler" && bind.X != nil && bind.X.Kind == Call && to.X.Kind == Name { // the router inside a value
			f.mounts(f.mounted(bind.X, bind), &router{id: f.scopedID(to.X.Text)}, bind)
		}
		f.each(to.Args)
		if f.visit(to.X); bind.Text == "??=" || bind.Text == "||=" {
			f.env.tried, f.env.otherwise = to, bind.X
			f.look(to)
		}
		if f.Exits[Dotted(to)] && bind.X != nil {
			f.exit(to, bind.X, "")
		}
	case Map:
		from := bind.X
		if from != nil && from.Kind == Or && len(from.Args) > 0 {
			from = from.Args[0]
		}
		if f.isEnvironment(from) {
			f.destructured(to)
			break
		}
		for _, p := range to.Args {
			if p.Kind == Bind && p.X != nil && p.X.Kind == Bind { // its default
				f.visit(p.X.X)
			}
		}
	case List:
		for _, a := range to.Args {
			f.target(a, bind)
		}
	}
}

func (f *finder) loop(n *Node, names []*Node, over *Node) {
	f.visit(over)
	mark, rows := len(f.undo), f.rows(over)
	for i, name := range names {
		each := &value{}
		if v := f.vars[last(over)]; i == 0 {
			each.rows = rows
		} else if f.Scoped && v != nil {
			each.typ = v.element
		}
		f.set(name.Text, each)
	}
	f.overTable(over, Arg(names, "", 0), func() {
		if f.flow != nil {
			f.flow.iterate(n)
			return
		}
		f.statements(n.Body)
		f.statements(n.Else)
	})
	f.back(mark)
}
