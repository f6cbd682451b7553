package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// routing finds the routes that a file registers, by what the usual routers have in common: methods that are called as those of
// HTTP or `Handle…`, with a path and a handler. It follows a router through groups and subrouters. One that a function is given,
// or returns, has an ID, so that whoever mounts it says what comes before its paths.
type routing struct {
	*commander
	routers   map[string]router // by the names of local variables
	undo      []change          // of routers, the last one last
	registers map[string]router // local functions that register the path that they are given first
	key       string            // the first parameter of the function that is read
	self      string            // what the function is called as a local variable
	done      map[*ast.CallExpr]bool
	depth     int
	before    map[string]bool   // functions that put something before a path, or nothing
	paths     map[string]string // local variables that hold a path
	facts     []source.Fact
}

// router is what is known of a router: its ID, and what comes before the paths that are registered with it.
type router struct {
	id, prefix string
	with       []string // the functions through which requests go
	methods    []string // those that a chain of calls asks for
	path       string   // the path that a chain of calls asks for
	whole      bool     // a handler answers all that is behind prefix
	echo       bool     // the handler comes before what it is wrapped in
}

// routes adds the routes of the file.
func (r *reader) routes() {
	if !bytes.Contains(r.src, []byte(`"/`)) && !bytes.Contains(r.src, []byte("`/")) && !bytes.Contains(r.src, []byte(`"net/http"`)) && !namesRoute(r.src) {
		return
	}
	x := &routing{commander: newCommander(r), done: map[*ast.CallExpr]bool{}}
	x.declare()
	x.before = passing(r.tree.Decls)
	for _, d := range r.tree.Decls {
		x.paths = map[string]string{}
		x.function, x.held, x.key, x.returns = "", map[string]holding{}, "", ""
		x.routers, x.registers, x.undo = map[string]router{}, map[string]router{}, nil
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			x.enter(f)
			x.parameters(f.Type)
		}
		ast.Inspect(d, x.visitRoutes)
	}
	r.out.Facts = append(r.out.Facts, x.facts...)
}

// namesRoute reports whether some path may stand behind a method: "GET /carts". Comments begin otherwise.
func namesRoute(src []byte) bool {
	for {
		i := bytes.Index(src, []byte(" /"))
		if i < 0 {
			return false
		}
		src = src[i+2:]
		if len(src) > 0 && strings.IndexByte("/*= \n", src[0]) < 0 {
			return true
		}
	}
}

// routerTypes are the types of routers, by their names behind that of the package.
var routerTypes = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{
		"Router": true, "Mux": true, "ServeMux": true, "Engine": true, "RouterGroup": true, "IRouter": true, "IRoutes": true, "Echo": true, "Group": true, "App": true, "Route": true,
	}
}}

// parameters takes up the routers that a function is given.
func (x *routing) parameters(f *ast.FuncType) {
	x.key = ""
	for n, p := range f.Params.List {
		name := types.ExprString(p.Type)
		is := routerTypes.Get()[name[strings.LastIndexByte(name, '.')+1:]] && strings.Contains(name, ".")
		for i, v := range p.Names {
			x.set(v.Name, router{id: parameterOf(x.function), echo: strings.HasPrefix(strings.TrimPrefix(name, "*"), "echo.")}, is)
			if n+i == 0 && name == "string" {
				x.key = v.Name
			}
		}
	}
}

// mostDepth bounds how deep functions stand in each other.
const mostDepth = 32

func (x *routing) visitRoutes(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) {
			for i, l := range n.Lhs {
				x.assignRouter(l, n.Rhs[i])
			}
		}
	case *ast.ValueSpec:
		for i, v := range n.Names {
			if i < len(n.Values) {
				x.assignRouter(v, n.Values[i])
			}
		}
	case *ast.ReturnStmt:
		for _, v := range n.Results {
			if to, ok := x.routerOf(v); ok && x.function != "" && to.id != x.function {
				x.mount(x.function, to, "", v)
			}
		}
	case *ast.FuncLit:
		x.inner(n, nil, "")
		return false
	case *ast.CompositeLit:
		x.tableRoute(n)
	case *ast.CallExpr:
		return x.routeCall(n)
	}
	return true
}

// inner reads a function in an expression; the first router among its parameters is the one given.
func (x *routing) inner(f *ast.FuncLit, given *router, name string) {
	if x.depth == mostDepth {
		return
	}
	mark, key, self, function := len(x.undo), x.key, x.self, x.function
	x.depth++
	x.self = name
	if given == nil {
		x.function = "func"
	}
	x.parameters(f.Type)
	for _, p := range f.Type.Params.List {
		for _, v := range p.Names {
			if _, is := x.routers[v.Name]; is && given != nil {
				x.set(v.Name, *given, true)
			}
		}
	}
	ast.Inspect(f.Body, x.visitRoutes)
	x.depth--
	x.back(mark)
	x.key, x.self, x.function = key, self, function
}

// mostParts is how many parts of a path are added.
const mostParts = 16

// pathText is the path that an expression spells out. Computed parts become placeholders.
func (x *routing) pathText(e ast.Expr, depth int) string {
	if depth == mostParts {
		return source.Placeholder("")
	}
	if text, ok := x.text(e); ok {
		return text
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return x.pathText(e.X, depth+1) + x.pathText(e.Y, depth+1)
		}
	case *ast.Ident:
		if text := x.paths[e.Name]; text != "" {
			return text
		}
		return source.Placeholder(e.Name)
	case *ast.SelectorExpr:
		return source.Placeholder(dotted(e))
	case *ast.CallExpr:
		return x.pathCall(e, depth)
	}
	return source.Placeholder("")
}

// pathCall is the path that a call makes: of a text that it may put something before, of a format, or of parts.
func (x *routing) pathCall(call *ast.CallExpr, depth int) string {
	switch name := dotted(call.Fun); {
	case len(call.Args) == 1:
		text := x.pathText(call.Args[0], depth+1)
		switch {
		case x.before[called(call)] || name == "string":
			return text
		case strings.HasPrefix(text, "/"):
			return source.Placeholder("") + text
		}
	case name == "fmt.Sprintf" && len(call.Args) > 0:
		format, args := x.pathText(call.Args[0], depth+1), call.Args[1:]
		for _, a := range args {
			before, after, found := strings.Cut(format, "%")
			if !found || after == "" {
				break
			}
			format = before + x.pathText(a, depth+1) + after[1:]
		}
		return format
	case name == "path.Join":
		text := ""
		for _, a := range call.Args {
			text = joined(text, x.pathText(a, depth+1))
		}
		return text
	}
	return source.Placeholder("")
}

// called is the name of the function or method that is called.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// passing finds the functions of one text that return it as it is where nothing is configured to stand before it: those that
// return it, or a sum that ends with it.
func passing(decls []ast.Decl) map[string]bool {
	out := map[string]bool{}
	for _, d := range decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || len(f.Type.Params.List) != 1 || len(f.Type.Params.List[0].Names) != 1 {
			continue
		}
		path := f.Type.Params.List[0].Names[0].Name
		plain, sum := false, false
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if ret, ok := n.(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
				switch e := ret.Results[0].(type) {
				case *ast.Ident:
					plain = plain || e.Name == path
				case *ast.BinaryExpr:
					last, ok := e.Y.(*ast.Ident)
					sum = sum || ok && e.Op == token.ADD && last.Name == path
				}
			}
			return true
		})
		if plain && sum {
			out[f.Name.Name] = true
		}
	}
	return out
}

// methodTexts are the methods of HTTP that arguments name.
func (x *routing) methodTexts(args []ast.Expr) []string {
	var out []string
	for _, a := range args {
		if m := x.methodText(a); m != "" {
			out = append(out, m)
		}
	}
	return out
}

func (x *routing) methodText(e ast.Expr) string {
	text, ok := x.text(e)
	if !ok {
		text, ok = strings.CutPrefix(dotted(e), "http.Method")
	}
	if text = strings.ToUpper(text); !ok || !httpMethods.Get()[text] {
		return ""
	}
	return text
}

var httpMethods = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{
		"GET": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true, "HEAD": true, "OPTIONS": true, "CONNECT": true, "TRACE": true,
	}
}}

// tell keeps a fact with its line.
func (x *routing) tell(f source.Fact, at ast.Node) {
	f.Line = x.r.line(at.Pos())
	x.facts = append(x.facts, f)
}

// mount says that what has an ID stands behind a router's path.
func (x *routing) mount(id string, h router, path string, at ast.Node) {
	if id == "" || h.id == id {
		return
	}
	f := source.Fact{Kind: source.Mount, ID: id, Of: h.id, Name: joined(h.prefix, path)}
	if f.Of == "" {
		f.Of = source.Program
	}
	x.tell(f, at)
}
