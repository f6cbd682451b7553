package golang

import (
	"bytes"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// environment finds the environment variables that a file reads, with their defaults: directly, through functions of
// the repository that take the name, and through field tags.
type environment struct {
	*commander
	absent   map[*ast.CallExpr]absence // default of the variable that the call reads
	keys     []string                  // first two parameters of the function; empty if they cannot be a variable name
	fallback string                    // parameter that is the default
	returned bool                      // the function returns fallback
	asking   map[string]bool           // parameters that are functions like os.Getenv
	locals   map[string]bool           // local names of functions
	changed  map[string]bool           // reassigned locals
	loops    map[string]*tableLoop     // by loop variable
	elements map[string]*tableLoop     // by variable initialized with an element
	facts    []source.Fact
}

// environment adds the variables that the file reads. It is more specific than the call facts, so it runs first.
func (r *reader) environment() {
	if !bytes.Contains(r.src, []byte("env")) && !bytes.Contains(r.src, []byte("Env")) && !bytes.Contains(r.src, []byte("viper")) && !namesVariable(r.src) {
		return
	}
	e := &environment{commander: newCommander(r), absent: map[*ast.CallExpr]absence{}}
	e.declare()
	for _, d := range r.tree.Decls {
		e.function, e.held, e.keys, e.fallback, e.returned = "", map[string]holding{}, nil, "", false
		e.asking, e.lists = map[string]bool{}, map[string]ast.Expr{}
		e.loops, e.elements = map[string]*tableLoop{}, map[string]*tableLoop{}
		e.locals, e.changed = map[string]bool{}, map[string]bool{}
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			e.enter(f)
			e.parameters(f)
		}
		ast.Inspect(d, e.find)
		ast.Inspect(d, e.read)
	}
	e.tabled()
	e.viper()
	r.out.Facts = append(e.facts, r.out.Facts...)
}

func namesVariable(src []byte) bool {
	for {
		i := bytes.IndexByte(src, '"')
		if i < 0 {
			return false
		}
		src = src[i+1:]
		end := 0
		for end < len(src) && isVariableByte(src[end]) {
			end++
		}
		if end < len(src) && src[end] == '"' && bytes.IndexByte(src[:end], '_') > 0 {
			return true
		}
	}
}

func isVariableByte(c byte) bool { return c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9' }

func isVariable(name string) bool {
	for i := range len(name) {
		if !isVariableByte(name[i]) {
			return false
		}
	}
	return len(name) > 1 && name[0] >= 'A' && name[0] <= 'Z'
}

func (e *environment) parameters(f *ast.FuncDecl) {
	var names []string
	for _, p := range f.Type.Params.List {
		typ := types.ExprString(p.Type)
		for _, n := range p.Names {
			if len(names) < 2 && typ == "string" {
				e.keys = append(e.keys, n.Name)
			} else if len(names) < 2 {
				e.keys = append(e.keys, "")
			}
			names = append(names, n.Name)
			if asksType.Get()[typ] && strings.Contains(strings.ToLower(n.Name), "env") {
				e.asking[n.Name] = true
			}
		}
	}
	if len(e.keys) == 0 || e.keys[0] == "" || len(names) < 2 {
		return
	}
	e.fallback = names[1]
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok && len(ret.Results) > 0 {
			name, ok := ret.Results[0].(*ast.Ident)
			e.returned = e.returned || ok && name.Name == e.fallback
		}
		return true
	})
}

func (e *environment) read(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if call := e.asks(n); call == n {
			e.direct(n)
		} else if len(n.Args) > 0 {
			e.through(n)
		}
	case *ast.SelectorExpr:
		if dotted(n) == "http.ProxyFromEnvironment" {
			for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"} {
				e.note(source.Fact{Kind: source.Env, Name: name, Help: "read by net/http"}, n)
			}
		}
	case *ast.RangeStmt:
		e.over(n)
	case *ast.StructType:
		e.tagged(n, "", 0)
		return false
	}
	return true
}

// direct records a standard library call; the variable name may be a parameter of the function.
func (e *environment) direct(call *ast.CallExpr) {
	not := e.absent[call]
	if at, ok := e.isKey(call.Args[0]); ok {
		e.note(source.Fact{Kind: source.Reads, ID: e.function, Also: at, Value: e.second(), Default: not.value, Usage: not.usage}, call)
		return
	}
	for _, n := range e.names(call.Args[0]) {
		f := source.Fact{Kind: source.Env, Name: n.text, Default: not.value, Usage: not.usage}
		if n.of != "" {
			f = source.Fact{Kind: source.Reads, ID: n.of}
		}
		if n.row != nil && f.Default == "" && f.Usage == "" {
			f.Default, f.Help = e.cells(n.row)
			if e.elements[not.kept] == n.loop && f.Default == "" {
				f.Default = e.defaultOf(n.row.value)
			}
		}
		e.note(f, call)
	}
}

// through records a call of a function that may read the variable named by its argument.
func (e *environment) through(call *ast.CallExpr) {
	made := e.made(call)
	if made == "" {
		return
	}
	about := strings.Contains(strings.ToLower(made), "env")
	for n, a := range call.Args[:min(len(call.Args), 2)] {
		if at, ok := e.isKey(a); ok {
			if about && n == 0 && made != e.function {
				e.note(source.Fact{Kind: source.Reads, ID: e.function, Of: made, Also: at, Value: e.second()}, call)
				return
			}
			continue
		}
		names := e.names(a)
		if !slices.ContainsFunc(names, func(x named) bool { return x.of == "" && isAsked(x.text, about, n) }) {
			continue
		}
		for _, x := range names {
			f := source.Fact{Kind: source.Env, Name: x.text, Of: made, Also: positions[n]}
			if len(call.Args) > n+1 {
				not := e.absenceOf(call.Args[n+1])
				f.Default, f.Usage = not.value, not.usage
			}
			e.note(f, call)
		}
		return
	}
}

// isAsked reports whether an argument may be the name of a variable that the function reads. about means that the
// function's name suggests the environment.
func isAsked(name string, about bool, argument int) bool {
	if constant, ok := strings.CutPrefix(name, source.Named); ok {
		return about && argument == 0 || strings.Contains(strings.ToLower(constant), "env")
	}
	plain := strings.Trim(name, "_*")
	return name == source.Unknown && about && argument == 0 || isVariable(plain) && (about && argument == 0 || strings.Contains(name, "_"))
}

// positions are argument positions as in facts; the first is empty.
var positions = [2]string{"", source.Second}

// isKey reports whether an expression is a parameter that may name a variable, and its position.
func (e *environment) isKey(x ast.Expr) (position string, ok bool) {
	name, ok := x.(*ast.Ident)
	if !ok || name.Name == "" {
		return "", false
	}
	n := slices.Index(e.keys, name.Name)
	if n < 0 {
		return "", false
	}
	return positions[n], true
}

// second marks the parameter after the name as the default.
func (e *environment) second() string {
	if e.returned {
		return source.Fallback
	}
	return ""
}

func (e *environment) note(f source.Fact, at ast.Node) {
	f.Line = e.r.line(at.Pos())
	e.facts = append(e.facts, f)
}
