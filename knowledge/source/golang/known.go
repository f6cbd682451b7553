package golang

import (
	"go/ast"
	"go/token"
)

// longestChain bounds through how many pointers and declarations a type is followed. In broken source they may lead in
// circles.
const longestChain = 8

// top is a declaration of the file outside of functions.
type top struct {
	tok  token.Token // TYPE, FUNC, VAR or CONST
	spec *ast.TypeSpec
	typ  ast.Expr // of a variable that says it
	sig  *ast.FuncType
}

// declared is what a file declares outside of functions.
type declared struct {
	tops    map[string]top
	methods map[string]*ast.FuncType                // by "Type.method"
	fields  map[*ast.StructType]map[string]ast.Expr // of those that were asked
}

// declare takes up the declarations of a file.
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

// function takes up a function or method. The results of a generic one depend on how it is used.
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

// spelledType is the type that an expression outside of functions has on its face.
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

// dotted is an expression that is a name, or a name of a package: f, os.Getenv. It is empty for any other, and does not follow
// chains of calls: those who ask do so at each of them.
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

// field returns the type of a field of a struct, and whether there is one of that name. What is embedded is a field as well.
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

// lastName is the name that a type has as an embedded field, "" when it can be none.
func lastName(e ast.Expr) string {
	_, name := splitType(e)
	if name == nil {
		return ""
	}
	return name.Name
}

// splitType returns the package and the name of a type that is named, seen through pointers and type arguments.
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

// under returns what a type is in the end, as far as the file says, seen through a pointer.
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

// alias returns the type that an alias of the file stands for, and any other type as it is.
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
