package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// helper is a function of the file that registers a route with its parameters:
// func (s *Server) get(path string, h Handler) { s.router.Get("/api"+path, h) }.
type helper struct {
	function *Node
	path     string // with placeholders for parameters
	methods  []string
	on       *router
	router   int // the parameter that is the router, or -1
	handler  int // the parameter that is the handler
	depth    int
	line     int // of the route
}

// helped is a call of a function of the file, as evaluated there.
type helped struct {
	function, in *Node // the called function, and the calling one
	at           *Node
	arguments    []argument
}

type argument struct {
	path, handler string
	router        *router
}

// deepestHelper bounds the calls between helpers.
const deepestHelper = 4

// declared returns the innermost declared function, or nil.
func (f *finder) declared() *Node {
	for _, in := range slices.Backward(f.frames) {
		if in.Kind == Func && in.Text != "" {
			return in.Node
		}
	}
	return nil
}

func parameter(fn, n *Node) int {
	if fn == nil || n == nil || n.Kind != Name {
		return -1
	}
	return slices.IndexFunc(fn.Args, func(p *Node) bool { return p.Is(n.Text) })
}

// takesParameter reports whether a path has the value of a parameter.
func takesParameter(fn *Node, path string) bool {
	return fn != nil && strings.Contains(path, "$(") && slices.ContainsFunc(fn.Args, func(p *Node) bool {
		return p.Kind == Name && strings.Contains(path, source.Placeholder(p.Text))
	})
}

// addHelper records that a call registers a route with a path from a parameter of its function.
func (f *finder) addHelper(path *Node, on *router, methods []string, n *Node) {
	fn := f.declared()
	text := f.path(path)
	if !on.made && on.id == "" || !takesParameter(fn, text) || len(f.routing.helpers) >= source.MostFacts {
		return
	}
	h := &helper{function: fn, path: text, methods: methods, on: on, router: -1, handler: parameter(fn, n.Args[len(n.Args)-1]), line: int(n.Line)}
	if n.X.Kind == Member && on.id == f.receiver(fn.Text) {
		h.router = parameter(fn, n.X.X)
	}
	if h.handler < 0 { // it calls one
		h.handler = len(fn.Args) - 1
	}
	f.routing.helpers = append(f.routing.helpers, h)
}

// calls records a call of a function of the file.
func (f *finder) calls(n *Node) {
	fn := f.functions[last(n.X)]
	if fn == nil || len(fn.Args) == 0 || len(n.Args) != len(fn.Args) || f.made(n.X) != fn.Text || len(f.routing.helped) >= source.MostFacts {
		return
	}
	c := helped{function: fn, in: f.declared(), at: n}
	for _, a := range n.Args {
		f.Step()
		given := argument{path: f.path(a)}
		if a.Kind == Name || a.Kind == Member || a.Kind == Call {
			given.router = f.routerOf(a)
		}
		if a.Kind != Text {
			given.handler = f.handler(a, 0)
		}
		c.arguments = append(c.arguments, given)
	}
	f.routing.helped = append(f.routing.helped, c)
}

// callHelpers adds the routes of the calls of helpers, in place of the helpers' own, whose paths are computed.
func (f *finder) callHelpers() {
	calls := map[*Node][]helped{}
	for _, c := range f.routing.helped {
		calls[c.function] = append(calls[c.function], c)
	}
	replaced := map[int]bool{} // lines of the routes of helpers
	for list := f.routing.helpers; len(list) > 0; list = list[1:] {
		h := list[0]
		for _, c := range calls[h.function] {
			f.Step()
			next, handler := f.apply(h, c)
			if takesParameter(c.in, next.path) {
				if next.depth < deepestHelper && len(list) < source.MostFacts {
					list = append(list, next)
				}
				continue
			}
			if f.tellHelped(next, handler, c.at) {
				replaced[next.line] = true
			}
		}
	}
	f.facts = slices.DeleteFunc(f.facts, func(r source.Fact) bool {
		return r.Kind == source.Route && replaced[r.Line] && strings.Contains(r.Name, "$(")
	})
}

// apply returns the helper with the arguments of a call, and its handler.
func (f *finder) apply(h *helper, c helped) (next *helper, handler string) {
	next = &helper{function: c.in, methods: h.methods, on: h.on, router: -1, depth: h.depth + 1, line: h.line}
	next.path = source.Fill(h.path, func(name string) string {
		if i := parameter(h.function, &Node{Kind: Name, Text: name}); i >= 0 {
			return c.arguments[i].path
		}
		return source.Placeholder(name)
	})
	if h.router >= 0 {
		next.router = parameter(c.in, c.at.Args[h.router])
		if r := c.arguments[h.router].router; r != nil {
			next.on = r.at(f.below(r.prefix, h.on.prefix))
			next.on.with = slices.Concat(r.with, h.on.with)
		}
	}
	if next.handler = parameter(c.in, c.at.Args[h.handler]); next.handler < 0 && c.in != nil {
		next.handler = len(c.in.Args) - 1
	}
	return next, c.arguments[h.handler].handler
}

func (f *finder) tellHelped(h *helper, handler string, at *Node) bool {
	methods, path := h.methods, h.path
	if first, rest, ok := strings.Cut(path, " "); ok && f.Routes.Verbs[first] {
		methods, path = []string{first}, strings.TrimSpace(rest)
	}
	if path = f.completed(path, h.on, methods); !f.isPath(path, h.on, false) {
		return false
	}
	if name, _, _ := strings.Cut(handler, "("); name == source.Anonymous {
		handler = ""
	}
	for _, m := range methods {
		f.tell(source.Fact{
			Kind: source.Route, Of: h.on.id, Name: strings.TrimSpace(m + " " + f.below(h.on.prefix, path)), Value: handler, Also: strings.Join(h.on.with, ", "),
		}, at)
	}
	return true
}
