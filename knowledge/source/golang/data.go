package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"strconv"

	"github.com/causaldocs/causal/knowledge/ddl"
)

// data finds the tables that SQL in the strings of the file creates.
func (r *reader) data() {
	contains := func(text string) bool { return bytes.Contains(r.src, []byte(text)) }
	if ddl.Mentions(contains) {
		var s ddl.Schema
		for _, d := range r.tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && ddl.TakesBack(f.Name.Name) {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				e, ok := n.(ast.Expr)
				if !ok {
					return true
				}
				text, ok := written(e)
				if ok {
					s.SQL("", r.line(e.Pos()), text)
				}
				return !ok
			})
		}
		r.out.Facts = append(r.out.Facts, s.Facts()...)
	}
}

// written is a string, or several that are added. What is computed of it is ddl.Computed.
func written(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		x, isX := written(e.X)
		y, isY := written(e.Y)
		switch {
		case !isX && !isY:
			return "", false
		case !isX:
			x = ddl.Computed
		case !isY:
			y = ddl.Computed
		}
		return x + y, true
	}
	return "", false
}
