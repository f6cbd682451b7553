package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"strconv"

	"github.com/causaldocs/causal/knowledge/ddl"
)

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

// written returns a string or a concatenation, with ddl.Computed for computed parts.
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
