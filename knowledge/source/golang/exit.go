package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// exitReader finds the exit codes of a file: the literals that a call of os.Exit has, or that the variable has which it is given, and those
// that a function returns whose result it is given. A function may pass its first parameter on.
type exitReader struct {
	r         *reader
	functions map[string]*ast.FuncDecl // of the file
	left      int                      // how many expressions are still followed
}

// exitWords are in the names of functions that may end the program with an argument.
var exitWords = lazy.Value[[]string]{Make: func() []string { return []string{"exit", "fatal", "die", "quit", "abort"} }}

const (
	// mostExits bounds the expressions of a file that are followed to their codes.
	mostExits = 4096
	// walked is for how many of them a walk over a function counts.
	walked = 64
)

func (r *reader) exits() {
	if !bytes.Contains(r.src, []byte("xit")) && !bytes.Contains(r.src, []byte("die")) {
		return
	}
	x := &exitReader{r, map[string]*ast.FuncDecl{}, mostExits}
	for _, d := range r.tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Body != nil {
			x.functions[f.Name.Name] = f
		}
	}
	for _, d := range r.tree.Decls {
		f, _ := d.(*ast.FuncDecl)
		ast.Inspect(d, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 0 {
				x.call(f, call)
			}
			return true
		})
	}
}

// call notes the exit codes of a call.
func (x *exitReader) call(in *ast.FuncDecl, call *ast.CallExpr) {
	callee, of := dotted(call.Fun), ""
	if callee != "os.Exit" {
		lower := strings.ToLower(callee)
		var found bool
		for _, word := range exitWords.Get() {
			found = found || strings.Contains(lower, word)
		}
		if !found {
			return
		}
		of = callee
	}
	if of == "" && in != nil && in.Recv == nil && nameOf(call.Args[0]) != "" && nameOf(call.Args[0]) == firstParameter(in) {
		x.note(source.Fact{Kind: source.Exit, ID: in.Name.Name}, call)
		return
	}
	for _, code := range x.codes(in, call.Args[0], 2) {
		x.note(source.Fact{Kind: source.Exit, Name: code, Of: of}, call)
	}
}

func (x *exitReader) note(f source.Fact, at ast.Node) {
	f.Line = x.r.line(at.Pos())
	x.r.out.Facts = append(x.r.out.Facts, f)
}

// firstParameter is the name of the first parameter of a function.
func firstParameter(f *ast.FuncDecl) string {
	if p := f.Type.Params.List; len(p) > 0 && len(p[0].Names) > 0 {
		return p[0].Names[0].Name
	}
	return ""
}

// codes are what an expression of a function may be: literals, names of constants with source.Named before them, and source.Unknown.
func (x *exitReader) codes(in *ast.FuncDecl, e ast.Expr, deep int) []string {
	if x.left--; x.left < 0 || deep < 0 {
		return []string{source.Unknown}
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.INT {
			return []string{e.Value}
		}
		return nil // it is no code at all
	case *ast.UnaryExpr:
		if lit, ok := e.X.(*ast.BasicLit); ok && e.Op == token.SUB {
			return []string{"-" + lit.Value}
		}
	case *ast.Ident:
		x.left -= walked
		values, local := assignedTo(in, e.Name)
		var out []string
		for _, v := range values {
			out = append(out, x.codes(in, v, deep-1)...)
		}
		switch {
		case len(out) > 0:
			return out
		case !local && e.Name != "nil" && len(e.Name) > 1:
			return []string{source.Named + e.Name}
		}
	case *ast.CallExpr:
		x.left -= walked
		if f := x.functions[nameOf(e.Fun)]; f != nil && f.Type.Results != nil && deep > 0 {
			var out []string
			for _, v := range returnsOf(f) {
				out = append(out, x.codes(f, v, deep-1)...)
			}
			return out
		}
	}
	return []string{source.Unknown}
}

// assignedTo are the values that a function assigns to a variable, and whether it is a local one.
func assignedTo(f *ast.FuncDecl, name string) (values []ast.Expr, local bool) {
	if f == nil {
		return nil, false
	}
	for _, p := range f.Type.Params.List {
		for _, n := range p.Names {
			local = local || n.Name == name
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if nameOf(l) == name {
					local = true
					if len(n.Rhs) == len(n.Lhs) {
						values = append(values, n.Rhs[i])
					}
				}
			}
		case *ast.ValueSpec:
			for i, l := range n.Names {
				if l.Name == name {
					local = true
					if i < len(n.Values) {
						values = append(values, n.Values[i])
					}
				}
			}
		}
		return true
	})
	return values, local
}

// returnsOf are the first results of a function.
func returnsOf(f *ast.FuncDecl) (out []ast.Expr) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > 0 {
				out = append(out, n.Results[0])
			}
		}
		return true
	})
	return out
}
