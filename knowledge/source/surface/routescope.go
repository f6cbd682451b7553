package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// scoped reads a call in a language with scoped routers; true if nothing else applies to it.
func (f *finder) scoped(n *Node, on *router) bool {
	f.calls(n)
	if f.mountsBy(n) || f.operation(n) {
		return true
	}
	if n.X.Kind == Name {
		if adds := f.routing.adds[n.X.Text]; adds != nil && len(n.Args) > 1 && !f.addsItself(n.Args[0], adds) {
			f.register(RouteRule{All: true}, adds, n, nil, n)
			return true
		}
		f.handedOn(n)
		return true
	}
	chain, ok := f.Routes.Chains[n.X.Text]
	switch {
	case ok && chain.Verbs && on != nil:
		for inner, left := n.X.X, longestName; left > 0 && inner.Kind == Call && inner.X.Kind == Member; inner, left = inner.X.X, left-1 {
			if rule := f.Routes.Calls["."+inner.X.Text]; rule.Verb && len(inner.Args) > 0 {
				f.routing.verbs[inner] = f.verbs(n.Args)
				break
			}
		}
		return true
	case ok && chain.Below && on != nil && len(n.Args) > 0:
		last := n.Args[len(n.Args)-1]
		below := on.at(on.prefix)
		if len(n.Args) > 1 {
			below.prefix = f.below(on.prefix, f.path(n.Args[0]))
		}
		if last.Kind == Func {
			f.routing.given[last] = below
		} else if id := f.made(last); id != "" && n.X.Text == "Route" && len(n.Args) > 1 {
			f.mounts(parameterOf(id), below, n)
		}
		return true
	}
	rule, registers := f.Routes.Calls["."+n.X.Text]
	switch _, mounts := f.Routes.Mounts["."+n.X.Text]; {
	case mounts && on == nil && len(n.Args) == 2:
		f.mount(n, f.Routes.Mounts["."+n.X.Text], &router{id: source.Program})
		return true
	case mounts:
		return false
	case !registers || rule.Known && on == nil || len(n.Args) == 0:
		f.handedOn(n)
		return true
	case on == nil && Dotted(n.X.X) == "http" && rule.Method != "":
		return true // a client
	}
	if strip := n.Args[len(n.Args)-1]; f.Routes.Strip != "" && strip.Kind == Call && Dotted(strip.X) == f.Routes.Strip && len(strip.Args) == 2 && on != nil {
		path := f.path(strip.Args[0])
		if !strings.HasPrefix(path, on.prefix) { // the whole path of the request
			path = f.below(on.prefix, path)
		}
		f.mounts(f.mounted(strip.Args[1], strip), on.at(path), n)
	}
	return false
}

// operation reads a call with a literal that describes a route, followed by the handler.
func (f *finder) operation(n *Node) bool {
	for i, a := range n.Args[:max(len(n.Args)-1, 0)] {
		if a.Kind != Map || !f.Routes.Operations[Dotted(pointed(a.Type))] {
			continue
		}
		on, method := f.routerOf(n.Args[0]), property(n.Args[i:i+1], "Method")
		if path := f.path(property(n.Args[i:i+1], "Path")); on != nil && method != nil && f.isPath(path, on, false) {
			f.tellRoute(on, f.verb(method), f.below(on.prefix, path), n.Args[i+1:i+2], n)
			return true
		}
	}
	return false
}

// handedOn mounts a function that receives a router and may register routes.
func (f *finder) handedOn(n *Node) {
	if _, makes := f.makerRule(n); makes || Dotted(n.X) == f.Routes.Strip {
		return
	}
	var r *router
	for _, a := range n.Args { // a part precedes the whole
		if given := f.routerOf(a); given != nil && (r == nil || given.prefix != "") {
			r = given
		}
	}
	if r == nil {
		return
	}
	id := f.made(n.X)
	switch {
	case f.Routes.Functions && id == "":
	case n.X.Kind == Name && (f.vars[n.X.Text] != nil || n.X.Is(f.looping.each)): // any function that is given to the code
		f.mounts(source.Handlers, r, n)
	case id != "":
		f.mounts(f.receiver(id), r, n)
	case n.X.Kind == Member: // of a value of unknown type
		f.mounts(parameterOf(source.Methods+n.X.Text), r, n)
	}
}

// receiver returns the ID of the router that a function receives.
func (f *finder) receiver(function string) string {
	if f.Routes.Functions {
		return function
	}
	return parameterOf(function)
}

// chain reads the methods of a path, each with its handler: get(list).post(add), or web::get().to(list).
func (f *finder) chain(n *Node, found func(method string, handlers []*Node)) {
	var calls []*Node
	for n.Kind == Call && len(calls) < longestName {
		calls = append(calls, n)
		if n.X.Kind != Member {
			break
		}
		n = n.X.X
	}
	method, told := "", false
	for _, call := range slices.Backward(calls) {
		name := strings.TrimSuffix(last(call.X), "_service")
		verb := strings.ToUpper(name)
		if f.Routes.Verbs[verb] {
			method = verb
		}
		if (method == verb || name == "to" || name == "any") && len(call.Args) > 0 {
			found(method, call.Args)
			told = true
		}
	}
	if !told {
		found(method, []*Node{n})
	}
}

func (f *finder) mounts(id string, r *router, at *Node) {
	if of := r.id; id != "" && id != of {
		if of == "" {
			of = source.Program
		}
		f.tell(source.Fact{Kind: source.Mount, ID: id, Of: of, Name: r.prefix}, at)
	}
}

func (f *finder) returned(n *Node) {
	if n.X == nil || !f.Scoped || f.frame().name == "" {
		return
	}
	switch r, function := f.routerOf(n.X), f.frame().name; {
	case r != nil && f.Routes.Functions:
		f.mounts(r.id, &router{id: function}, n.X)
	case r != nil:
		f.mounts(function, r, n.X)
	case f.makesRouter(f.declared()):
		f.mounts(f.mounted(n.X, n), &router{id: function}, n.X)
	}
}

// makesRouter reports whether the type of a function's result is a router.
func (f *finder) makesRouter(fn *Node) bool {
	if fn == nil || f.Routes.Functions {
		return false
	}
	typ := pointed(fn.Type)
	return f.Routes.Types[last(typ)] || Dotted(typ) == "http.Handler"
}

// table adds the route in a literal over which no loop registers routes.
func (f *finder) table(n *Node) {
	var found [3]*Node
	for _, p := range n.Args {
		for i, names := range f.Routes.Table {
			if p.Kind == Bind && names[p.Key] {
				found[i] = p.X
			}
		}
	}
	if found[0] == nil || found[1] == nil {
		return
	}
	method := ""
	if found[2] != nil {
		method = f.verb(found[2])
	}
	if path := f.completed(f.path(found[0]), &router{}, nil); f.isPath(path, &router{made: true}, false) {
		f.tellRoute(&router{}, method, path, found[1:2], n)
	}
}

// completed returns a path as a router interprets it.
func (f *finder) completed(path string, on *router, methods []string) string {
	if f.Routes.Functions {
		path, _, _ = strings.Cut(path, "?")
	}
	switch {
	case path == "" && on.prefix != "":
		return "/"
	case strings.ContainsAny(path, " \n\t"), strings.Contains(path, "//"):
		return ""
	case on.id != "" && (f.Routes.Functions || len(methods) > 0 && methods[0] != "") && path != "" && path[0] != '/' && !strings.HasPrefix(path, "$("):
		return "/" + path
	}
	return path
}

func (f *finder) verb(n *Node) string {
	text, ok := f.text(n)
	if !ok {
		text, ok = strings.CutPrefix(Dotted(n), f.Routes.Verb)
	}
	if text = strings.ToUpper(text); !ok || !f.Routes.Verbs[text] {
		return ""
	}
	return text
}

func (f *finder) verbs(args []*Node) []string {
	var out []string
	for _, a := range args {
		if v := f.verb(a); v != "" {
			out = append(out, v)
		}
	}
	return out
}

func (f *finder) wrappers(args []*Node) []string {
	var out []string
	for _, a := range args {
		f.Step()
		if name := f.wrapper(a); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// addsItself records that the current function, held by a variable, registers the path in its first parameter.
func (f *finder) addsItself(path *Node, on *router) bool {
	in := f.frame()
	if len(in.Args) == 0 || path.Kind != Name || in.Node.Key == "" || in.Args[0].Text != path.Text {
		return false
	}
	f.routing.adds[in.Node.Key] = on
	return true
}

// member returns the ID of a member of a package, or of a value of known type.
func (f *finder) member(n *Node) string {
	if n.Kind != Member || n.X.Kind != Name {
		return ""
	}
	owner := n.X.Text
	if v := f.vars[owner]; v != nil {
		owner = v.typ
	} else if typ := f.types[owner]; typ != "" {
		owner = typ
	}
	if owner == "" {
		return ""
	}
	return owner + "." + n.Text // of a package, or of a variable from another file, unless it is a type
}

func (f *finder) made(n *Node) string {
	if name := Dotted(n); f.Routes.Functions {
		if owner, _, _ := strings.Cut(name, "."); f.vars[owner] != nil {
			return ""
		}
		return f.Routes.ID(name)
	}
	switch n.Kind {
	case Name:
		if v := f.vars[n.Text]; v == nil && !f.Predeclared[n.Text] {
			return n.Text
		}
	case Member:
		return f.member(n)
	}
	return ""
}

// pathCall returns the path that a call builds from a text with an optional prefix, a format, or parts.
func (f *finder) pathCall(n *Node) string {
	switch name := Dotted(n.X); {
	case len(n.Args) == 1:
		text := f.path(n.Args[0])
		switch {
		case f.Routes.Passing[name] || f.passing(last(n.X)):
			return text
		case strings.HasPrefix(text, "/"):
			return source.Placeholder("") + text
		}
		if fn := f.functions[name]; fn != nil && len(fn.Body) == 1 && fn.Body[0].Kind == Return && fn.Body[0].X != nil {
			if text := f.path(fn.Body[0].X); strings.Contains(text, "/") {
				return text
			}
		}
	case name == "fmt.Sprintf" && len(n.Args) > 0:
		format := f.path(n.Args[0])
		for _, a := range n.Args[1:] {
			before, after, found := strings.Cut(format, "%")
			if !found || after == "" {
				break
			}
			if format = before + f.path(a) + after[1:]; len(format) > longestText {
				return source.Placeholder("")
			}
		}
		return format
	case name == "path.Join":
		text := ""
		for _, a := range n.Args {
			text = f.below(text, f.path(a))
		}
		return text
	}
	return source.Placeholder("")
}

// passing reports whether a function returns its text argument, possibly with a configured prefix.
func (f *finder) passing(name string) bool {
	fn := f.functions[name]
	if fn == nil || len(fn.Args) != 1 {
		return false
	}
	if passes, known := f.routing.passing[fn]; known {
		return passes
	}
	plain, sum := false, false
	f.results(fn.Body, func(x *Node) {
		plain = plain || x.Is(fn.Args[0].Text)
		parts := x.Args
		formats := x.Kind == Call && x.X.Kind == Member && x.X.Text == "format" && x.X.X.Kind == Text && strings.HasSuffix(x.X.X.Text, "{}")
		sum = sum || (x.Kind == Sum || formats) && len(parts) > 0 && parts[len(parts)-1].Is(fn.Args[0].Text)
	})
	f.routing.passing[fn] = plain && sum
	return plain && sum
}

// dispatched adds the routes of a condition about the method and the path of a request, whose branch calls the handler:
// if r.Method == http.MethodGet && r.URL.Path == "/x" { return s.show(w, r) }.
func (p *interpreter) dispatched(n *Node) {
	fn := p.declared()
	if fn == nil || p.Routes.Request == "" || n.X.Kind != Operator || n.X.Text != "and" || len(n.Body) == 0 {
		return
	}
	call := n.Body[0]
	if call.Kind == Return {
		call = call.X
	}
	given := map[string]bool{} // request and response
	request := ""
	for _, a := range fn.Args {
		switch typ := Dotted(pointed(a.Type)); typ {
		case p.Routes.Request:
			given[a.Text], request = true, a.Text
		case p.Routes.Response:
			given[a.Text] = true
		}
	}
	if request == "" || call == nil || call.Kind != Call || last(call.X) == p.Routes.Serve || !slices.ContainsFunc(call.Args, func(a *Node) bool { return given[a.Text] }) {
		return
	}
	var methods, paths []string
	for _, c := range n.X.Args {
		all := []*Node{c}
		if c.Kind == Or {
			all = c.Args
		}
		for _, one := range all {
			method, path := p.compared(one, request)
			if method != "" {
				methods = append(methods, method)
			} else if path != "" {
				paths = append(paths, path)
			}
		}
	}
	for _, method := range methods {
		for _, path := range paths {
			p.tellRoute(&router{made: true}, method, path, []*Node{call.X}, n.X)
		}
	}
}

// compared returns the method or the path that a condition demands of a request.
func (p *interpreter) compared(n *Node, request string) (method, path string) {
	switch {
	case n.Kind == Operator && n.Text == "==" && len(n.Args) == 2:
		for i, a := range n.Args {
			other := n.Args[1-i]
			switch Dotted(a) {
			case request + ".Method":
				return p.verb(other), ""
			case request + ".URL.Path":
				if text, _ := p.finder.text(other); strings.HasPrefix(text, "/") {
					return "", text
				}
			}
		}
	case n.Kind == Call && n.X.Kind == Member && n.X.Text == "MatchString" && len(n.Args) == 1 && Dotted(n.Args[0]) == request+".URL.Path":
		if c := p.constant(n.X.X); c != nil && c.Kind == Call && len(c.Args) == 1 {
			text, _ := p.text(c.Args[0])
			if text = strings.TrimPrefix(text, "^"); strings.HasPrefix(text, "/") {
				return "", strings.TrimSuffix(text, "$")
			}
		}
	}
	return "", ""
}
