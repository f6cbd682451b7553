package golang

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// selection walks a selection and returns the type of a field; for a method, it sets w.method to the signature.
func (w *walker) selection(x *ast.SelectorExpr, how source.How) ast.Expr {
	w.method = nil
	id, ok := methodReceiver(x.X)
	if !ok || w.find(id.Name) != nil {
		t := w.expr(x.X)
		return w.member(t, x.Sel, how)
	}
	switch t, here := w.tops[id.Name]; {
	case w.packages[id.Name] && !here:
		if id.Name != "C" {
			w.note(how, id.Pos(), id.Name, x.Sel.Name)
		}
		return nil
	case here && t.tok == token.TYPE:
		w.name(id, source.AsType)
		w.note(how, x.Sel.Pos(), id.Name, x.Sel.Name) // method expression
		return nil
	case here:
		w.name(id, source.AsValue)
		return w.member(t.typ, x.Sel, how)
	case universe.Get()[id.Name]:
		w.note(how+source.AsOpen, x.Sel.Pos(), x.Sel.Name)
	default: // of another file, or a package whose name is not evident from its path
		w.note(how, id.Pos(), id.Name, x.Sel.Name)
		return (&fieldOf{names: []string{id.Name}}).then(x.Sel)
	}
	return nil
}

// methodReceiver returns the name before a dot, also in a method expression with a pointer type: (*T).Method.
func methodReceiver(e ast.Expr) (*ast.Ident, bool) {
	if p, ok := e.(*ast.ParenExpr); ok {
		if star, ok := p.X.(*ast.StarExpr); ok {
			id, ok := star.X.(*ast.Ident)
			return id, ok
		}
	}
	id, ok := e.(*ast.Ident)
	return id, ok
}

// member records the selection of a member from a value of a type.
func (w *walker) member(t ast.Expr, sel *ast.Ident, how source.How) ast.Expr {
	w.method = nil
	t = w.alias(t)
	pkg, name := splitType(t)
	chain, ofField := t.(*fieldOf)
	switch {
	case sel.Name == "_":
		return nil
	case ofField:
		w.note(how, sel.Pos(), append(slices.Clone(chain.names), sel.Name)...)
		return chain.then(sel)
	case name == nil:
		if s, ok := w.under(t).(*ast.StructType); ok {
			if f, ok := w.field(s, sel.Name); ok {
				return w.free(f)
			}
		}
		w.note(how+source.AsOpen, sel.Pos(), sel.Name)
		return nil
	case pkg != nil:
		w.note(how, sel.Pos(), pkg.Name, name.Name, sel.Name)
		return nil
	}
	declared, here := w.tops[name.Name]
	if !here && universe.Get()[name.Name] || here && declared.tok != token.TYPE {
		w.note(how+source.AsOpen, sel.Pos(), sel.Name)
		return nil
	}
	w.note(how, sel.Pos(), name.Name, sel.Name)
	if w.method = w.methods[name.Name+"."+sel.Name]; w.method != nil {
		return nil
	}
	if s, ok := w.under(name).(*ast.StructType); ok {
		f, _ := w.field(s, sel.Name)
		return f
	}
	if here {
		return nil
	}
	return (&fieldOf{names: []string{name.Name}}).then(sel)
}

// fieldOf is the type of a field of a struct or variable that another file of the package declares: App.db.
type fieldOf struct {
	ast.Expr
	names []string // of the declaration and of the fields selected in turn
}

// mostFields limits the fields selected in turn.
const mostFields = 3

func (f *fieldOf) then(sel *ast.Ident) ast.Expr {
	if len(f.names) > mostFields {
		return nil
	}
	return &fieldOf{names: append(slices.Clone(f.names), sel.Name)}
}

// composite walks a composite literal, with its own type or the element type of the enclosing literal.
func (w *walker) composite(x *ast.CompositeLit, t ast.Expr) ast.Expr {
	literals := w.literals
	w.literals = 0
	defer func() { w.literals = literals }()
	known := w.typeExpr(x.Type)
	var key, elem ast.Expr
	under := w.literalType(t)
	_, isStruct := under.(*ast.StructType)
	switch u := under.(type) {
	case *ast.ArrayType:
		elem = u.Elt
	case *ast.MapType:
		key, elem = u.Key, u.Value
	}
	for _, e := range x.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			w.elided(e, elem)
			continue
		}
		switch id, named := kv.Key.(*ast.Ident); {
		case !named || elem != nil:
			w.elided(kv.Key, key)
		case !isStruct:
			w.key(id, t)
		}
		w.elided(kv.Value, elem)
	}
	return known
}

func (w *walker) literalType(t ast.Expr) ast.Expr {
	if id, ok := ast.Unparen(t).(*ast.Ident); ok {
		if b := w.find(id.Name); b != nil {
			return w.under(b.typ)
		}
	}
	return w.under(t)
}

func (w *walker) elided(e, t ast.Expr) {
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		if p, ok := t.(*ast.StarExpr); ok {
			t = p.X
		}
		w.composite(lit, t)
		return
	}
	w.expr(e)
}

// key records a key in a literal of a type declared elsewhere: a struct field or a map key. An unexported field cannot
// be of another package.
func (w *walker) key(id *ast.Ident, t ast.Expr) {
	if w.find(id.Name) != nil {
		return
	}
	if _, here := w.tops[id.Name]; !here && universe.Get()[id.Name] {
		return
	}
	if pkg, _ := splitType(t); pkg != nil && !id.IsExported() {
		w.name(id, source.AsValue)
		return
	}
	w.note(source.AsValue+source.AsOpen, id.Pos(), id.Name)
}
