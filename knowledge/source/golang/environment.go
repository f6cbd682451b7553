package golang

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// environment finds the variables of the environment that a file reads, with what holds where they are not set: directly,
// through functions of the repository that are given the name, and through the tags of fields.
type environment struct {
	*commander
	defaults map[*ast.CallExpr]string // what is taken where the call finds nothing
	keys     []string                 // the first two parameters of the function, empty where they cannot name a variable
	fallback string                   // the parameter that holds where there is no variable
	returned bool                     // the function returns fallback somewhere
	asking   map[string]bool          // parameters that are functions like os.Getenv
	locals   map[string]bool          // what functions declare
	loops    map[string][]string      // the texts that the variables of loops stand for
	facts    []source.Fact
}

// environment adds what the file reads. It says more than calls, and so comes first.
func (r *reader) environment() {
	if !bytes.Contains(r.src, []byte("env")) && !bytes.Contains(r.src, []byte("Env")) && !namesVariable(r.src) {
		return
	}
	e := &environment{commander: newCommander(r), defaults: map[*ast.CallExpr]string{}}
	e.declare()
	for _, d := range r.tree.Decls {
		e.function, e.held, e.keys, e.fallback, e.returned = "", map[string]holding{}, nil, "", false
		e.asking = map[string]bool{}
		e.loops, e.locals = map[string][]string{}, map[string]bool{}
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			e.enter(f)
			e.parameters(f)
		}
		ast.Inspect(d, e.find)
		ast.Inspect(d, e.read)
	}
	e.prefixed()
	slices.SortStableFunc(e.facts, func(a, b source.Fact) int { return cmp.Compare(min(len(b.Default), 1), min(len(a.Default), 1)) }) // what tells more first
	r.out.Facts = append(e.facts, r.out.Facts...)
}

// namesVariable reports whether some call has for its first argument a text that looks like a variable.
func namesVariable(src []byte) bool {
	for {
		i := bytes.Index(src, []byte(`("`))
		if i < 0 {
			return false
		}
		src = src[i+2:]
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

// isVariable reports whether a text is written as variables are.
func isVariable(name string) bool {
	for i := range len(name) {
		if !isVariableByte(name[i]) {
			return false
		}
	}
	return len(name) > 1 && name[0] >= 'A' && name[0] <= 'Z'
}

// parameters takes up the first parameters of a function, and those that read variables themselves.
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

// read notes what calls and types read.
func (e *environment) read(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if call := e.asks(n); call == n {
			e.direct(n)
		} else if len(n.Args) > 0 {
			e.through(n)
		}
	case *ast.RangeStmt:
		if v, ok := n.Value.(*ast.Ident); ok {
			e.loops[v.Name] = nil
			if texts := e.textsOf(n.X); len(texts) <= mostLooped {
				e.loops[v.Name] = texts
			}
		}
	case *ast.StructType:
		e.tagged(n, "", 0)
		return false
	}
	return true
}

// mostLooped is how many texts a loop goes over that are told: for each use of its variable, all are.
const mostLooped = 256

// direct notes a call of the standard library, of which the function's own parameter may be the name.
func (e *environment) direct(call *ast.CallExpr) {
	if name := e.variable(call.Args[0]); name != "" {
		e.note(source.Fact{Kind: source.Env, Name: name, Default: e.defaults[call]}, call)
		return
	}
	if name, ok := call.Args[0].(*ast.Ident); ok {
		for _, text := range e.loops[name.Name] {
			e.note(source.Fact{Kind: source.Env, Name: text}, call)
		}
	}
	if at, ok := e.isKey(call.Args[0]); ok {
		e.note(source.Fact{Kind: source.Reads, ID: e.function, Also: at, Value: e.second(), Default: e.defaults[call]}, call)
	}
}

// variable is the name that an expression spells out: a text, or source.Named of a constant that another file declares.
func (e *environment) variable(x ast.Expr) string {
	if text, ok := e.text(x); ok {
		return text
	}
	name, ok := x.(*ast.Ident)
	if !ok || len(name.Name) < 2 {
		return ""
	}
	if _, local := e.held[name.Name]; local || e.loops[name.Name] != nil || slices.Contains(e.keys, name.Name) || e.locals[name.Name] {
		return ""
	}
	return source.Named + name.Name
}

// through notes the call of a function that may read the variable that it is given the name of.
func (e *environment) through(call *ast.CallExpr) {
	made := e.made(call)
	if made == "" {
		return
	}
	about := strings.Contains(strings.ToLower(made), "env")
	for n, a := range call.Args[:min(len(call.Args), 2)] {
		name, position := e.variable(a), positions[n]
		constant, named := strings.CutPrefix(name, source.Named)
		switch at, ok := e.isKey(a); {
		case named && (!strings.Contains(strings.ToLower(constant), "env") && !about || n > 0 && !strings.Contains(strings.ToLower(constant), "env")):
		case named || isVariable(name) && (about && n == 0 || strings.Contains(name, "_")):
			f := source.Fact{Kind: source.Env, Name: name, Of: made, Also: position}
			if len(call.Args) > n+1 {
				f.Default = e.defaultOf(call.Args[n+1])
			}
			e.note(f, call)
			return
		case about && ok && n == 0 && made != e.function:
			e.note(source.Fact{Kind: source.Reads, ID: e.function, Of: made, Also: at, Value: e.second()}, call)
			return
		}
	}
}

// positions are the places of arguments, as facts tell them: nothing of the first.
var positions = [2]string{"", source.Second}

// isKey reports whether an expression is a parameter that may name a variable, and which.
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

// second says that what a function is given behind the name is what holds otherwise.
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
