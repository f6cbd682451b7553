package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// RouteRules say how frameworks register routes.
type RouteRules struct {
	Decorators map[string]RouteRule // by the last element of their names; the function below is the handler
	Calls      map[string]RouteRule // of functions, and of methods of any value, which begin with a dot
	Makers     map[string]Maker     // functions that make a router, by their last names
	Chains     map[string]Chain     // methods of a router that give one
	Mounts     map[string]Mount     // functions, and methods with a dot, that put a router behind a path
	Itself     []string             // methods of a handler that return the handler
	Routers    []string             // how the names of routers end
	Default    string               // the name of the default export
	Named      bool                 // only values with such a name, and routers made in the file, register routes
	Plain      bool                 // a path is added to what comes before it, whatever slashes they have
	Types      map[string]bool      // types of parameters that are routers, by their names behind that of a package
	Fields     map[string]bool      // fields that hold routers
	Verbs      map[string]bool      // the methods of HTTP, where an argument or the beginning of a path may be one
	Verb       string               // what comes before their names in constants
	Passing    map[string]bool      // conversions
	Strip      string               // the function that takes a prefix away before a router
	Table      [3]map[string]bool   // the fields of a literal with a path, a handler and a method
	List       string               // the usual name of a list of paths
}

// RouteRule says how a call registers a route.
type RouteRule struct {
	Method  string // of HTTP; AnyOf
	Path    int    // the position of the path
	Handler string // the keyword of the handler, which otherwise follows the path
	First   bool   // the handler is the first argument
	All     bool   // all behind the path are handlers: what wraps the last one comes before it
	Object  bool   // an object has method, url, preHandler and handler
	Listed  string // the call is part of a list of paths; the function that includes other lists
	Pattern bool   // the path is a regular expression
	Verb    bool   // a method of HTTP may come before the path
	Known   bool   // only routers have such a method
	Views   bool   // the handler is a class with a method for each route
}

// AnyOf is the method of a rule where the argument "methods" says which.
const AnyOf = "*"

// Maker says how a call makes a router.
type Maker struct {
	Prefix   string // the argument with what comes before its paths
	Fallback bool   // the prefix counts only where the router is mounted without one
	Early    bool   // handlers come before what wraps them
	Base     bool   // so do functions whose names end alike: classes that extend it
	Named    bool   // without a prefix, the first argument is it
	On       bool   // it adds to the router that is the first argument
	Root     bool   // it has a route of its own
}

// Chain is the effect of a method that returns a router.
type Chain struct {
	Below bool // its argument comes before the paths of the result
	Path  bool // its argument is the path of the next route
	Verbs bool // its arguments are the methods of the next route
	Wraps bool // its arguments wrap the handlers; behind a path others do
	Whole bool // a handler answers all that is behind the path
	Sub   bool // a handler does so no more
}

// Mount says where a call has a router and a path.
type Mount struct {
	Prefix string // the keyword of the path
	Path   bool   // the path is the first of several arguments
	Routes string // the argument with a list of routes, which follow
	At     int    // the position of the path, behind the router
}

// router is the state of a router.
type router struct {
	id, prefix, path string
	made             bool // here, or given as one
	whole, early     bool // see Chain and Maker
	with, methods    []string
}

type routeState struct {
	inside  string             // the path of the list of routes that is open
	list    string             // its name
	ids     map[*Node]string   // IDs of the routers that calls make
	given   map[*Node]*router  // what functions are given first
	passing map[*Node]bool     // functions that return their argument, possibly with a prefix
	verbs   map[*Node][]string // the methods of calls that others ask for
	adds    map[string]*router // functions that register the path that they are given first
}

// decorated adds the routes from the decorators of a function.
func (f *finder) decorated(n *Node) {
	for _, m := range n.Marks {
		rule, ok := RouteRule{}, false
		if m.Kind == Call && m.X.Kind == Member {
			rule, ok = f.Routes.Decorators[m.X.Text]
		}
		if !ok || strings.HasPrefix(Dotted(m.X), "mock.") {
			continue
		}
		on := f.routerOf(m.X.X)
		if on == nil {
			on = &router{}
		}
		f.register(rule, on, m, &Node{Kind: Name, Text: n.Text}, m)
	}
}

// route reads a call that registers a route or mounts a router; true where it has walked the arguments.
func (f *finder) route(n *Node) bool {
	if n.X.Kind != Name && n.X.Kind != Member {
		return false
	}
	if calls := f.perRow(n); calls != nil {
		was := f.looping
		f.looping = loop{} // a row may lack a field, or have one of itself
		for _, call := range calls {
			f.route(call)
		}
		f.looping = was
		return false
	}
	name := n.X.Text
	var on *router
	if n.X.Kind == Member {
		on = f.routerOf(n.X.X)
		if rule, ok := f.Routes.Calls[f.owned(n.X)]; ok {
			f.register(rule, &router{}, n, nil, n)
			return false
		}
		name = "." + name
	}
	if f.Scoped && f.scoped(n, on) {
		return false
	}
	if mount, ok := f.Routes.Mounts[name]; ok {
		if mount.Routes != "" {
			return f.nested(n, mount)
		}
		f.mount(n, mount, on)
	}
	rule, ok := f.Routes.Calls[name]
	switch {
	case !ok, on == nil && (f.Routes.Named || rule.Known):
		return false
	case rule.Listed != "":
		return f.listed(n, rule)
	case on == nil:
		on = &router{made: f.Scoped && Dotted(n.X.X) == "http"}
	}
	f.register(rule, on, n, nil, n)
	return false
}

// owned is the name of a function of a package that rules are about.
func (f *finder) owned(n *Node) string {
	if n.X.Kind == Name && f.Rules.owners[n.X.Text] {
		return Dotted(n)
	}
	return ""
}

// register adds the routes of a call that matches a rule.
func (f *finder) register(rule RouteRule, on *router, n *Node, handler *Node, at *Node) {
	path, handlers := on.path, n.Args
	methods := f.methodsOf(rule, on, n)
	switch {
	case rule.Object:
		f.object(on, n)
		return
	case rule.Views:
		f.viewSet(on, n)
		return
	case on.whole && path == "" && on.prefix != "" && len(n.Args) == 1: // all behind the prefix
		below := *on
		path, below.prefix = on.prefix, ""
		on = &below
	case path == "" || len(n.Args) != 1 && f.Scoped:
		at := rule.Path
		if rule.Verb && len(n.Args) > 2 && f.verb(n.Args[0]) != "" || len(n.Args) > 2 && n.Args[0].Kind == List && f.Scoped {
			at++
		}
		node := Arg(n.Args, "", at)
		if node == nil || f.Scoped && (len(n.Args) < at+2 || f.addsItself(node, on)) {
			return
		}
		path = f.path(node)
		if first, rest, ok := strings.Cut(path, " "); ok && f.Routes.Verbs[first] {
			methods, path = []string{first}, strings.TrimSpace(rest)
		}
		switch {
		case handler != nil:
			handlers = []*Node{handler}
		case rule.First:
			handlers = n.Args[:1]
		case rule.All:
			if handlers = n.Args[slices.Index(n.Args, node)+1:]; on.early {
				handlers = append(slices.Clone(handlers[1:]), handlers[0])
			} else if at > rule.Path {
				handlers = handlers[:1]
			}
		default:
			if handlers = nil; Arg(n.Args, rule.Handler, rule.Path+1) != nil {
				handlers = []*Node{Arg(n.Args, rule.Handler, rule.Path+1)}
			}
		}
		if f.Scoped {
			path = f.completed(path, on, methods)
		}
		if !f.isPath(path, on, handler != nil && on.id != "") {
			return
		}
		if path == "*" {
			path = "/*"
		}
	}
	if len(handlers) == 0 || !f.handles(handlers, on) {
		return
	}
	if verbs := f.verbsOf(handlers[len(handlers)-1], n); verbs != nil && (rule.Method == "" || rule.Method == AnyOf) {
		methods = verbs
	}
	for _, m := range methods {
		f.tellRoute(on, m, f.routing.inside+f.below(on.prefix, path), handlers, at)
	}
}

// methodsOf are the methods of HTTP that a call registers a route for.
func (f *finder) methodsOf(rule RouteRule, on *router, n *Node) []string {
	methods := []string{rule.Method}
	switch verbs := f.routing.verbs[n]; {
	case rule.Method == AnyOf:
		return f.methods(n.Args)
	case rule.Verb && len(n.Args) > 2 && f.verb(n.Args[0]) != "":
		return []string{f.verb(n.Args[0])}
	case f.Scoped && len(n.Args) > 2 && n.Args[0].Kind == List:
		methods = f.verbs(n.Args[0].Args)
	case rule.Method == "" && len(verbs) > 0:
		methods = verbs
	case rule.Method == "" && len(on.methods) > 0:
		methods = on.methods
	}
	return methods
}

// tellRoute adds a route with its handler and the functions that wrap the handler.
func (f *finder) tellRoute(on *router, method, path string, handlers []*Node, at *Node) {
	fact := source.Fact{Kind: source.Route, Of: on.id, Name: strings.TrimSpace(method + " " + strings.ToValidUTF8(path, "\ufffd")), Also: strings.Join(on.with, ", ")}
	for i, h := range handlers {
		text := f.handler(h, 0)
		name, _, _ := strings.Cut(text, "(")
		switch {
		case name == source.Anonymous || name == "":
		case i+1 == len(handlers):
			fact.Value = text
		default:
			fact.Also = strings.TrimPrefix(fact.Also+", "+name, ", ")
		}
	}
	key := source.Fact{Kind: source.Route, Name: fact.Name, Of: fact.Of}
	if f.Routes.Named && f.told[key] {
		return
	}
	f.told[key] = true
	f.tell(fact, at)
}

// isPath reports whether a text is a path of a router. One that begins with something computed goes on with a literal, or is called so.
func (f *finder) isPath(text string, on *router, decorates bool) bool {
	name, rest, computed := strings.Cut(text, ")")
	computed = computed && strings.HasPrefix(name, "$(")
	switch {
	case text == "":
		return decorates || on.made && !f.Routes.Named && !f.Scoped
	case !computed:
		return text[0] == '/' || f.Routes.Named && text == "*"
	case strings.HasPrefix(rest, "/"):
		return !f.Scoped || on.made
	case f.Scoped:
		name = name[strings.LastIndexAny(name, ".(")+1:]
		return on.made && name != "" && name[0] >= 'A' && name[0] <= 'Z'
	}
	return on.made && (!f.Routes.Named || calledPath(name))
}

// calledPath reports whether a name is that of a path.
func calledPath(name string) bool {
	name = name[strings.LastIndexAny(name, ".(")+1:]
	lower := strings.ToLower(name)
	return name != "" && name == strings.ToUpper(name) || strings.Contains(lower, "path") || strings.Contains(lower, "prefix") || strings.Contains(lower, "base") ||
		strings.Contains(lower, "url")
}

// handles reports whether arguments may be handlers. Clients have methods with the same names, and pass data.
func (f *finder) handles(handlers []*Node, on *router) bool {
	if slices.ContainsFunc(handlers, func(n *Node) bool { return n.Kind == Func }) {
		return true
	}
	switch handlers[len(handlers)-1].Kind {
	case Name, Member, Call, Func, Index:
		return on.made || on.id != "api" || !f.Routes.Named
	}
	switch h := handlers[len(handlers)-1]; {
	case f.Scoped && h.Kind == Operator: // what an answer goes to
		return on.made
	default:
		return !f.Routes.Named && h.Kind != Text && (h.Kind != Number || !f.Scoped)
	}
}

// methods are those of the argument that names them; a route without it answers GET, and one whose methods are computed any.
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

// object reads a route that is an object: { method: "GET", url: "/path", handler }.
func (f *finder) object(on *router, n *Node) {
	method, ok := f.text(property(n.Args, "method"))
	url := f.path(property(n.Args, "url"))
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
