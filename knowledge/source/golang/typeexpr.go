package golang

import (
	"go/ast"

	"github.com/causaldocs/causal/knowledge/source"
)

// typeExpr walks a type and returns it if its relevant names are unbound: then it means the same in the whole file.
func (w *walker) typeExpr(e ast.Expr) ast.Expr {
	var within ast.Expr
	switch x := e.(type) {
	case *ast.Ident:
		w.name(x, source.AsType)
		if w.find(x.Name) == nil {
			within = x
		}
	case *ast.SelectorExpr:
		w.selection(x, source.AsType)
		if id, ok := x.X.(*ast.Ident); ok && w.find(id.Name) == nil {
			within = x
		}
	case *ast.StarExpr:
		within = w.typeExpr(x.X)
	case *ast.ParenExpr:
		within = w.typeExpr(x.X)
	case *ast.ArrayType:
		w.length(x.Len)
		within = w.typeExpr(x.Elt)
	case *ast.MapType:
		key := w.typeExpr(x.Key)
		if within = w.typeExpr(x.Value); key == nil {
			return nil
		}
	case *ast.ChanType:
		within = w.typeExpr(x.Value)
	case *ast.IndexExpr:
		within = w.typeExpr(x.X)
		w.typeExpr(x.Index)
	case *ast.IndexListExpr:
		within = w.typeExpr(x.X)
		for _, i := range x.Indices {
			w.typeExpr(i)
		}
	default:
		w.typeLiteral(e)
	}
	if within == nil {
		return nil
	}
	return e
}

// length walks an array length, which may be given by the literal.
func (w *walker) length(e ast.Expr) {
	if _, ok := e.(*ast.Ellipsis); !ok {
		w.expr(e)
	}
}

func (w *walker) typeLiteral(e ast.Expr) {
	switch x := e.(type) {
	case *ast.Ellipsis:
		w.typeExpr(x.Elt)
	case *ast.FuncType:
		w.fieldTypes(x.Params)
		w.fieldTypes(x.Results)
	case *ast.StructType:
		w.fieldTypes(x.Fields)
	case *ast.InterfaceType:
		w.fieldTypes(x.Methods)
	case *ast.UnaryExpr: // ~T
		w.typeExpr(x.X)
	case *ast.BinaryExpr: // A | B
		w.typeExpr(x.X)
		w.typeExpr(x.Y)
	default:
		w.expr(e)
	}
}

// fieldTypes walks the types of fields, in which the field names are not visible.
func (w *walker) fieldTypes(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		w.typeExpr(f.Type)
	}
}
