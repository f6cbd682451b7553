package golang

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// change is what a local variable held before.
type change struct {
	name string
	was  router
	held bool
}

// set says what router a local variable holds from now on, if one.
func (x *routing) set(name string, h router, holds bool) {
	was, held := x.routers[name]
	if held || holds {
		x.undo = append(x.undo, change{name, was, held})
	}
	delete(x.routers, name)
	if holds {
		x.routers[name] = h
	}
}

// back takes back what was set since undo was so long.
func (x *routing) back(mark int) {
	for i := len(x.undo) - 1; i >= mark; i-- {
		delete(x.routers, x.undo[i].name)
		if x.undo[i].held {
			x.routers[x.undo[i].name] = x.undo[i].was
		}
	}
	x.undo = x.undo[:mark]
}

// makers are the functions that make a router.
var makers = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{
		"chi.NewRouter": true, "chi.NewMux": true, "mux.NewRouter": true, "gin.Default": true, "gin.New": true, "echo.New": true, "fiber.New": true,
		"http.NewServeMux": true, "httprouter.New": true, "pat.New": true, "bone.New": true, "router.New": true, "route.New": true,
	}
}}

// assignRouter notes what a variable holds from now on.
func (x *routing) assignRouter(to, value ast.Expr) {
	name, ok := to.(*ast.Ident)
	if !ok {
		return
	}
	if f, ok := value.(*ast.FuncLit); ok {
		x.inner(f, nil, name.Name)
		return
	}
	if !growsBefore(name.Name, value) {
		delete(x.paths, name.Name)
	}
	if text, ok := x.text(value); ok && strings.HasPrefix(text, "/") {
		x.paths[name.Name] = text
	}
	if call, is := value.(*ast.CallExpr); is && len(call.Args) == 1 && x.before[called(call)] {
		x.paths[name.Name] = x.pathText(call, 0)
	}
	h, ok := x.routerOf(value)
	if maker := makerOf(value); maker != "" {
		h, ok = router{id: x.function + "." + name.Name, echo: maker == "echo.New"}, true
		if name.Name == x.returns {
			h.id = x.function
		}
	}
	x.set(name.Name, h, ok)
}

// makerOf is the function that makes a router in a call, behind which methods may set it up: route.New().WithInstrumentation(f).
func makerOf(value ast.Expr) string {
	call, ok := value.(*ast.CallExpr)
	for range mostChained {
		if !ok {
			break
		}
		if name := called(call); strings.HasPrefix(name, "With") {
			sel, selected := call.Fun.(*ast.SelectorExpr)
			if !selected || name == "WithPrefix" {
				return ""
			}
			call, ok = sel.X.(*ast.CallExpr)
			continue
		}
		if name := dotted(call.Fun); makers.Get()[name] {
			return name
		}
		break
	}
	return ""
}

// growsBefore reports whether a variable is set to something before what it holds: path = prefix + path.
func growsBefore(name string, value ast.Expr) bool {
	sum, ok := value.(*ast.BinaryExpr)
	if !ok || sum.Op != token.ADD {
		return false
	}
	last, ok := sum.Y.(*ast.Ident)
	return ok && last.Name == name
}

// mostChained is how many calls behind each other are followed to the router that they begin with. Who asks does so at each of them.
const mostChained = 32

// routerOf is the router that an expression stands for.
func (x *routing) routerOf(e ast.Expr) (router, bool) { return x.chained(e, 0) }

func (x *routing) chained(e ast.Expr, depth int) (router, bool) {
	switch e := e.(type) {
	case *ast.Ident:
		h, ok := x.routers[e.Name]
		return h, ok
	case *ast.SelectorExpr:
		if name := strings.ToLower(e.Sel.Name); name == "router" || name == "mux" {
			if _, ok := e.X.(*ast.Ident); ok {
				return router{id: x.member(e)}, true
			}
		}
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		if !ok || depth == mostChained {
			return router{}, false
		}
		h, ok := x.chained(sel.X, depth+1)
		if !ok {
			return router{}, false
		}
		switch sel.Sel.Name {
		case "Group", "PathPrefix", "Route", "Party":
			if len(e.Args) > 0 {
				h = x.below(h, e.Args[0])
				h.whole = sel.Sel.Name == "PathPrefix"
				h.with = append(slices.Clone(h.with), wrappersOf(e.Args[1:])...)
			}
		case "Path":
			if len(e.Args) == 1 {
				h.path = x.pathText(e.Args[0], 0)
			}
		case "Methods":
			h.methods = x.methodTexts(e.Args)
		case "Subrouter":
			h.whole = false
		case "With":
			h.with = append(slices.Clone(h.with), wrappersOf(e.Args)...)
		case "Name", "Queries", "Headers", "HeadersRegexp", "Schemes", "Host", "MatcherFunc", "Use", "NewRoute", "StrictSlash", "HandleFunc", "Handle":
		default:
			return router{}, false
		}
		return h, true
	}
	return router{}, false
}

// below is a router behind a path.
func (x *routing) below(h router, path ast.Expr) router {
	if _, ok := path.(*ast.FuncLit); ok {
		return h
	}
	h.prefix = joined(h.prefix, x.pathText(path, 0))
	return h
}

// joined puts a path behind another one.
func joined(prefix, path string) string {
	if prefix == "" || path == "" {
		return prefix + path
	}
	return strings.TrimSuffix(prefix, "/") + "/" + strings.TrimPrefix(path, "/")
}
