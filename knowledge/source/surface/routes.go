package surface

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// RouteRules describe how frameworks register routes.
type RouteRules struct {
	Decorators map[string]RouteRule // by the last element of the name; the decorated function is the handler
	Calls      map[string]RouteRule // functions; methods of any value begin with a dot
	Makers     map[string]Maker     // functions that create a router, by last name
	Chains     map[string]Chain     // methods of a router that return one
	Mounts     map[string]Mount     // functions, and methods with a dot, that mount a router at a path
	Within     map[string]string    // functions that put a prefix before the routes in their arguments, unless a keyword is False
	Itself     []string             // handler methods that return the handler
	Routers    []string             // suffixes of router names
	Bases      string               // suffix of base classes with a router, whose methods register a path with its handler
	Default    string               // name of the default export
	Named      bool                 // only values with such a name, and routers made in the file, register routes
	Client     string               // name of a router, and of clients that have the same methods
	Handed     bool                 // any function may receive or make a router, whatever its name and type
	Factory    string               // part of the names of functions that make a router with a prefix
	Plain      bool                 // a path is appended to its prefix without regard to slashes
	Types      map[string]bool      // parameter types that are routers, without the package name
	Above      string               // suffix of functions, after New, whose result registers on the last argument
	Operations map[string]bool      // types of literals that describe a route by the fields Method and Path
	Roots      map[string]bool      // those of whole applications, with it
	Fields     map[string]bool      // fields that hold routers
	Verbs      map[string]bool      // HTTP methods, if an argument or the start of a path may be one
	Verb       string               // prefix of their constants
	Passing    map[string]bool      // conversions
	Parts      map[string]bool      // makers, by library name, of routers that serve nothing until they are mounted
	Wraps      map[string]bool      // functions, by library name, that mount their last argument, below the path before it if there is one
	Strip      string               // function that strips a prefix before a router
	Adapts     map[string]int       // library functions that wrap a handler, with the argument's position; a negative one if they make a handler
	Ends       map[string]bool      // methods of a chain of middleware that take the handler
	Order      map[string]bool      // packages with several handlers per route; true if the first one answers
	Request    string               // type of requests, of whose Method and URL.Path conditions may be
	Response   string               // type of responses
	Serve      string               // method that hands a request on
	Table      [3]map[string]bool   // fields of a literal with a path, a handler and a method
	List       string               // usual name of a list of paths
	Map        string               // name of a map whose keys are methods with paths, and whose values name actions
	Pairs      map[string]bool      // functions that pair a path with a handler in a list, as a tuple does
	Paired     []string             // imports of the files with such lists
	Functions  bool                 // a function can be a router
	ID         func(string) string  // then the ID of a function, by dotted name
}

// RouteRule describes how a call registers a route.
type RouteRule struct {
	Method  string // HTTP method, or AnyOf
	Path    int    // position of the path
	Handler string // keyword of the handler, which otherwise follows the path
	First   bool   // the handler is the first argument
	All     bool   // all arguments after the path are handlers, middleware first
	Object  bool   // an object has method, url, preHandler and handler
	Listed  string // the call is part of a list of paths; the function that includes other lists
	Pattern bool   // the path is a regular expression
	Verb    bool   // an HTTP method may precede the path
	Known   bool   // only routers have such a method
	Views   bool   // the handler is a class with a method per route
	Named   bool   // the path is an argument "path", the method a name; the route counts only if its function is mounted
	Chain   bool   // the handler is a chain of methods: get(list).post(add)
}

// AnyOf is the method of a rule if the argument "methods" lists the methods.
const AnyOf = "*"

// Maker describes how a call creates a router.
type Maker struct {
	Prefix   string // argument with the path prefix
	Fallback bool   // the prefix counts only if the router is mounted without one
	Early    bool   // handlers precede their middleware
	Base     bool   // matches all names with the same suffix: classes that extend it
	Named    bool   // the prefix defaults to the first argument
	Under    bool   // a method of the router above
	On       bool   // adds to the router in the first argument
	Root     bool   // has a route itself
	Below    bool   // the first argument is the path prefix
	Lists    bool   // the arguments are handlers
}

// Chain describes the effect of a method that returns a router.
type Chain struct {
	Below bool // its argument prefixes the paths of the result
	Path  bool // its argument is the path of the next route
	Verbs bool // its arguments are the methods of the next route
	Wraps bool // its arguments are middleware; after a path, other arguments are
	Whole bool // a handler serves the whole subtree of the path
	Sub   bool // a handler no longer does
}

// Mount describes a call with a router and a path.
type Mount struct {
	Prefix string // keyword of the path
	Path   bool   // the path is the first of several arguments
	Routes string // argument with a list of routes to mount
	At     int    // position of the path after the router
	Into   string // part of the names of receivers that are mounted on the argument
}

type router struct {
	id, prefix, path string
	made             bool // in this file, or received as a parameter
	part             bool // see RouteRules.Parts
	based, inherited bool // a base class has its methods, or makes it
	whole, early     bool // see Chain and Maker
	with, methods    []string
}

type routeState struct {
	inside   string // path of the open list of routes
	list     string
	ids      map[*Node]string   // IDs of the routers that calls create
	given    map[*Node]*router  // first arguments of functions
	passing  map[*Node]bool     // functions that return their argument, possibly with a prefix
	verbs    map[*Node][]string // methods that other calls request for a call
	methods  []string           // that are given a router
	roots    []string           // functions that are given an application
	mounting []string           // that mount what they are given
	adds     map[string]*router // functions that register the path in their first argument
	tables   []*Node            // literals that may be rows of a table of routes
	// methods of classes of the file that pass their arguments on
	registering map[string]RouteRule
	looped      map[*Node]bool    // tables whose routes a loop registers
	made        map[string]string // classes of the objects in variables and fields
	helpers     []*helper
	helped      []helped
}

func (f *finder) decorated(n *Node) {
	for _, m := range n.Marks {
		rule, ok := RouteRule{}, false
		if m.Kind == Call && (m.X.Kind == Member || f.Routes.Functions) {
			rule, ok = f.Routes.Decorators[m.X.Text]
		}
		if !ok || strings.HasPrefix(Dotted(m.X), "mock.") {
			continue
		}
		on := &router{id: n.Text}
		if !f.Routes.Functions {
			on = cmp.Or(f.routerOf(m.X.X), &router{})
		}
		if handler := (&Node{Kind: Name, Text: n.Text}); rule.Named {
			f.named(on, m, handler)
		} else {
			f.register(rule, on, m, handler, m)
		}
	}
}

// named reads a decorator such as path(get, path = "/x").
func (f *finder) named(on *router, m, handler *Node) {
	path, from := property(m.Args, "path"), len(f.facts)
	if path == nil || path.X == nil {
		return
	}
	for _, a := range m.Args {
		for _, a := range append([]*Node{a}, a.Args...) {
			if method := strings.ToUpper(a.Text); a.Kind == Name && f.Routes.Verbs[method] {
				f.tellRoute(on, method, f.path(path.X), []*Node{handler}, m)
			}
		}
	}
	for i := range f.facts[from:] {
		f.facts[from+i].Usage = source.Handed
	}
}

// route reads a call that registers a route or mounts a router; true if it walked the arguments.
func (f *finder) route(n *Node) bool {
	if n.X.Kind != Name && n.X.Kind != Member {
		return false
	}
	if f.eachRow(n, func(call *Node) { f.route(call) }) {
		return false
	}
	if f.flow == nil {
		return f.routed(n)
	}
	call, row := f.flow.ofRow(n)
	told := len(f.facts)
	walked := f.routed(call)
	if row != nil && len(f.facts) > told {
		f.routing.looped[row] = true
	}
	return walked
}

// routed is route for a call with its values.
func (f *finder) routed(n *Node) bool {
	name := n.X.Text
	if prefix, keyword, ok := strings.Cut(f.Routes.Within[name], " "); ok && !Arg(n.Args, keyword, -1).Is("False") {
		f.inside(f.routing.inside+prefix, &Node{Kind: List, Args: n.Args})
		return true
	}
	var on *router
	if n.X.Kind == Member {
		on = f.routerOf(n.X.X)
		if rule, ok := f.Routes.Calls[Dotted(n.X)]; ok { // a function of a package
			f.register(rule, &router{}, n, nil, n)
			return false
		}
		name = "." + name
	}
	if f.routing.adds[n.X.Text] != nil && !f.Scoped && on != nil && on.made && len(n.Args) > 1 {
		path, _ := f.text(n.Args[0])
		f.tellRoute(on, "", "/"+strings.TrimPrefix(path, "/"), n.Args[len(n.Args)-1:], n)
		return false
	}
	if rule, _ := f.makerRule(n); rule.Lists {
		for _, a := range n.Args {
			f.mounts(f.mounted(a, n), f.routerOf(n), a)
		}
		return false
	}
	if f.Scoped && f.scoped(n, on) {
		return false
	}
	if on != nil && on.based && strings.HasPrefix(name, ".use") { // variants of it
		name = ".use"
	}
	mount, mounts := f.Routes.Mounts[name]
	if mounts {
		if mount.Routes != "" {
			return f.nested(n, mount)
		}
		f.mount(n, mount, on)
	}
	rule, ok := f.Routes.Calls[name]
	if !ok && n.X.Kind == Member {
		rule, ok = f.registering(n.X.Text)
	}
	switch {
	case !ok && f.Routes.Handed && (!mounts || mount.Into != "" && !mount.into(n)):
		f.handOver(n)
		return false
	case !ok, on == nil && (f.Routes.Named || rule.Known || name == ".Handler" && f.Imports[Dotted(n.X.X)]): // graphql.Handler("/query", schema)
		return false
	case rule.Listed != "":
		return f.listed(n, rule)
	case on == nil:
		on = &router{made: Dotted(n.X.X) == "http"}
	}
	f.register(rule, on, n, nil, n)
	return false
}

// registering returns the rule of the call by which a method of the file registers its arguments as they are:
// def add(self, resource, *urls): self.add_resource(resource, *urls).
func (f *finder) registering(name string) (rule RouteRule, ok bool) {
	if f.routing.registering == nil && f.Routes.Plain {
		f.routing.registering = map[string]RouteRule{}
		for _, class := range f.Body {
			for _, m := range class.Body {
				if class.Kind == Class && m.Kind == Func {
					f.passesOn(m)
				}
			}
		}
	}
	rule, ok = f.routing.registering[name]
	return rule, ok
}

func (f *finder) passesOn(method *Node) {
	prefixed := false
	f.everywhere(func(c *Node) {
		prefixed = prefixed || c.Kind == Text && strings.HasPrefix(c.Text, "/")
		if c.Kind == Call && c.X.Kind == Member && f.Self[Dotted(c.X.X)] {
			if rule := f.Routes.Calls["."+c.X.Text]; rule.First {
				f.routing.registering[method.Text] = rule
			}
		}
	}, method.Body...)
	if prefixed {
		delete(f.routing.registering, method.Text)
	}
}

// mostPaths bounds the paths that one call registers.
const mostPaths = 32

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
	case rule.First && len(n.Args) > 0 && parameter(f.declared(), n.Args[0]) >= 0:
		return // see registering
	case rule.First && len(n.Args) > 2 && n.Args[2].Key == "": // several paths
		for i, path := range n.Args[1:min(len(n.Args), mostPaths)] {
			if one := *n; path.Key == "" {
				one.Args = []*Node{n.Args[0], n.Args[i+1]}
				f.register(rule, on, &one, handler, at)
			}
		}
		return
	case on.whole && path == "" && on.prefix != "" && len(n.Args) == 1: // everything below the prefix
		path, on = on.prefix, on.at("")
	case path == "" || len(n.Args) != 1 && f.Scoped:
		first := rule.Path
		if rule.Verb && len(n.Args) > 2 && f.verb(n.Args[0]) != "" || len(n.Args) > 2 && n.Args[0].Kind == List && f.Scoped {
			first++
		}
		node := Arg(n.Args, "", first)
		if node == nil || f.Scoped && handler == nil && (len(n.Args) < first+2 || f.addsItself(node, on)) {
			return
		}
		if node.Kind == List && f.Routes.Named {
			for i, path := range node.Args[:min(len(node.Args), mostPaths)] {
				if path.Kind != List {
					one := *n
					one.Args = slices.Concat(n.Args[:first], node.Args[i:i+1], n.Args[first+1:])
					f.register(rule, on, &one, handler, at)
				}
			}
			return
		}
		if path = f.path(node); f.Scoped && handler == nil {
			f.addHelper(node, on, methods, n)
		}
		if verb, rest, ok := strings.Cut(path, " "); ok && f.Routes.Verbs[verb] {
			methods, path = []string{verb}, strings.TrimSpace(rest)
		}
		switch {
		case handler != nil:
			handlers = []*Node{handler}
		case rule.First:
			handlers = n.Args[:1]
		case rule.All:
			handlers = n.Args[slices.Index(n.Args, node)+1:]
			switch {
			case on.based && len(handlers) > 0, !on.early && first > rule.Path:
				handlers = handlers[:1]
			case on.early:
				handlers = append(slices.Clone(handlers[1:]), handlers[0])
			case len(handlers) > 1 && f.Routes.Order != nil:
				handlers = f.ordered(handlers)
			}
		default:
			if handlers = nil; Arg(n.Args, rule.Handler, rule.Path+1) != nil {
				handlers = []*Node{Arg(n.Args, rule.Handler, rule.Path+1)}
			}
		}
		if on.early && on.prefix != "" && path != "" && path[0] != '/' { // echo joins them as they are
			path, on = on.prefix+path, on.at("")
		}
		switch {
		case f.Scoped:
			path = f.completed(path, on, methods)
		case path == "" && f.Routes.Named && (node.Kind != Text || on.based): // of a prefix that may be empty, or of the router
			path = "/"
		}
		if !f.isPath(path, on, handler != nil && on.id != "") {
			return
		}
		if path != "" && f.Routes.Named && !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "$(") {
			path = "/" + path
		}
	}
	if len(handlers) == 0 || !f.handles(handlers, on) {
		return
	}
	if rule.Chain {
		f.chain(handlers[0], func(method string, handlers []*Node) {
			f.tellRoute(on, method, f.below(on.prefix, path), handlers, at)
		})
		return
	}
	if verbs := f.verbsOf(handlers[len(handlers)-1], n); verbs != nil && (rule.Method == "" || rule.Method == AnyOf) {
		methods = verbs
	}
	for _, m := range methods {
		f.tellRoute(on, m, f.routing.inside+f.below(on.prefix, path), handlers, at)
	}
}

// methodsOf returns the HTTP methods of a registered route.
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

func (f *finder) tellRoute(on *router, method, path string, handlers []*Node, at *Node) {
	fact := source.Fact{Kind: source.Route, Of: on.id, Name: strings.TrimSpace(method + " " + strings.ToValidUTF8(path, "\ufffd")), Also: strings.Join(on.with, ", ")}
	for i, h := range handlers {
		if name := f.wrapper(h); name == "" {
			continue
		} else if i+1 < len(handlers) {
			fact.Also = strings.TrimPrefix(fact.Also+", "+name, ", ")
		} else {
			fact.Value = f.handler(h, 0)
		}
	}
	key := source.Fact{Kind: source.Route, Name: fact.Name, Of: fact.Of}
	if f.Routes.Named && f.told[key] {
		return
	}
	f.told[key] = true
	if part := (source.Fact{Kind: source.Mount, ID: on.id}); on.inherited && !f.told[part] {
		f.told[part] = true
		f.mountOf(on.id, source.Program, at)
	}
	f.tell(fact, at)
	if len(handlers) > 0 { // a view set has none
		f.unnamedCode(source.Answer, fact.Name, handlers[len(handlers)-1])
	}
}

// isPath reports whether a text is a route path. One that starts with a computed part must continue with a literal or
// have the name of a path.
func (f *finder) isPath(text string, on *router, decorates bool) bool {
	name, rest, computed := strings.Cut(text, ")")
	computed = computed && strings.HasPrefix(name, "$(")
	switch {
	case text == "":
		return decorates || on.made && !f.Routes.Named && !f.Scoped
	case !computed:
		return text[0] == '/' || f.Routes.Named && (text == "*" || on.part && !decorates && !strings.ContainsAny(text, " :"))
	case strings.HasPrefix(rest, "/"):
		return !f.Scoped || on.made
	case f.Scoped:
		of := strings.TrimPrefix(name, "$(")
		name = name[strings.LastIndexAny(name, ".(")+1:]
		return on.made && (name != "" && name[0] >= 'A' && name[0] <= 'Z' || f.Routes.Functions || f.computes(of))
	}
	return on.made && (!f.Routes.Named || calledPath(name))
}

// computes reports whether the function has a call for the value of a variable, or the file declares it.
func (f *finder) computes(name string) (is bool) {
	fn := f.declared()
	if fn == nil || f.flow == nil || parameter(fn, &Node{Kind: Name, Text: name}) >= 0 {
		return false
	}
	f.everywhere(func(n *Node) {
		is = is || n.Kind == Bind && n.Text == ":=" && n.X.Kind == Call && n.Args[0].Is(name)
	}, fn)
	return is || f.flow.file[name] != nil
}

func calledPath(name string) bool {
	name = name[strings.LastIndexAny(name, ".(")+1:]
	lower := strings.ToLower(name)
	return name != "" && name == strings.ToUpper(name) || strings.Contains(lower, "path") || strings.Contains(lower, "prefix") || strings.Contains(lower, "base") ||
		strings.Contains(lower, "url")
}

// handles reports whether arguments may be handlers. Client methods have the same names, and take data.
func (f *finder) handles(handlers []*Node, on *router) bool {
	if slices.ContainsFunc(handlers, func(n *Node) bool { return n.Kind == Func }) {
		return true
	}
	switch h := handlers[len(handlers)-1].Kind; {
	case h == Name || h == Member || h == Call || h == Func || h == Index:
		return on.made || on.id != f.Routes.Client || !f.Routes.Named
	case f.Scoped && h == Operator: // target of a response
		return on.made
	default:
		return !f.Routes.Named && h != Text && (h != Number || !f.Scoped)
	}
}
