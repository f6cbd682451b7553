package surface

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// nested walks the routes in a call: Mount("/api", routes=[…]).
func (f *finder) nested(n *Node, rule Mount) bool {
	routes := Arg(n.Args, rule.Routes, 1)
	if routes == nil || routes.Kind != List {
		return false
	}
	f.inside(f.routing.inside+f.path(n.Args[0]), routes)
	return true
}

func (f *finder) inside(path string, routes *Node) {
	was := f.routing.inside
	f.routing.inside = strings.TrimSuffix(path, "/")
	f.included(routes)
	f.visit(routes)
	f.routing.inside = was
}

// mapped adds the routes of a map: routes = { "GET /users": "users/index", "POST /users": { action: "users/create" } }.
func (f *finder) mapped(name string, value *Node) {
	if name == "" || name != f.Routes.Map || value == nil || value.Kind != Map {
		return
	}
	for _, p := range value.Args {
		text, ok := f.text(key(p))
		method, path, _ := strings.Cut(text, " ")
		if !ok || method == "" || strings.Trim(method, capitals) != "" || !strings.HasPrefix(path, "/") {
			continue
		}
		handler := p.X
		if action := property([]*Node{p.X}, "action"); action != nil {
			handler = action
		}
		if action, ok := f.text(handler); ok {
			handler = &Node{Kind: Name, Text: action}
		}
		f.tellRoute(&router{id: source.Program}, method, path, []*Node{handler}, p)
	}
}

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// mount reads app.include_router(router, prefix="/x"), app.use("/x", router) and app.register(routes, { prefix: "/x"
// }).
func (f *finder) mount(n *Node, rule Mount, on *router) {
	if rule.Into != "" && len(n.Args) > 0 {
		if v := f.vars[last(n.Args[0])]; rule.into(n) && v != nil && v.router != nil {
			f.mounts(Dotted(n.X.X), v.router, n)
		}
		return
	}
	if on == nil && (f.Routes.Named || f.Routes.Functions && len(n.Args) == 1) || len(n.Args) == 0 {
		return
	}
	if on == nil {
		on = &router{id: source.Program}
	}
	fact := source.Fact{Kind: source.Mount, Of: on.id, Name: on.prefix}
	args := n.Args
	if a := args[len(args)-1]; a.Kind == Call && len(a.Args) > 0 && f.Routes.Wraps[f.Library(Dotted(a.X))] {
		args = a.Args
	}
	switch {
	case rule.Prefix != "":
		path := property(args, rule.Prefix)
		if path == nil && rule.At > 0 {
			path = Arg(args, "", rule.At)
		}
		fact.Name = f.below(on.prefix, f.path(path))
		if a := Arg(args, "router", 0); a != nil {
			args = []*Node{a}
		}
	case rule.Path && f.Scoped && len(args) == 2:
		fact.Name, args = f.below(on.prefix, f.path(args[0])), args[1:]
	case rule.Path && len(args) > 1:
		if path := f.path(args[0]); path == "" || f.isPath(path, &router{made: true}, false) {
			fact.Name, args = f.below(on.prefix, path), args[1:]
		}
	}
	if f.Routes.Functions {
		f.optional(n.Args[0])
	}
	if inner := cmp.Or(f.maker(args[0]), args[0]); f.Routes.Functions && (inner.Kind == Func || f.maker(inner) != nil) {
		f.routing.given[inner] = &router{id: on.id, prefix: fact.Name, made: true}
		return
	}
	for i := len(args) - 1; i >= 0 && fact.ID == ""; i-- {
		if fact.ID = f.mounted(args[i], n); fact.ID != "" && f.Routes.Named {
			fact.Value = strings.Join(f.wrappers(args[:i]), ", ")
		}
	}
	if fn := f.declared(); fact.ID == "" && parameter(fn, args[len(args)-1]) >= 0 && takesParameter(fn, fact.Name) {
		fact.ID = parameterOf(fn.Text)
		for _, p := range fn.Args {
			fact.Name = strings.TrimSuffix(fact.Name, source.Placeholder(p.Text))
		}
		f.routing.mounting = append(f.routing.mounting, fn.Text)
	}
	if fact.ID != "" && fact.ID != fact.Of {
		f.tell(fact, n)
	}
}

// into reports whether the receiver of a call is mounted on its argument.
func (m Mount) into(n *Node) bool {
	return n.X.Kind == Member && strings.Contains(strings.ToLower(Dotted(n.X.X)), m.Into)
}

// mountsBy mounts the router that a call gives to a function, perhaps of another file, after a path, if the name of the
// function says so: s.MountRouter("/api", api.New()).
func (f *finder) mountsBy(n *Node) bool {
	at := len(n.Args) - 2
	if _, known := f.Routes.Mounts["."+last(n.X)]; known || f.Routes.Functions || at < 0 || !isVerb(last(n.X), "mount") {
		return false
	}
	path, id, of := f.path(n.Args[at]), f.mounted(n.Args[at+1], n), source.Program
	if id == "" || !f.isPath(path, &router{made: true}, false) {
		return false
	}
	if made := f.made(n.X); made != "" {
		of = parameterOf(made)
	}
	f.tell(source.Fact{Kind: source.Mount, ID: id, Of: of, Name: path, Usage: source.Handed}, n)
	return true
}

// optional records that a path begins with a variable of the function that may be empty: the configured base of all paths.
func (f *finder) optional(path *Node) {
	name, _, _ := strings.Cut(strings.TrimPrefix(f.path(path), "$("), ")")
	f.Steps(len(f.Src) / bytesOfStep)
	if f.vars[name] != nil && calledPath(name) && (path.Kind == Sum || f.Mentions(name+".is_empty()")) {
		f.once(source.Fact{Kind: source.Holds, ID: name, Name: name, Default: "/"}, path)
	}
}

// bytesOfStep is how many bytes that are searched for a word count as a step.
const bytesOfStep = 64

func (f *finder) mounted(n, call *Node) string {
	switch {
	case f.Scoped:
		if r := f.routerOf(n); r != nil {
			return r.id
		}
		if n.Kind == Call && !f.Routes.Passing[Dotted(n.X)] {
			return f.made(n.X)
		}
		if f.Routes.Functions {
			return f.made(n)
		}
		if v := f.vars[n.Text]; n.Kind == Name && v != nil && v.result {
			return v.typ
		}
		return ""
	case !f.Routes.Named && n.Kind == Call && Dotted(n.X) != "": // a function that makes a router
		return Dotted(n.X)
	case !f.Routes.Named && n.Kind == Name && f.vars[n.Text] != nil && f.vars[n.Text].router != nil:
		return f.vars[n.Text].router.id
	case !f.Routes.Named:
		return f.handler(n, 0)
	case n.Kind == Name:
		if v := f.vars[n.Text]; v != nil && v.router != nil {
			return v.router.id
		}
		return cmp.Or(f.required(n), n.Text)
	case n.Kind == Func && len(n.Args) > 0 && n.Args[0].Kind == Name && f.Routes.Mounts["."+last(call.X)].Prefix != "":
		id := n.Args[0].Text + "@" + last(call.X) + strconv.Itoa(int(call.X.Line))
		f.routing.given[n] = &router{id: id}
		return id
	case n.Kind == Call && f.required(n) != "":
		return f.required(n)
	case n.Kind == Call && n.X.Kind == Name:
		if c := f.constant(n.X); f.functions[n.X.Text] != nil || c != nil && c.Kind == Func {
			return n.X.Text
		}
		if lower := strings.ToLower(n.X.Text); strings.Contains(lower, "router") || strings.Contains(lower, "routes") {
			return parameterOf(n.X.Text)
		}
	case n.Kind == Member && f.Self[Dotted(n.X)] && slices.Contains(f.Routes.Routers, n.Text):
		return n.Text
	case n.Kind == Member && n.X.Kind == Name && !slices.Contains(f.Routes.Itself, "."+n.Text) && (len(call.Args) > 1 || f.Routes.IsRouter(n.Text)):
		return Dotted(n)
	case n.Kind == Call && n.X.Kind == Member, n.Kind == Member:
		if n.Kind == Call {
			n = n.X
		}
		if slices.Contains(f.Routes.Itself, "."+n.Text) {
			if class := f.objectClass(n.X); class != "" {
				return class
			}
			return f.mounted(n.X, call)
		}
	}
	return ""
}

// handOver mounts a function that receives a router of this file.
func (f *finder) handOver(n *Node) {
	name := Dotted(n.X)
	owner, _, _ := strings.Cut(name, ".")
	if _, makes := f.makerRule(n); makes || f.vars[owner] != nil {
		return
	}
	for _, a := range n.Args {
		if v := f.vars[a.Text]; name != "" && a.Kind == Name && v != nil && v.router != nil && v.router.made {
			f.mounts(parameterOf(name), v.router, n)
			return
		}
	}
}

// required returns the place of the file that a call or constant imports as a whole.
func (f *finder) required(n *Node) string {
	if n = f.follow(n); n.Kind == Call && f.Place != nil && len(n.Args) == 1 && n.Args[0].Kind == Text && (n.X.Is("require") || n.X.Is("import")) {
		return f.Place(n.Args[0].Text)
	}
	return ""
}

// exports records the router that a file exports as its default or by name in an object, or an exported function that
// takes one.
func (f *finder) exports(n *Node) {
	switch {
	case n.X.Kind == Name:
		fact := source.Fact{Kind: source.Mount, ID: n.X.Text, Of: n.Args[0].Text}
		if r := f.routerOf(n.X); r != nil && r.part || f.classes[n.X.Text] != nil {
			fact.Usage = source.Handed
		}
		f.tell(fact, n.X)
	case f.routerOf(n.X) == nil && f.objectClass(n.X) != "":
		f.tell(source.Fact{Kind: source.Mount, ID: f.objectClass(n.X), Of: n.Args[0].Text}, n.X)
	case n.X.Kind == Map:
		for _, p := range n.X.Args {
			if p.Kind == Bind && p.Key != "" && p.X != nil && (f.required(p.X) != "" || p.X.Kind == Name && p.X.Text != p.Key && f.routerOf(p.X) != nil) {
				f.tell(source.Fact{Kind: source.Mount, ID: cmp.Or(f.required(p.X), p.X.Text), Of: p.Key}, p)
			}
		}
	case n.X.Kind == Class && f.extendsRouter(n.X):
		if n.X.Text == "" {
			n.X.Text = n.Args[0].Text
		}
		f.mountOf(n.X.Text, n.Args[0].Text, n.X)
	case n.X.Kind != Func:
	case len(n.X.Args) > 0 && f.Routes.IsRouter(n.X.Args[0].Text):
		f.routing.given[n.X] = &router{id: n.Args[0].Text}
	case n.X.Text == "" && f.Routes.Named:
		n.X.Text = n.Args[0].Text
	case strings.Contains(n.X.Text, "Router"):
		f.tell(source.Fact{Kind: source.Mount, ID: n.X.Text, Of: n.Args[0].Text}, n.X)
	}
}

// mostIncluded bounds the nesting of inline lists of paths.
const mostIncluded = 32

// listed reads path("x/", view) and path("x/", include("app.urls")) in a named list.
func (f *finder) listed(n *Node, rule RouteRule) bool {
	if len(n.Args) < 2 || !f.Mentions(f.Routes.List) || f.depth > 2*mostIncluded {
		return false
	}
	f.Steps(len(f.frame().Args))
	path, view := f.path(n.Args[0]), n.Args[1]
	if in := f.function(); in != nil && slices.ContainsFunc(in.Args, func(p *Node) bool { return n.Args[0].Is(p.Text) }) {
		f.routing.adds[in.Text] = &router{}
		return true
	}
	if rule.Pattern {
		path = strings.TrimSuffix(strings.TrimPrefix(path, "^"), "$")
	}
	path = f.routing.inside + "/" + strings.TrimPrefix(path, "/")
	list := cmp.Or(f.routing.list, f.Routes.List)
	if view.Kind != Call || !view.X.Is(rule.Listed) || len(view.Args) == 0 {
		handler, urls := strings.CutSuffix(strings.TrimPrefix(f.handler(view, 0), source.Anonymous), ".urls")
		if urls && !strings.HasSuffix(last(view.X), "site") {
			f.tell(source.Fact{Kind: source.Mount, ID: handler, Of: list, Name: path}, n)
		} else {
			f.tell(source.Fact{Kind: source.Route, Name: path, Of: list, Value: handler}, n)
		}
		return true
	}
	what := view.Args[0]
	if what.Kind == List && len(what.Args) == 2 && what.Args[1].Kind == Text { // with a namespace
		what = what.Args[0]
	}
	fact := source.Fact{Kind: source.Mount, ID: strings.TrimSuffix(f.handler(what, 0), ".urls"), Of: list, Name: path}
	switch what.Kind {
	case Text:
		fact.ID = source.PlaceID(strings.ReplaceAll(what.Text, ".", "/"), f.Routes.List)
	case List:
		f.inside(path, what)
		return true
	}
	if fact.ID != "" {
		f.tell(fact, n)
	}
	return true
}
