package golang

import (
	"go/ast"
	"go/token"
)

// longestChain bounds the pointers and declarations through which a type is resolved. Broken source may be cyclic.
const longestChain = 8

type top struct {
	tok  token.Token
	spec *ast.TypeSpec
	typ  ast.Expr // explicit type of a variable
	sig  *ast.FuncType
}

// declared holds the package-level declarations of a file.
type declared struct {
	tops    map[string]top
	methods map[string]*ast.FuncType                // by "Type.method"
	fields  map[*ast.StructType]map[string]ast.Expr // computed lazily
}

func (d *declared) declare(decls []ast.Decl) {
	for _, decl := range decls {
		switch x := decl.(type) {
		case *ast.FuncDecl:
			d.function(x)
		case *ast.GenDecl:
			for _, s := range x.Specs {
				d.spec(x.Tok, s)
			}
		}
	}
}

// function records a function or method. The results of a generic one depend on its type arguments.
func (d *declared) function(f *ast.FuncDecl) {
	switch {
	case f.Recv == nil && f.Type.TypeParams == nil:
		d.tops[f.Name.Name] = top{tok: token.FUNC, sig: f.Type}
	case f.Recv == nil:
		d.tops[f.Name.Name] = top{tok: token.FUNC}
	case typeParams(f.Recv) == nil:
		d.methods[receiver(f.Recv)+"."+f.Name.Name] = f.Type
	}
}

func (d *declared) spec(tok token.Token, s ast.Spec) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		d.tops[s.Name.Name] = top{tok: token.TYPE, spec: s}
	case *ast.ValueSpec:
		for i, n := range s.Names {
			t := top{tok: tok, typ: s.Type}
			if t.typ == nil && len(s.Values) == len(s.Names) {
				t.typ = spelledType(s.Values[i])
			}
			d.tops[n.Name] = t
		}
	}
}

// spelledType returns the explicit type of an expression outside functions.
func spelledType(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.CompositeLit:
		return x.Type
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return spelledType(x.X)
		}
	}
	return nil
}

// dotted returns a name or a qualified name: f, os.Getenv. It is empty for other expressions, and does not follow call
// chains, because callers query every link.
func dotted(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok {
			return pkg.Name + "." + x.Sel.Name
		}
	}
	return ""
}

// field returns the type of a struct field, including embedded ones, and whether the field exists.
func (d *declared) field(s *ast.StructType, name string) (ast.Expr, bool) {
	fields, ok := d.fields[s]
	if !ok {
		fields = make(map[string]ast.Expr, len(s.Fields.List))
		for _, f := range s.Fields.List {
			for _, n := range f.Names {
				fields[n.Name] = f.Type
			}
			if len(f.Names) == 0 {
				fields[lastName(f.Type)] = f.Type
			}
		}
		d.fields[s] = fields
	}
	typ, ok := fields[name]
	return typ, ok
}

func lastName(e ast.Expr) string {
	_, name := splitType(e)
	if name == nil {
		return ""
	}
	return name.Name
}

func splitType(e ast.Expr) (pkg, name *ast.Ident) {
	for range longestChain {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.SelectorExpr:
			pkg, _ = x.X.(*ast.Ident)
			if pkg == nil {
				return nil, nil
			}
			return pkg, x.Sel
		case *ast.Ident:
			return nil, x
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// under returns the underlying type, through a pointer, as far as the file declares it.
func (d *declared) under(e ast.Expr) ast.Expr {
	for range longestChain {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			t := d.tops[x.Name]
			if t.spec == nil || t.spec.TypeParams != nil {
				return nil
			}
			e = t.spec.Type
		default:
			return e
		}
	}
	return nil
}

// alias resolves an alias declared in the file; other types are unchanged.
func (d *declared) alias(e ast.Expr) ast.Expr {
	for range longestChain {
		_, name := splitType(e)
		if name == nil {
			return e
		}
		t := d.tops[name.Name]
		if _, qualified := e.(*ast.SelectorExpr); qualified || t.spec == nil || !t.spec.Assign.IsValid() {
			return e
		}
		e = t.spec.Type
	}
	return nil
}
