package surface

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// interpolated records a variable behind a configuration option: config["section"]["OPTION"], or .get("OPTION", "x").
func (f *finder) interpolated(n *Node) bool {
	if !f.env.interpolates || n.Kind != Index && n.Kind != Call || len(n.Args) == 0 {
		return false
	}
	of := n.X
	if n.Kind == Call && of.Kind == Member {
		of = of.X
	}
	name, ok := f.text(n.Args[0])
	if ok = ok && of.Kind == Index && IsVariable(name); ok {
		fact := source.Fact{Kind: source.Env, Name: name}
		fact.Default, fact.Usage = f.otherwise(Arg(n.Args, "fallback", 1))
		f.once(fact, n)
	}
	return ok
}

func (f *finder) inherited(name string) string {
	first, rest, _ := strings.Cut(name, ".")
	for i := len(f.frames) - 1; f.Self[first] && i >= 0; i-- {
		in := f.frames[i]
		if in.Kind == Class && len(in.Args) > 0 && Dotted(in.Args[0]) != "" && method(in.Node, rest) == nil {
			return Dotted(in.Args[0]) + "." + rest
		}
	}
	return f.self(name)
}

func method(class *Node, name string) *Node {
	for _, m := range class.Body {
		if m.Kind == Func && m.Text == name {
			return m
		}
	}
	return nil
}

// usually returns the default text of an expression: of a call, of a function's result, and of a variable.
func (f *finder) usually(n *Node, body []*Node, deep int) (text string, ok bool) {
	if text, ok = f.text(n); ok || n == nil || deep == 0 {
		return text, ok
	}
	found := func(x *Node) {
		if !ok {
			text, ok = f.usually(x, body, deep-1)
		}
	}
	switch {
	case n.Kind == Or:
		return f.usually(n.Args[len(n.Args)-1], body, deep-1)
	case n.Kind == Name:
		f.within(body, func(s *Node) {
			if s.Kind == Bind && len(s.Args) == 1 && s.Args[0].Is(n.Text) && s.X != nil {
				found(s.X)
			}
		})
	case n.Kind == Call && Arg(n.Args, "default", 1) != nil:
		return f.usually(Arg(n.Args, "default", 1), body, deep-1)
	case n.Kind == Call:
		called := f.functions[Dotted(n.X)]
		if in := f.frames[max(len(f.frames)-2, 0)]; n.X.Kind == Member && f.Self[Dotted(n.X.X)] && in.Kind == Class {
			f.Steps(len(in.Body))
			called = method(in.Node, n.X.Text)
		}
		if body = nil; called != nil {
			body = called.Body
		}
		f.results(body, found)
	}
	return text, ok
}
