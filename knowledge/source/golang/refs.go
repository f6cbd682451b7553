package golang

import (
	"go/ast"
	"go/types"
	"slices"
)

// refs collects names in expressions that may refer to declarations, excluding field, parameter and method names.
type refs struct {
	list  []string
	bound map[string]bool // type parameters in scope, which are not references
}

func (r *refs) begin(bound map[string]bool) {
	r.list, r.bound = r.list[:0], bound
}

func (r *refs) sorted() []string {
	if len(r.list) == 0 {
		return nil
	}
	slices.Sort(r.list)
	return slices.Clone(slices.Compact(r.list))
}

func (r *refs) add(e ast.Expr) {
	if e != nil {
		ast.Walk(r, e)
	}
}

// Visit implements ast.Visitor.
func (r *refs) Visit(n ast.Node) ast.Visitor {
	switch x := n.(type) {
	case *ast.Field:
		r.add(x.Type)
		return nil
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok {
			r.list = append(r.list, pkg.Name+"."+x.Sel.Name)
			return nil
		}
	case *ast.FuncLit:
		r.add(x.Type)
		return nil
	case *ast.KeyValueExpr:
		r.add(x.Value)
		return nil
	case *ast.Ident:
		if !r.bound[x.Name] && types.Universe.Lookup(x.Name) == nil && x.Name != "_" {
			r.list = append(r.list, x.Name)
		}
	}
	return r
}

func typeParams(lists ...*ast.FieldList) map[string]bool {
	var out map[string]bool
	for _, l := range lists {
		if l == nil {
			continue
		}
		for _, f := range l.List {
			for _, n := range f.Names {
				out = bind(out, n)
			}
			if x, ok := f.Type.(*ast.StarExpr); ok {
				out = bindIndices(out, x.X)
			}
			out = bindIndices(out, f.Type)
		}
	}
	return out
}

func bindIndices(out map[string]bool, e ast.Expr) map[string]bool {
	switch x := e.(type) {
	case *ast.IndexExpr:
		out = bind(out, x.Index)
	case *ast.IndexListExpr:
		for _, i := range x.Indices {
			out = bind(out, i)
		}
	}
	return out
}

func bind(out map[string]bool, e ast.Expr) map[string]bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return out
	}
	if out == nil {
		out = map[string]bool{}
	}
	out[id.Name] = true
	return out
}
