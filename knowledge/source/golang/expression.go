package golang

import (
	"cmp"
	"go/ast"
	"go/token"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
)

func (w *walker) exprs(list []ast.Expr) {
	for _, e := range list {
		w.expr(e)
	}
}

// expr walks an expression used as a value, and returns its type if the file shows it. It does not distinguish T and
// *T, because selections mean the same.
func (w *walker) expr(e ast.Expr) ast.Expr { return w.use(e, source.AsValue) }

func (w *walker) use(e ast.Expr, how source.How) ast.Expr {
	switch x := e.(type) {
	case *ast.Ident:
		return w.name(x, how)
	case *ast.SelectorExpr:
		return w.selection(x, how)
	case *ast.CallExpr:
		sig, converted := w.call(x)
		if sig != nil {
			return result(sig, 0)
		}
		return converted
	case *ast.ParenExpr:
		return w.use(x.X, how)
	case *ast.UnaryExpr:
		return w.unary(x)
	case *ast.BinaryExpr:
		return w.binary(x)
	case *ast.CompositeLit:
		return w.composite(x, x.Type)
	case *ast.FuncLit:
		w.in(cmp.Or(w.literals, control.Later), func() { w.literal(x) })
	case *ast.IndexExpr:
		return w.element(x, how)
	case *ast.IndexListExpr:
		w.use(x.X, how)
		for _, i := range x.Indices {
			w.typeExpr(i)
		}
	case *ast.SliceExpr:
		t := w.expr(x.X)
		w.expr(x.Low)
		w.expr(x.High)
		w.expr(x.Max)
		return t
	case *ast.StarExpr:
		t := w.use(x.X, how)
		if p, ok := t.(*ast.StarExpr); ok {
			return p.X
		}
		return t
	case *ast.TypeAssertExpr:
		w.expr(x.X)
		return w.typeExpr(x.Type)
	case *ast.KeyValueExpr: // only in broken source
		w.expr(x.Key)
		w.expr(x.Value)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType, *ast.Ellipsis:
		return w.typeExpr(x)
	}
	return nil
}

func (w *walker) literal(x *ast.FuncLit) {
	if at, ok := w.wanted[w.reader.offset(x.Pos())]; ok {
		w.alone(x, &w.reader.out.Unnamed[at])
		return
	}
	outer, literals, rest, returns := w.enter(), w.literals, w.rest, w.returns
	w.literals = 0
	w.signature(x.Type)
	w.statements(x.Body.List)
	w.leave(outer)
	w.literals, w.rest, w.returns = literals, rest, returns
}

func (w *walker) name(x *ast.Ident, how source.How) ast.Expr {
	if b := w.find(x.Name); b != nil {
		if b.isType {
			return nil
		}
		return b.typ
	}
	t, here := w.tops[x.Name]
	if !here && universe.Get()[x.Name] || x.Name == "_" {
		return nil
	}
	if t.tok == token.TYPE {
		how = source.AsType
	}
	w.note(how, x.Pos(), x.Name)
	return t.typ
}

func (w *walker) unary(x *ast.UnaryExpr) ast.Expr {
	t := w.expr(x.X)
	switch x.Op {
	case token.ARROW:
		if c, ok := w.under(t).(*ast.ChanType); ok {
			return c.Value
		}
		return nil
	case token.NOT:
		return nil
	}
	return t
}

func (w *walker) binary(x *ast.BinaryExpr) ast.Expr {
	a := w.expr(x.X)
	if x.Op == token.LAND || x.Op == token.LOR {
		w.in(w.Sometimes(), func() { w.expr(x.Y) })
		return nil
	}
	b := w.expr(x.Y)
	switch x.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return nil
	case token.SHL, token.SHR:
		return a
	}
	if a == nil {
		return b
	}
	return a
}

// element walks an index expression, which may be an instantiation.
func (w *walker) element(x *ast.IndexExpr, how source.How) ast.Expr {
	t := w.use(x.X, how)
	w.expr(x.Index)
	switch t := w.under(t).(type) {
	case *ast.ArrayType:
		return t.Elt
	case *ast.MapType:
		return t.Value
	}
	return nil
}

// call walks a call or conversion. It returns the function's signature, or the converted type, if the file shows it.
func (w *walker) call(x *ast.CallExpr) (sig *ast.FuncType, converted ast.Expr) {
	if id, ok := ast.Unparen(x.Fun).(*ast.Ident); ok && w.isBuiltin(id.Name) {
		return nil, w.builtin(id.Name, x.Args)
	}
	before, literals, spawned := w.turns, w.literals, w.spawned
	w.spawned = 0
	w.in(spawned, func() { sig, converted = w.function(x) })
	function, at := w.turns, w.last
	if s, ok := x.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Go" { // of a group of goroutines
		w.literals = w.Background()
	}
	w.exprs(x.Args)
	if w.literals = literals; function > before {
		w.after(at)
	}
	return sig, converted
}

func (w *walker) function(x *ast.CallExpr) (sig *ast.FuncType, converted ast.Expr) {
	switch f := ast.Unparen(x.Fun).(type) {
	case *ast.Ident:
		if w.find(f.Name) == nil {
			t, here := w.tops[f.Name]
			if t.tok == token.TYPE {
				converted = f
			}
			if sig = t.sig; !here {
				converted = &ast.Ident{NamePos: f.Pos(), Name: f.Name + called}
			}
		}
		w.name(f, source.AsCall)
	case *ast.SelectorExpr:
		w.selection(f, source.AsCall)
		if sig = w.method; sig == nil {
			converted = w.resultOf(f)
		}
	case *ast.StarExpr: // conversion to a pointer, from a non-call
		converted = w.typeExpr(f)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType:
		converted = w.typeExpr(f)
	case *ast.FuncLit:
		w.literal(f) // called immediately
	default:
		w.use(f, source.AsCall)
	}
	return sig, converted
}

// called marks the type of a function's first result, if the function is in another file or package.
const called = "()"

// resultOf returns the type of a call of a function of another package, or nil.
func (w *walker) resultOf(f *ast.SelectorExpr) ast.Expr {
	pkg, ok := f.X.(*ast.Ident)
	if !ok || !w.packages[pkg.Name] || w.find(pkg.Name) != nil {
		return nil
	}
	return &ast.SelectorExpr{X: pkg, Sel: &ast.Ident{NamePos: f.Sel.Pos(), Name: f.Sel.Name + called}}
}

func (w *walker) isBuiltin(name string) bool {
	_, here := w.tops[name]
	return !here && universe.Get()[name] && w.find(name) == nil
}

func (w *walker) builtin(name string, args []ast.Expr) ast.Expr {
	var t ast.Expr
	for i, a := range args {
		switch {
		case i > 0:
			w.expr(a)
		case name == "new" || name == "make":
			t = w.typeExpr(a)
		default:
			t = w.expr(a)
		}
	}
	switch name {
	case "new", "make", "append":
		return t
	}
	return nil
}

// result returns the type of a function's result by index, or nil. A function's results are declared outside
// functions.
func result(sig *ast.FuncType, at int) ast.Expr {
	if sig == nil || sig.Results == nil {
		return nil
	}
	for _, f := range sig.Results.List {
		if at -= max(len(f.Names), 1); at < 0 {
			return f.Type
		}
	}
	return nil
}
