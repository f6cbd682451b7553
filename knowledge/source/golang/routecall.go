package golang

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// routeMethods register a handler under a path; the value is the method that the name stands for.
var routeMethods = lazy.Value[map[string]string]{Make: func() map[string]string {
	m := map[string]string{"HandleFunc": "", "Handle": "", "HandlerFunc": "", "Handler": "", "Any": "", "All": ""}
	for _, method := range []string{"Get", "Post", "Put", "Patch", "Delete", "Head", "Options"} {
		m[method], m[strings.ToUpper(method)] = strings.ToUpper(method), strings.ToUpper(method)
	}
	return m
}}

// methodFirst are those that are given the method before the path.
var methodFirst = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"Handle": true, "Method": true, "MethodFunc": true, "Add": true, "Handler": true, "HandlerFunc": true, "HandleFunc": true}
}}

// routeCall reads a call; false where what it is given was read with it.
func (x *routing) routeCall(call *ast.CallExpr) bool {
	if name, ok := call.Fun.(*ast.Ident); ok {
		if h, ok := x.registers[name.Name]; ok && len(call.Args) > 1 && !x.registersItself(call.Args[0], h) {
			x.route(h, "", call.Args[0], call.Args[1:], call)
			return true
		}
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || x.done[call] {
		x.handedOn(call)
		return true
	}
	h, known := x.routerOf(sel.X)
	switch name := sel.Sel.Name; {
	case name == "Methods" && known:
		inner, is := sel.X.(*ast.CallExpr)
		for range mostChained {
			if !is || registersPath(inner) {
				break
			}
			s, chained := inner.Fun.(*ast.SelectorExpr)
			if !chained {
				break
			}
			inner, is = s.X.(*ast.CallExpr)
		}
		if is && registersPath(inner) && len(inner.Args) > 1 {
			x.done[inner] = true
			h.methods = x.methodTexts(call.Args)
			x.route(h, "", inner.Args[0], inner.Args[1:2], inner)
		}
	case (name == "Route" || name == "Group") && known && len(call.Args) > 0:
		last := call.Args[len(call.Args)-1]
		if len(call.Args) > 1 {
			h = x.below(h, call.Args[0])
		}
		if f, ok := last.(*ast.FuncLit); ok {
			x.inner(f, &h, "")
			return false
		}
		if id := x.reference(last); id != "" && name == "Route" {
			x.mount(parameterOf(id), h, "", call)
		}
	case name == "Mount" && len(call.Args) == 2:
		x.mounted(x.below(h, call.Args[0]), call.Args[1], call)
	case x.registered(sel, call, h, known):
	default:
		x.handedOn(call)
	}
	return true
}

func registersPath(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "HandleFunc" || sel.Sel.Name == "Handle")
}

// registered reads a call that registers a handler; false where it does not.
func (x *routing) registered(sel *ast.SelectorExpr, call *ast.CallExpr, h router, known bool) bool {
	name, args := sel.Sel.Name, call.Args
	if known && methodFirst.Get()[name] && len(args) > 2 {
		if method := x.methodText(args[0]); method != "" {
			x.route(h, method, args[1], args[2:3], call)
			return true
		}
	}
	if lit, ok := firstList(args); ok && known && name == "Match" && len(args) > 2 { // g.Match([]string{"GET"}, "/x", h)
		h.methods = x.methodTexts(lit.Elts)
		x.route(h, "", args[1], args[2:], call)
		return true
	}
	method, ok := routeMethods.Get()[name]
	if !ok {
		return false
	}
	if known && h.whole && h.path == "" && len(args) == 1 { // r.PathPrefix("/x/").Handler(h)
		x.routeAt(router{id: h.id, methods: h.methods, with: h.with}, h.prefix, args, call)
		return true
	}
	if known && h.path != "" && len(args) == 1 { // r.Path("/x").Handler(h)
		x.routeAt(h, h.path, args, call)
		return true
	}
	pkg := dotted(sel.X)
	if len(args) < 2 || pkg == "http" && method != "" || !known && (name == "Any" || name == "All" || name == "Handler") {
		return false
	}
	switch last := args[len(args)-1].(type) {
	case *ast.BasicLit:
		return false // what is sent to a path
	case *ast.UnaryExpr:
		if _, made := last.X.(*ast.CompositeLit); !known && !made {
			return false // what the answer goes to
		}
	}
	handlers := args[1:]
	if h.echo { // the handler comes first
		handlers = slices.Concat(args[2:], args[1:2])
	}
	if x.registersItself(args[0], h) {
		return true
	}
	if !known && pkg != "http" && strings.HasPrefix(x.pathText(args[0], 0), "$(") {
		return false // clients put addresses together
	}
	x.route(h, method, args[0], handlers, call)
	if strip, ok := args[len(args)-1].(*ast.CallExpr); ok && dotted(strip.Fun) == "http.StripPrefix" && len(strip.Args) == 2 {
		x.mounted(x.below(h, strip.Args[0]), strip.Args[1], call)
	}
	return true
}

// firstList is the list that arguments begin with.
func firstList(args []ast.Expr) (*ast.CompositeLit, bool) {
	if len(args) == 0 {
		return nil, false
	}
	lit, ok := args[0].(*ast.CompositeLit)
	return lit, ok
}

// registersItself notes that the local function that is read registers the path that it is given first.
func (x *routing) registersItself(path ast.Expr, h router) bool {
	name, ok := path.(*ast.Ident)
	if !ok || x.self == "" || x.key == "" || name.Name != x.key {
		return false
	}
	x.registers[x.self] = h
	return true
}

// route notes a route whose path is an expression. The last of the handlers comes behind the others.
func (x *routing) route(h router, method string, path ast.Expr, handlers []ast.Expr, at ast.Node) {
	text := x.pathText(path, 0)
	if m, rest, ok := strings.Cut(text, " "); ok && httpMethods.Get()[m] {
		method, text = m, strings.TrimSpace(rest)
	}
	if text == "" && h.prefix != "" {
		text = "/"
	}
	computed := strings.HasPrefix(text, "$(")
	if h.id != "" && method != "" && text != "" && text[0] != '/' && !computed { // a router adds the slash
		text = "/" + text
	}
	if !computed && !strings.HasPrefix(text, "/") || computed && !isRoutePath(text) || strings.ContainsAny(text, " \n\t") || strings.Contains(text, "//") {
		return
	}
	if method != "" {
		h.methods = []string{method}
	}
	x.routeAt(h, text, handlers, at)
}

// isRoutePath reports whether a text with a computed beginning is a path: a literal follows, or the beginning may be a
// constant of another package.
func isRoutePath(text string) bool {
	name, rest, _ := strings.Cut(strings.TrimPrefix(text, "$("), ")")
	return strings.HasPrefix(rest, "/") || ast.IsExported(name[strings.LastIndexByte(name, '.')+1:])
}

func (x *routing) routeAt(h router, path string, handlers []ast.Expr, at ast.Node) {
	if path = joined(h.prefix, path); len(h.prefix) > 1 && strings.TrimSuffix(path, "/") == h.prefix {
		path = h.prefix
	}
	methods := h.methods
	if len(methods) == 0 {
		methods = []string{""}
	}
	last := len(handlers) - 1
	with := append(slices.Clone(h.with), wrappersOf(handlers[:last])...)
	for _, m := range methods {
		x.tell(source.Fact{
			Kind: source.Route, Name: strings.TrimSpace(m + " " + path), Of: h.id, Value: strings.TrimPrefix(handlerText(handlers[last], 0), source.Anonymous),
			Also: strings.Join(with, ", "),
		}, at)
	}
}

// wrappersOf are the names of functions through which requests go to a handler.
func wrappersOf(args []ast.Expr) []string {
	var out []string
	for _, a := range args {
		if name, _, _ := strings.Cut(handlerText(a, 0), "("); name != "" && name != source.Anonymous {
			out = append(out, name)
		}
	}
	return out
}

// deepestHandler bounds the nesting of calls around a handler.
const deepestHandler = 8

// handlerText is how code calls a handler, with the calls that wrap it: auth(list).
func handlerText(e ast.Expr, depth int) string {
	switch e := e.(type) {
	case *ast.Ident:
		if e.Name != "nil" {
			return e.Name
		}
	case *ast.SelectorExpr:
		switch e.X.(type) {
		case *ast.Ident, *ast.SelectorExpr:
			return types.ExprString(e)
		}
	case *ast.FuncLit:
		return source.Anonymous
	case *ast.UnaryExpr:
		if lit, ok := e.X.(*ast.CompositeLit); ok {
			return dotted(lit.Type)
		}
	case *ast.CompositeLit:
		return dotted(e.Type)
	case *ast.CallExpr:
		name, _, _ := strings.Cut(handlerText(e.Fun, depth), "(")
		if name == "" || depth == deepestHandler {
			return ""
		}
		var inner []string
		for _, a := range e.Args {
			if text := handlerText(a, depth+1); text != "" {
				inner = append(inner, text)
			}
		}
		if strings.HasSuffix(name, "HandlerFunc") && len(e.Args) == 1 { // a conversion
			return strings.Join(inner, "")
		}
		return name + "(" + strings.Join(inner, ",") + ")"
	}
	return ""
}

// mounted says that the router that an expression stands for, or a function makes, is behind a path.
func (x *routing) mounted(h router, what ast.Expr, at ast.Node) {
	if own, ok := x.routerOf(what); ok {
		x.mount(own.id, h, "", at)
		return
	}
	if call, ok := what.(*ast.CallExpr); ok {
		x.mount(x.reference(call.Fun), h, "", at)
	}
}

// reference is the ID of a function that is named.
func (x *routing) reference(e ast.Expr) string {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return x.made(&ast.CallExpr{Fun: e})
	}
	return ""
}

// handedOn notes that a function is given a router, with which it may register what it has.
func (x *routing) handedOn(call *ast.CallExpr) {
	if name := dotted(call.Fun); makers.Get()[name] || name == "http.StripPrefix" {
		return
	}
	for _, a := range call.Args {
		if h, ok := x.routerOf(a); ok {
			if id := x.reference(call.Fun); id != "" {
				x.mount(parameterOf(id), h, "", call)
			}
			return
		}
	}
}

// tableRoute reads a literal that has a path and a handler for it: {Pattern: "/x", Handler: h}.
func (x *routing) tableRoute(lit *ast.CompositeLit) {
	var path, handler ast.Expr
	method := ""
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, _ := kv.Key.(*ast.Ident)
		if key == nil {
			continue
		}
		switch key.Name {
		case "Pattern", "Path":
			path = kv.Value
		case "Handler", "HandlerFunc":
			handler = kv.Value
		case "Method":
			method = x.methodText(kv.Value)
		}
	}
	if path != nil && handler != nil {
		x.route(router{}, method, path, []ast.Expr{handler}, lit)
	}
}
