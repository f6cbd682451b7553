package golang

import (
	"go/ast"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
)

// walker finds the names that declarations use. It knows Go's scopes and the explicit types of the file, and infers
// nothing across files.
type walker struct {
	collector
	scope
	declared

	reader   *reader
	packages map[string]bool // local names of imports
	wanted   literals
	method   *ast.FuncType // of the last selection, if it is a method of the file
}

func newWalker() walker {
	return walker{
		scope:    scope{index: map[string]int{}},
		declared: declared{tops: map[string]top{}, methods: map[string]*ast.FuncType{}, fields: map[*ast.StructType]map[string]ast.Expr{}},
		packages: map[string]bool{},
	}
}

func (w *walker) open(r *reader) {
	w.reader = r
	for _, spec := range r.tree.Imports {
		w.packages[localName(spec)] = true
	}
	delete(w.packages, ".")
	w.declare(r.tree.Decls)
}

func (w *walker) ofFunction(d *ast.FuncDecl) []source.Reference {
	w.begin()
	outer := w.enter()
	w.typeParams(d.Type.TypeParams)
	if d.Recv != nil {
		for _, f := range d.Recv.List {
			w.receiverParams(f.Type)
		}
		w.parameters(d.Recv)
	}
	w.signature(d.Type)
	if d.Body != nil {
		w.statements(d.Body.List)
	}
	w.leave(outer)
	return w.references()
}

func (w *walker) ofType(s *ast.TypeSpec) []source.Reference {
	w.begin()
	outer := w.enter()
	w.typeParams(s.TypeParams)
	w.typeExpr(s.Type)
	w.leave(outer)
	return w.references()
}

func (w *walker) ofValue(typ, value ast.Expr) []source.Reference {
	w.begin()
	w.typeExpr(typ)
	w.literals = control.Result // a function literal runs when the variable is called
	w.expr(value)
	return w.references()
}

func (w *walker) receiverParams(e ast.Expr) {
	for {
		var params []ast.Expr
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
			continue
		case *ast.ParenExpr:
			e = x.X
			continue
		case *ast.IndexExpr:
			params = []ast.Expr{x.Index}
		case *ast.IndexListExpr:
			params = x.Indices
		}
		for _, p := range params {
			if n, ok := p.(*ast.Ident); ok {
				w.push(n, binding{isType: true})
			}
		}
		return
	}
}

// typeParams binds type parameters, which their constraints may use.
func (w *walker) typeParams(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			w.push(n, binding{isType: true})
		}
	}
	for _, f := range list.List {
		w.typeExpr(f.Type)
	}
}

func (w *walker) signature(t *ast.FuncType) {
	w.parameters(t.Params)
	if t.Results != nil {
		w.parameters(t.Results)
	}
}

func (w *walker) parameters(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		w.typeExpr(f.Type)
	}
	for _, f := range list.List {
		if len(f.Names) == 0 {
			continue
		}
		typ := f.Type
		if rest, ok := typ.(*ast.Ellipsis); ok {
			typ = &ast.ArrayType{Elt: rest.Elt}
		}
		for _, n := range f.Names {
			w.bind(n, w.free(typ))
		}
	}
}
