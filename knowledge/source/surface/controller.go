package surface

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// ControllerRules describe decorators that make methods of a class request handlers.
type ControllerRules struct {
	Classes  map[string]bool   // of the class, with a path
	Methods  map[string]string // of its methods, with the HTTP methods
	Version  string            // of either, with a version that precedes the path
	Wraps    map[string]bool   // with middleware functions
	Prefix   string            // application method that sets a global prefix
	Versions string            // application method that sets version prefixes
}

func mark(n *Node, is func(name string) bool) *Node {
	for _, m := range n.Marks {
		if m.Kind == Call && is(last(m.X)) {
			return m
		}
	}
	return nil
}

// controlled adds the routes declared by a method's decorators.
func (f *finder) controlled(n *Node) {
	rules, in := &f.Controllers, f.frame()
	f.Steps(len(in.Marks))
	if n.Kind != Func || in.Node == nil || in.Kind != Class || len(in.Marks) == 0 {
		return
	}
	controller := mark(in.Node, func(name string) bool { return rules.Classes[name] })
	if controller == nil {
		return
	}
	var wraps []string
	for _, m := range append(in.Marks[:len(in.Marks):len(in.Marks)], n.Marks...) {
		if m.Kind == Call && rules.Wraps[last(m.X)] {
			wraps = append(wraps, f.wrappers(m.Args)...)
		}
	}
	version := property(controller.Args, "version")
	if m := mark(n, func(name string) bool { return name == rules.Version }); m != nil && len(m.Args) > 0 {
		version = m.Args[0]
	}
	for _, m := range n.Marks {
		method, ok := "", false
		if m.Kind == Call {
			method, ok = rules.Methods[last(m.X)]
		}
		for _, path := range f.pathsOf(m, ok) {
			for _, before := range f.pathsOf(controller, true) {
				f.handled(source.Fact{
					Kind: source.Route, Name: "/" + f.below(before, path), Value: strings.TrimPrefix(in.name+"."+n.Text, "."), Also: strings.Join(wraps, ", "),
				}, method, version, m)
			}
		}
	}
}

// pathsOf returns the paths of a decorator: one, a list, or one in an object.
func (f *finder) pathsOf(m *Node, ok bool) []string {
	switch {
	case !ok:
		return nil
	case len(m.Args) == 0:
		return []string{""}
	}
	at := m.Args[0]
	if at.Kind == Map {
		if at = property(m.Args, "path"); at == nil {
			return []string{""}
		}
	}
	var out []string
	for _, p := range elements(at) {
		f.Step()
		out = append(out, strings.Trim(f.path(p), "/"))
	}
	return out
}

func elements(n *Node) []*Node {
	if n != nil && n.Kind == List {
		return n.Args
	}
	return []*Node{n}
}

// handled adds a route for each of its versions.
func (f *finder) handled(route source.Fact, method string, version, at *Node) {
	path := route.Name
	for _, v := range elements(version) {
		f.Step()
		name := path
		route.Of = source.Versioned
		if text, ok := f.text(v); ok {
			name = strings.TrimSuffix("/v"+text+name, "/")
		}
		if v != nil {
			route.Of = source.Served
		}
		route.Name = strings.TrimSpace(method + " " + strings.ReplaceAll(name, "//", "/"))
		f.once(route, at)
	}
}

func (f *finder) serves(n *Node) {
	switch rules := &f.Controllers; {
	case n.X.Kind != Member || len(n.Args) == 0:
	case n.X.Text == rules.Prefix:
		fact := source.Fact{Kind: source.Mount, ID: source.Served, Of: source.Program, Name: "/" + strings.Trim(f.path(n.Args[0]), "/")}
		var except []string
		for _, e := range elements(property(n.Args, "exclude")) {
			if e != nil && e.Kind == Map {
				e = property([]*Node{e}, "path")
			}
			if e != nil && (e.Kind == Text || e.Kind == Sum) {
				except = append(except, f.path(e))
			}
		}
		fact.Also = strings.Join(except, ", ")
		f.tell(fact, n)
	case n.X.Text == rules.Versions && last(property(n.Args, "type")) == "URI":
		if text, ok := f.text(property(n.Args, "defaultVersion")); ok {
			f.tell(source.Fact{Kind: source.Mount, ID: source.Versioned, Of: source.Served, Name: "/v" + text}, n)
		}
	}
}
