package surface

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (f *finder) declare(body []*Node, depth int) {
	for _, n := range body {
		switch n.Kind {
		case Bind:
			name := ""
			if f.Constants && n.X != nil && n.X.Kind == Func && n.Args[0].Is(f.Routes.Default) && depth < deepest {
				f.declare(n.X.Body, depth+1)
			}
			if len(n.Args) == 1 && n.Args[0].Kind == Name {
				name = n.Args[0].Text
			}
			if name == "" {
				continue
			}
			_, again := f.globals[name]
			if f.globals[name] = n.X; again && !f.Constants {
				f.globals[name] = nil
			}
			if typ := f.typeOf(n.Type, n.X); typ != "" {
				f.types[name] = typ
			}
			if n.Type != nil && n.Type.Kind == Class {
				f.classes[name], f.built[n.Type] = n.Type, true
			}
		case Class:
			f.classes[n.Text] = n
		case Call:
			if n.X.Kind == Func && f.Constants && depth < deepest { // a function that is called at once
				f.declare(n.X.Body, depth+1)
			}
		case Func:
			f.functions[n.Text[strings.LastIndexByte(n.Text, '.')+1:]] = n
		}
		if f.Constants && depth < deepest {
			f.declare(n.Body, depth+1)
			f.declare(n.Else, depth+1)
		}
	}
}

// changed drops the values of globals that a function assigns or takes the address of.
func (f *finder) changed(body []*Node) {
	for _, n := range body {
		f.everywhere(func(c *Node) {
			assigns := c != n && c.Kind == Bind && len(c.Args) == 1 && c.Text != "" && c.Text != ":="
			if !assigns && (c.Kind != Operator || c.Text != "&") || c.Args[0].Kind != Name {
				return
			}
			if name := c.Args[0].Text; f.globals[name] != nil {
				f.globals[name], f.varying[name] = nil, true
			}
		}, n)
	}
}

// scopedID is the ID of a variable outside its function. The returned variable has the ID of the function.
func (f *finder) scopedID(name string) string {
	in := f.frame()
	switch {
	case in.returns == name && name != "":
		return in.name
	case !f.Scoped:
		return name
	}
	return in.name + "." + name
}

func (f *finder) typeOf(typ, value *Node) string {
	if typ == nil && value != nil {
		switch {
		case value.Kind == List, value.Kind == Map:
			typ = value.Type
		case value.Kind == Operator && value.Text == "&":
			return f.typeOf(nil, value.Args[0])
		case value.Kind == Call && value.X.Is("new") && len(value.Args) == 1:
			typ = value.Args[0]
		case value.Kind == Call && f.Scoped && !f.Routes.Functions: // the type that a function returns
			typ = value.X
		}
	}
	if typ = pointed(typ); typ != nil && typ.Kind == Unknown && typ.X != nil { // with type arguments
		typ = typ.X
	}
	return Dotted(typ)
}

func (f *finder) holds(name string, bind *Node) {
	was := f.vars[name]
	v := &value{typ: f.typeOf(bind.Type, bind.X), result: bind.Type == nil && bind.X != nil && bind.X.Kind == Call && !bind.X.X.Is("new")}
	if grows := bind.X != nil && bind.X.Kind == Sum && bind.X.Args[len(bind.X.Args)-1].Is(name); grows && was != nil {
		v.path = was.path
	}
	if text, ok := f.text(bind.X); ok && strings.HasPrefix(text, "/") {
		v.path = text
	}
	if x := bind.X; x != nil && x.Kind == Sum && f.Routes.Functions && strings.HasPrefix(f.path(x), "$(") {
		v.path = f.path(x)
	}
	if x := bind.X; x != nil && x.Kind == Call && len(x.Args) == 1 && f.passing(last(x.X)) {
		v.path = f.path(x)
	}
	if x := bind.X; x != nil && x.Kind == Call && (Dotted(x.X) == "path.Join" || f.functions[Dotted(x.X)] != nil) {
		if path := f.path(x); strings.HasPrefix(path, "$(") && strings.Contains(path, "/") { // after a text, it may be any file
			v.path = path
		}
	}
	if bind.X != nil {
		if v.router = f.routerOf(bind.X); v.router == nil && f.Routes.Functions && bind.X.Kind == Call && strings.Contains(last(bind.X.X), "rout") {
			v.router = &router{id: f.made(bind.X.X)}
		}
		if x := bind.X; v.router == nil && f.Routes.Functions && x.Kind == Call && len(x.Args) > 0 && (x.Args[0].Is(name) || strings.Contains(name, "rout")) {
			v.router = f.routerOf(x.Args[0]) // a function that configures it
		}
	}
	if x := bind.X; f.Scoped && !f.Routes.Functions && x != nil && x.Kind == Call && v.router == nil && bind.Args[0].Is(name) {
		v.handler = f.handler(x, 0)
	}
	if in := f.frame(); in.Node != nil && in.Kind == Func && (v.router != nil || v.path != "" || was != nil || v.typ != "" || f.Routes.Functions) {
		f.set(name, v)
	}
}

func (f *finder) typed(in *frame) {
	if in.name == "" || in.Text == "" {
		in.name = f.frames[len(f.frames)-2].name
		if in.Node.Key != "" {
			in.name = "func"
		}
	}
	parts := 0 // parameters that are a part of an application
	for _, p := range in.Args {
		typ := f.typeOf(p.Type, nil)
		if f.Routes.Types[typ[strings.LastIndexByte(typ, '.')+1:]] && !f.Routes.Roots[typ] {
			parts++
		}
	}
	for _, p := range append(in.Else, in.Args...) {
		typ := f.typeOf(p.Type, nil)
		v := &value{typ: typ}
		if f.Routes.Roots[typ] && parts > 0 {
			v.router = &router{id: source.Program, made: true}
			f.set(p.Text, v)
			continue
		}
		if p.Type != nil && p.Type.Kind == Operator && p.Type.Text == "[]" {
			v.element = f.typeOf(p.Type.Args[0], nil)
		}
		if v.router = f.routing.given[in.Node]; (f.Routes.Types[typ] || f.Routes.Types[typ[strings.LastIndexByte(typ, '.')+1:]]) && (strings.Contains(typ, ".") || f.Routes.Functions) {
			if v.router == nil {
				v.router = &router{id: f.receiver(in.name), made: true, early: strings.HasPrefix(typ, "echo.")}
				f.routing.methods = append(f.routing.methods, in.name)
				if f.Routes.Roots[typ] {
					f.routing.roots = append(f.routing.roots, in.name)
				}
			}
		}
		f.set(p.Text, v)
	}
}

// fieldType returns the type of a field of a struct of the file, by the ID of both.
func (f *finder) fieldType(id string) *Node {
	owner, name, _ := cutLast(id)
	class := f.classes[owner]
	if class == nil {
		return nil
	}
	types, known := f.fieldTypes[class]
	if !known {
		types = map[string]*Node{}
		for _, field := range class.Body {
			typ := pointed(field.Type)
			if name := cmp.Or(field.Text, last(typ)); field.Kind == Name && typ != nil && types[name] == nil { // an embedded one has the name of its type
				types[name] = typ
			}
		}
		f.fieldTypes[class] = types
	}
	return types[name]
}

// rooted records that functions that are given a whole application need no prefix.
func (f *finder) rooted() {
	for _, name := range f.routing.roots {
		id := f.receiver(name)
		f.Steps(len(f.facts))
		if slices.ContainsFunc(f.facts, func(r source.Fact) bool { return r.Of == id && (r.Kind == source.Route || r.Kind == source.Mount) }) {
			f.tell(source.Fact{Kind: source.Mount, ID: id, Of: source.Program, Usage: source.Fallback}, f.Body[0])
		}
	}
}

// constructed mounts the methods that are given a router below the functions that return their type, since other files
// call them on the result.
func (f *finder) constructed(functions []*Node) {
	for _, n := range functions {
		typ := ""
		if n.Kind == Func && !strings.Contains(n.Text, ".") {
			typ = f.typeOf(n.Type, nil)
		}
		for _, method := range f.routing.methods {
			f.Step()
			if name, ok := strings.CutPrefix(method, typ+"."); ok && typ != "" {
				f.mounts(f.receiver(method), &router{id: f.receiver(n.Text + "." + name)}, n)
			}
		}
		for _, method := range f.routing.mounting {
			f.Step()
			if name, ok := strings.CutPrefix(method, typ+"."); ok && typ != "" {
				f.mounts(parameterOf(n.Text+"."+name), &router{id: parameterOf(method)}, n)
			}
		}
	}
}

func returned(fn *Node) string {
	if n := len(fn.Body); n > 0 && fn.Body[n-1].Kind == Return && fn.Body[n-1].X != nil && fn.Body[n-1].X.Kind == Name {
		return fn.Body[n-1].X.Text
	}
	return ""
}

func (f *finder) frame() *frame { return f.frames[len(f.frames)-1] }

// function returns the innermost open function, or nil if a class or the file is closer.
func (f *finder) function() *frame {
	if in := f.frame(); in.Kind == Func && in.name != "" {
		return in
	}
	return nil
}

// class returns the class of the innermost method, or nil.
func (f *finder) class() *frame {
	for i := len(f.frames) - 1; i > 0; i-- {
		if f.frames[i].Kind == Class {
			return f.frames[i]
		}
	}
	return nil
}

func (f *finder) self(name string) string {
	first, rest, ok := strings.Cut(name, ".")
	if in := f.class(); ok && f.Self[first] && in != nil {
		return in.name + "." + rest
	}
	return name
}

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
