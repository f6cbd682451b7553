package surface

import (
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// isEnvironment reports whether a value holds the environment variables.
func (f *finder) isEnvironment(n *Node) bool {
	name := Dotted(n)
	return name != "" && (f.env.objects[name] || f.Env.Objects[f.Library(name)])
}

// environment records that a variable holds the environment, a copy, a service or a proxy.
func (f *finder) environment(n *Node) {
	f.serviceOf(n)
	if f.Env.Types == nil || n.X == nil || len(n.Args) != 1 || n.Args[0].Kind != Name {
		return
	}
	name, is := n.Args[0].Text, f.isEnvironment(n.X)
	switch n.X.Kind {
	case Call: // that wraps it
		is = len(n.X.Args) > 0 && f.isEnvironment(n.X.Args[0]) && (name == f.Routes.Default || IsEnvironment(name))
	case Map:
		is = slices.ContainsFunc(n.X.Args, func(a *Node) bool { return a.Kind == Operator && a.Text == "..." && f.isEnvironment(a.Args[0]) })
	}
	switch {
	case is:
		f.env.objects[name] = true
		if f.depth == 1 {
			f.tell(source.Fact{Kind: source.Reads, ID: name}, n)
		}
	case n.X.Kind == Call && f.Env.Proxies[Dotted(n.X.X)] && len(n.X.Args) == 2:
		f.proxy(name, n.X)
	}
}

// serviceOf records that a variable, parameter or field has a type with access to the environment.
func (f *finder) serviceOf(n *Node) {
	if n.Type == nil || !f.Env.Types[n.Type.Text] || !f.Mentions(f.Env.Service) {
		return
	}
	name := n.Text
	if n.Kind == Bind {
		name = n.Key
		if len(n.Args) == 1 && name == "" {
			name = Dotted(n.Args[0])
		}
	}
	for self := range f.Self {
		f.env.services[self+"."+name] = true
	}
	f.env.services[name] = true
}

// proxy records that a function computes the members of a value from their names.
func (f *finder) proxy(name string, n *Node) {
	get, of := property(n.Args[1:], "get"), called(f.follow(n.Args[0]))
	if get == nil || get.Kind != Func || len(get.Args) < 2 {
		return
	}
	given := func(a []*Node) bool { return len(a) > 0 && a[0].Is(get.Args[1].Text) }
	fact := source.Fact{Kind: source.Reads, ID: name}
	f.everywhere(func(c *Node) {
		switch {
		case c.Kind == Call && c.X.Kind == Member && c.X.X.Is(get.Args[0].Text) && given(c.Args) && Dotted(of) != "":
			fact.Of = Dotted(of) + "." + c.X.Text
		case c.Kind == Index && f.isEnvironment(c.X) && given(c.Args):
			fact.Of = name
		}
	}, get)
	if fact.Of == name {
		fact.Of, f.env.proxied[get] = "", true
	} else if fact.Of == "" {
		return
	}
	f.tell(fact, n)
}

// everywhere visits nodes, and all that is in them.
func (f *finder) everywhere(visit func(*Node), nodes ...*Node) {
	depth := 0
	var walk func(list []*Node)
	walk = func(list []*Node) {
		for _, n := range list {
			if n == nil || depth > deepest {
				continue
			}
			f.Step()
			visit(n)
			depth++
			walk([]*Node{n.X})
			walk(n.Args)
			walk(n.Body)
			walk(n.Else)
			depth--
		}
	}
	walk(nodes)
}

// through records a member that may be a variable, of a value whose name suggests an environment.
func (f *finder) through(n *Node) {
	if n.Kind != Member || f.Env.Types == nil || n.X.Kind != Name || !IsVariable(n.Text) || !IsEnvironment(n.X.Text) {
		return
	}
	fact := source.Fact{Kind: source.Env, Name: n.Text, Of: n.X.Text}
	if or := f.or(n); or != nil {
		fact.Default, fact.Usage = f.otherwise(or)
	}
	f.once(fact, n)
}

// IsEnvironment reports whether a name is usual for objects that hold the environment.
func IsEnvironment(name string) bool {
	return endsIn(strings.ToLower(name), "env", "environment", "config")
}

// field returns the values of a field in all objects of the file, if they are variable names.
func (f *finder) field(name string) []row {
	if f.env.fields == nil {
		f.env.fields = map[string][]row{}
		makers := map[string][]*Node{}
		f.everywhere(func(c *Node) { f.madeBy(c, makers) }, f.Body...)
		f.everywhere(func(c *Node) { f.fieldOf(c, makers) }, f.Body...)
	}
	return f.env.fields[name]
}

// madeBy records a function that returns an object with its parameters as fields: in the key of each, with its position
// as line.
func (f *finder) madeBy(n *Node, makers map[string][]*Node) {
	name := n.Text
	if n.Kind == Bind && n.X != nil && len(n.Args) == 1 {
		name, n = last(n.Args[0]), n.X
	}
	if n.Kind != Func || name == "" {
		return
	}
	position := map[string]int{}
	for at, p := range n.Args {
		position[p.Text] = at
	}
	f.results(n.Body, func(x *Node) {
		for _, b := range x.Args {
			if x.Kind != Map || b.Kind != Bind || b.Key == "" || b.X == nil || b.X.Kind != Name || len(makers[name]) >= mostRows {
				continue
			}
			if at, ok := position[b.X.Text]; ok {
				makers[name] = append(makers[name], &Node{Key: b.Key, Line: int32(at)})
			}
		}
	})
}

func (f *finder) fieldOf(n *Node, makers map[string][]*Node) {
	if n.Kind == Call && n.X.Kind == Name {
		for _, p := range makers[n.X.Text] {
			f.Step()
			if int(p.Line) < len(n.Args) {
				f.fieldOf(&Node{Kind: Bind, Key: p.Key, X: n.Args[p.Line]}, nil)
			}
		}
	}
	if n.Kind != Bind || n.Key == "" || n.X == nil {
		return
	}
	rows := f.env.fields[n.Key]
	for _, v := range elements(n.X) {
		if v.Kind == Text && IsVariable(v.Text) && len(rows) < mostRows {
			rows = append(rows, row{key: v})
		}
	}
	if rows != nil {
		f.env.fields[n.Key] = rows
	}
}

// parameter records that a function reads the variable named by its parameter, for a later position or a returned
// value.
func (f *finder) parameter(name *Node) bool {
	if name.Kind != Name || f.Env.Types == nil || f.vars[name.Text] != nil {
		return false
	}
	for i := len(f.frames) - 1; i > 0; i-- {
		in := f.frames[i]
		f.Steps(len(in.Args))
		at := slices.IndexFunc(in.Args, func(p *Node) bool { return p.Is(name.Text) })
		if in.Kind != Func || at < 0 {
			continue
		}
		if in.Text == "" || f.env.proxied[in.Node] {
			return f.env.proxied[in.Node]
		}
		if f.env.takes[in.Text] == nil {
			f.env.takes[in.Text] = map[int]*Node{}
		}
		f.env.takes[in.Text][at] = name
		return true
	}
	return false
}

func (f *finder) taken() {
	for _, fn := range slices.Sorted(maps.Keys(f.env.takes)) {
		at := f.env.takes[fn]
		for _, i := range slices.Sorted(maps.Keys(at)) {
			read := at[i]
			fact, known := source.Fact{Kind: source.Env, Name: source.Unknown}, false
			for _, call := range f.env.given[fn] {
				f.Step()
				if i < len(call.Args) && call.Args[i].Kind == Text && IsVariable(call.Args[i].Text) {
					fact.Name, known = call.Args[i].Text, true
					f.once(fact, call)
				}
			}
			if !known {
				f.once(fact, read)
			}
		}
	}
}

// variableTable adds the variables of a table that a call receives with the environment, or among its arguments.
func (f *finder) variableTable(n *Node) {
	table := f.Env.Tables[last(n.X)]
	var all []*Node
	for _, a := range n.Args {
		switch {
		case f.isEnvironment(a):
			table = true
			if n.X.Kind == Member {
				all = append(all, n.X.X)
			}
		case a.Kind == Map:
			for _, p := range a.Args {
				if p.X != nil && f.Env.Tables[p.Key] {
					f.described(p.X, 0)
				} else if p.X != nil && table {
					all = append(all, p.X)
				}
			}
		}
	}
	if table {
		for _, a := range append(all, n.Args...) {
			f.described(a, 0)
		}
	}
}

func (f *finder) described(n *Node, depth int) {
	switch n = f.follow(n); {
	case depth > mostParts || f.built[n]:
	case n.Kind == Call:
		f.built[n] = true
		for _, a := range n.Args {
			f.described(a, depth+1)
		}
		f.described(n.X, depth+1)
	case n.Kind == Member:
		f.described(n.X, depth+1)
	case n.Kind == Map:
		f.built[n] = true
		for _, p := range n.Args {
			if p.Kind == Bind && p.X != nil && p.X.Kind == Call && IsVariable(p.Key) {
				f.once(f.describedBy(p), p)
			}
		}
	}
}

// describedBy returns a variable with the details in its description's calls.
func (f *finder) describedBy(p *Node) source.Fact {
	fact := source.Fact{Kind: source.Env, Name: p.Key, Usage: source.Required}
	for c := p.X; c != nil && c.Kind == Call; c = c.X.X {
		or, about := property(c.Args, "default"), property(c.Args, "desc")
		if len(c.Args) > 0 {
			switch last(c.X) {
			case "default", "catch":
				or = c.Args[0]
			case "describe", "description":
				about = c.Args[0]
			}
		}
		switch last(c.X) {
		case "optional", "nullish", "nullable", "option":
			fact.Usage = ""
		}
		if or.Is("false") {
			fact.Default, fact.Usage = or.Text, ""
		} else if or != nil {
			fact.Default, fact.Usage = f.otherwise(or)
		}
		if text, ok := f.text(about); ok {
			fact.Help = text
		}
	}
	return fact
}
