package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// at returns the router with another prefix.
func (r *router) at(prefix string) *router {
	copied := *r
	copied.prefix = prefix
	return &copied
}

// IsRouter reports whether a name is usual for routers.
func (r *RouteRules) IsRouter(name string) bool {
	for _, end := range r.Routers {
		if name == end || end[0] >= 'A' && end[0] <= 'Z' && strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// routerOf returns the router that a node evaluates to, or nil.
func (f *finder) routerOf(n *Node) *router {
	switch n.Kind {
	case Name:
		if v := f.vars[n.Text]; v != nil && v.router != nil {
			return v.router
		}
		if f.Self[n.Text] {
			return f.based()
		}
		if !f.Scoped && (!f.Routes.Named || f.Routes.IsRouter(n.Text)) {
			return &router{id: n.Text}
		}
	case Member:
		if r := f.based(); r != nil && f.Self[Dotted(n.X)] && f.Routes.IsRouter(n.Text) && f.vars[n.Text] == nil {
			r.based = false // it has the framework's methods
			return r
		}
		if f.Routes.Named && f.Routes.IsRouter(n.Text) {
			return f.routerOf(&Node{Kind: Name, Text: n.Text})
		}
		if f.Routes.Fields[strings.ToLower(n.Text)] && n.X.Kind == Name {
			return &router{id: f.member(n), made: true}
		}
		if id := f.member(n); f.Scoped && id != "" && f.Routes.Types[last(f.fieldType(id))] {
			return &router{id: id, made: true}
		}
	case Operator:
		if n.Text == "type" && n.Type != nil && f.Routes.Types[last(pointed(n.Type))] {
			return &router{id: f.member(n.Args[0]), made: true}
		}
	case Index:
		if v := f.vars[f.Written(n)]; f.Scoped && v != nil {
			return v.router
		}
	case Call:
		if id, makes := f.routing.ids[n]; makes {
			return f.makes(n, id)
		}
		if _, makes := f.makerRule(n); makes && f.Routes.Functions {
			return f.makes(n, f.frame().name)
		}
		if n.X.Kind == Member && f.depth < deepest {
			if r := f.chained(n); r != nil || f.Routes.Above == "" {
				return r
			}
		}
		if name := last(n.X); f.Routes.Above != "" && strings.HasPrefix(name, "New") && strings.HasSuffix(name, f.Routes.Above) && len(n.Args) > 0 && f.depth < deepest {
			f.depth++
			defer func() { f.depth-- }()
			return f.routerOf(n.Args[len(n.Args)-1])
		}
	}
	return nil
}

// based returns the router that the class of a method has from its base class, or nil.
func (f *finder) based() *router {
	if in := f.class(); in != nil && f.extendsRouter(in.Node) {
		return &router{id: in.name, made: true, based: true, inherited: true}
	}
	return nil
}

func (f *finder) extendsRouter(class *Node) bool {
	return f.Routes.Bases != "" && len(class.Args) > 0 && strings.HasSuffix(last(class.Args[0]), f.Routes.Bases)
}

func (f *finder) chained(n *Node) *router {
	_, registers := f.Routes.Calls["."+n.X.Text]
	_, mounts := f.Routes.Mounts["."+n.X.Text]
	chain, ok := f.Routes.Chains[n.X.Text]
	if mounts && f.Scoped && !f.Routes.Functions && len(n.Args) == 1 {
		chain, ok = Chain{Below: true}, true // returns what is below
	}
	ok = ok || f.Routes.Functions || strings.HasPrefix(n.X.Text, "With") && n.X.Text != "WithPrefix" // configures the router
	if !ok && !registers && !mounts {
		return nil
	}
	f.depth++
	on := f.routerOf(n.X.X)
	f.depth--
	if on == nil || len(n.Args) == 0 && !chain.Sub {
		return on
	}
	r := *on
	f.Steps(1 + len(r.with))
	switch {
	case chain.Below:
		if n.Args[0].Kind != Func {
			r.prefix = f.below(r.prefix, f.path(n.Args[0]))
		}
		r.whole = chain.Whole
		r.with = append(slices.Clone(r.with), f.wrappers(n.Args[1:])...)
	case chain.Path && len(n.Args) == 1:
		r.path = f.path(n.Args[0])
	case chain.Verbs:
		r.methods = f.verbs(n.Args)
	case chain.Wraps:
		r.with = append(slices.Clone(r.with), f.wrappers(n.Args)...)
	case chain.Sub:
		r.whole = false
	}
	return &r
}

// maker returns the call that creates the receiver of a method chain.
func (f *finder) maker(n *Node) *Node {
	for n != nil && n.Kind == Call {
		f.Step()
		if _, makes := f.makerRule(n); makes {
			return n
		}
		if n.X.Kind != Member {
			return nil
		}
		n = n.X.X
	}
	return nil
}

func (f *finder) makerRule(n *Node) (Maker, bool) {
	if f.Scoped {
		rule, makes := f.Routes.Makers[f.Library(Dotted(n.X))]
		return rule, makes
	}
	name := last(n.X)
	rule, makes := f.Routes.Makers[name]
	if class := f.classes[name]; !makes && class != nil && len(class.Args) > 0 {
		rule, makes = f.Routes.Makers[last(class.Args[0])]
		makes = makes && rule.Base
	}
	if !makes && name != "" && name[0] >= 'A' && name[0] <= 'Z' {
		for base, r := range f.Routes.Makers { // no two have the same suffix
			if r.Base && strings.HasSuffix(name, base) {
				return r, true
			}
		}
	}
	return rule, makes
}

func (f *finder) makes(n *Node, id string) *router {
	rule, _ := f.makerRule(n)
	r := &router{id: id, made: true, early: rule.Early}
	if in := f.routing.given[n]; in != nil {
		*r = *in
	}
	if r.whole = rule.Below; rule.Below && len(n.Args) > 0 {
		r.prefix = f.below(r.prefix, f.path(n.Args[0]))
	}
	if rule.Prefix != "" && !rule.Fallback {
		r.prefix = f.path(property(n.Args, rule.Prefix))
	}
	return r
}

// factory mounts the routes of a function that makes a router with the prefix in one of its arguments.
func (f *finder) factory(name string, bind *Node) {
	call := bind.X
	if f.Routes.Factory == "" || call.Kind != Call || f.function() != nil || !strings.Contains(Dotted(call.X), f.Routes.Factory) {
		return
	}
	for _, a := range call.Args {
		if text, ok := f.text(a); ok && strings.HasPrefix(text, "/") {
			f.mounts(Dotted(call.X), &router{id: name, prefix: text}, bind)
			return
		}
	}
}

// mountOf records that the code hands out a router as a part of something else.
func (f *finder) mountOf(id, of string, at *Node) {
	if id != of {
		f.tell(source.Fact{Kind: source.Mount, ID: id, Of: of, Usage: source.Handed}, at)
	}
}

// objectClass returns the class of the object in a variable, a field or a call; empty for others.
func (f *finder) objectClass(n *Node) string {
	if _, makes := f.makerRule(n); n.Kind == Call && n.X.Kind == Name && !makes && n.X.Text[0] >= 'A' && n.X.Text[0] <= 'Z' {
		return n.X.Text
	}
	if f.routing.made == nil {
		f.routing.made = map[string]string{}
		f.everywhere(func(b *Node) {
			if b.Kind != Bind || b.X == nil || b.X.Kind != Call || len(b.Args) != 1 {
				return
			}
			class := f.objectClass(b.X)
			if f.routing.made[Dotted(b.Args[0])] = class; b.Key != "" {
				for self := range f.Self {
					f.routing.made[self+"."+b.Key] = class
				}
			}
		}, f.Body...)
	}
	return f.routing.made[Dotted(n)]
}

// property returns the argument with the first of the keys that one has: a keyword, or a key of an object.
func property(args []*Node, keys ...string) *Node {
	for _, key := range keys {
		for _, a := range args {
			if a.Key == key {
				return a
			}
			at := slices.IndexFunc(a.Args, func(p *Node) bool {
				return a.Kind == Map && p.Kind == Bind && (p.Key == key || p.Key == "" && len(p.Args) == 1 && p.Args[0].Kind == Text && p.Args[0].Text == key)
			})
			if at >= 0 {
				return a.Args[at].X
			}
		}
	}
	return nil
}

func (f *finder) assign(name string, bind *Node) {
	if name == f.Routes.List {
		f.included(bind.X)
	}
	call := f.maker(bind.X)
	if call == nil {
		f.factory(name, bind)
		if maker := bind.X; f.Routes.Handed && maker.Kind == Call && Dotted(maker.X) != "" && f.function() != nil && f.vars[name] == nil { // a function may make one
			f.set(name, &value{router: &router{id: Dotted(maker.X)}})
		}
		return
	}
	rule, _ := f.makerRule(call)
	r := f.routerOf(bind.X)
	if r == nil {
		return
	}
	prefix := f.path(property(call.Args, rule.Prefix))
	if first := Arg(call.Args, "", 0); rule.Named && prefix == "" && first != nil {
		prefix = "/" + f.path(first)
	} else if rule.On && first != nil && Dotted(first) != "" {
		f.mounts(name, &router{id: f.handler(first, 0)}, bind)
	}
	if rule.Under {
		f.mounts(name, &router{id: Dotted(call.X.X), prefix: prefix}, bind)
	}
	if rule.Root {
		f.tellRoute(r, "GET", "/", nil, bind)
	}
	if rule.Fallback && prefix != "" {
		f.tell(source.Fact{Kind: source.Mount, ID: r.id, Of: source.Program, Name: prefix, Usage: source.Fallback}, bind)
	}
	r.path = ""
	f.set(name, &value{router: r})
	if r.part = f.Routes.Parts[f.Library(Dotted(call.X))]; r.part && r.id != "" {
		f.mountOf(r.id, source.Program, bind)
	}
	if in := f.class(); in != nil && bind.Args[0].Kind != Name && (r.part || f.Routes.Named && strings.HasSuffix(strings.ToLower(name), "router")) {
		f.mountOf(r.id, in.name, bind)
	}
}

// methods returns the listed HTTP methods. The default is GET; a computed list means any method.
func (f *finder) methods(args []*Node) []string {
	list := Arg(args, "methods", -1)
	if list == nil {
		return []string{"GET"}
	}
	var out []string
	for _, m := range list.Args {
		text, ok := f.text(m)
		if !ok {
			return []string{""}
		}
		out = append(out, strings.ToUpper(text))
	}
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

// object reads a route object: { method: "GET", url: "/path", handler }.
func (f *finder) object(on *router, n *Node) {
	method, ok := f.text(property(n.Args, "method"))
	url := f.path(property(n.Args, "url", "path"))
	if url == "" && on.based {
		url = "/"
	}
	if !ok || !f.isPath(url, on, false) {
		return
	}
	var handlers []*Node
	for _, key := range []string{"preHandler", "handler"} {
		if h := property(n.Args, key); h != nil {
			handlers = append(handlers, h)
		}
	}
	f.tellRoute(on, strings.ToUpper(method), f.below(on.prefix, url), handlers, n)
}
