package golang

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func parts(n ast.Node, signature string) source.Parts {
	l := source.NewLayout(signature)
	param := func() { l.Param(source.Plain) }
	switch n := n.(type) {
	case *ast.FuncDecl:
		fieldParts(l, n.Recv, func() { l.Param(source.Receiver) })
		fieldParts(l, n.Type.TypeParams, l.TypeParam)
		fieldParts(l, n.Type.Params, param)
		if list := n.Type.Results; list != nil {
			_, results, _ := strings.Cut(types.ExprString(&ast.FuncType{Params: &ast.FieldList{}, Results: list}), " ")
			l.Result(results)
		}
	case *ast.TypeSpec:
		fieldParts(l, n.TypeParams, l.TypeParam)
		switch t := n.Type.(type) {
		case *ast.StructType:
			memberParts(l, t.Fields)
		case *ast.InterfaceType:
			memberParts(l, t.Methods)
		default:
			l.Result(types.ExprString(n.Type))
		}
	case *ast.ValueSpec:
		if n.Type != nil {
			l.Result(types.ExprString(n.Type))
		}
		l.Assigned()
	}
	return l.Parts()
}

func fieldParts(l *source.Layout, list *ast.FieldList, open func()) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		names := make([]string, max(1, len(f.Names)))
		for i, n := range f.Names {
			names[i] = n.Name
		}
		if _, more := f.Type.(*ast.Ellipsis); more {
			open = func() { l.Param(source.Variadic) }
		}
		l.Same(open, names, types.ExprString(f.Type))
	}
}

func memberParts(l *source.Layout, list *ast.FieldList) {
	for _, f := range list.List {
		var names []string
		for _, n := range f.Names {
			if n.IsExported() {
				names = append(names, n.Name)
			}
		}
		l.Same(l.Member, names, strings.TrimPrefix(types.ExprString(f.Type), "func"))
	}
}
