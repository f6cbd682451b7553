package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// wrapped names the handler of a call, which may wrap one or make one.
func (f *finder) wrapped(n *Node, depth int) string {
	if n.X.Kind == Member && f.Routes.Ends[n.X.Text] && len(n.Args) == 1 {
		return f.ends(n, depth)
	}
	if n.X.Kind == Call { // with(x)(handler): the last arguments are handlers
		n = &Node{Kind: Call, X: n.X.X, Args: n.Args}
	}
	name := n.X.Text
	if n.X.Kind != Name {
		name, _, _ = strings.Cut(f.handler(n.X, depth+1), "(")
	}
	for _, itself := range f.Routes.Itself {
		if of, ok := strings.CutSuffix(name, itself); ok {
			return of
		}
	}
	if name == "" || name == source.Anonymous {
		return ""
	}
	args, argument := n.Args, f.argument
	switch at, known := f.Routes.Adapts[name]; {
	case known && at < 0:
		return name + "()"
	case known && at < len(args):
		args, argument = args[at:at+1], f.handler
		if inner := f.handler(args[0], depth+1); inner == "" || f.Routes.Adapts[strings.TrimSuffix(inner, "()")] < 0 {
			return inner
		}
	}
	var all []string
	for i, a := range args {
		if i > 0 && f.Scoped && (a.Kind == List || a.Kind == Map) {
			continue // options
		}
		if text := argument(a, depth+1); text != "" {
			all = append(all, text)
		}
	}
	if text := name + "(" + strings.Join(all, ",") + ")"; len(text) <= longestText {
		return text
	}
	return ""
}

// argument is handler for an argument, which a function may need for something else: a variable that a call made keeps its name.
func (f *finder) argument(n *Node, depth int) string {
	if v := f.vars[n.Text]; n.Kind == Name && v != nil && strings.Contains(v.handler, "(") {
		return n.Text
	}
	return f.handler(n, depth)
}

// wrapper names what wraps a handler; empty for a function literal.
func (f *finder) wrapper(n *Node) string {
	name := n.Text
	if n.Kind != Name || f.Nothing[name] {
		name, _, _ = strings.Cut(f.handler(n, 0), "(")
	}
	if name == source.Anonymous {
		return ""
	}
	return name
}

// ends names the handler behind a chain of middleware: New(log, auth).Then(list).
func (f *finder) ends(n *Node, depth int) string {
	text, chain := f.handler(n.Args[0], depth+1), []string{Dotted(n.X.X)}
	if text == "" {
		return ""
	}
	if n.X.X.Kind == Call {
		chain = f.wrappers(n.X.X.Args)
	}
	for _, name := range slices.Backward(chain) {
		if name != "" {
			text = name + "(" + text + ")"
		}
	}
	return text
}

// ordered returns the handlers of a route; the last one answers. If the framework is unknown, that is the one
// which is no call, or the first if the others are called With…; without such a hint none is known.
func (f *finder) ordered(handlers []*Node) []*Node {
	early, late := false, false
	for name, first := range f.Routes.Order {
		early, late = early || f.Imports[name] && first, late || f.Imports[name] && !first
	}
	known := early || late
	if early = early && !late; !known {
		wraps := func(n *Node) bool { return n.Kind == Call || isVerb(last(n), "with") }
		early = wraps(handlers[len(handlers)-1])
		known = wraps(handlers[0]) != early
	}
	switch {
	case !known:
		return []*Node{{Kind: Unknown}}
	case early:
		return append(slices.Clone(handlers[1:]), handlers[0])
	}
	return handlers
}

// mostLiterals bounds the function literals of a file whose flows are followed: readers look for each in the whole file.
const mostLiterals = 256

// unnamedCode hands out the function literal that handles a route or a command: in a call that wraps it, the only one. There is
// none for a command whose name another file holds.
func (f *finder) unnamedCode(k source.Kind, of string, n *Node) {
	if k == source.Action && strings.HasPrefix(of, source.Named) {
		return
	}
	for left := mostNested; left > 0 && n != nil && n.Kind == Call; left-- {
		literals := 0
		for _, a := range n.Args {
			if a.Kind == Func || a.Kind == Call {
				n = a
				literals++
			}
		}
		if literals != 1 {
			return
		}
	}
	if f.Unnamed != nil && n != nil && n.Kind == Func && f.handedOut < mostLiterals {
		f.handedOut++
		f.Unnamed(k, of, n)
	}
}
