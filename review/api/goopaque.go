package api

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"
)

// unknown is the underlying type of all types from other modules, and of no other type.
var unknown = types.NewStruct([]*types.Var{types.NewField(token.NoPos, nil, "unknown", types.Typ[types.Int], false)}, nil)

func fillOpaque(f *ast.File, bound map[string]*types.Package) {
	for _, d := range f.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			for _, t := range typesIn(n) {
				fillType(bound, t, 0)
			}
			_, body := n.(*ast.BlockStmt)
			return !body
		})
	}
}

// typesIn returns the direct children of a node that are types. Nested types are visited as nodes.
func typesIn(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.Field:
		return []ast.Expr{n.Type}
	case *ast.ValueSpec:
		return []ast.Expr{n.Type}
	case *ast.TypeSpec:
		return []ast.Expr{n.Type}
	case *ast.CompositeLit:
		return []ast.Expr{n.Type}
	case *ast.TypeAssertExpr:
		return []ast.Expr{n.Type}
	case *ast.ArrayType:
		return []ast.Expr{n.Elt}
	case *ast.MapType:
		return []ast.Expr{n.Key, n.Value}
	case *ast.ChanType:
		return []ast.Expr{n.Value}
	case *ast.Ellipsis:
		return []ast.Expr{n.Elt}
	case *ast.StarExpr:
		return []ast.Expr{n.X}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 && (f.Name == "make" || f.Name == "new") {
			return n.Args[:1]
		}
	}
	return nil
}

// fillType declares the type that an expression names, with one type parameter for each argument.
func fillType(bound map[string]*types.Package, e ast.Expr, arguments int) {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok && bound[x.Name] != nil && bound[x.Name].Scope().Lookup(e.Sel.Name) == nil {
			declareOpaque(bound[x.Name], e.Sel.Name, arguments)
		}
	case *ast.ParenExpr:
		fillType(bound, e.X, 0)
	case *ast.UnaryExpr:
		fillType(bound, e.X, 0)
	case *ast.BinaryExpr:
		fillType(bound, e.X, 0)
		fillType(bound, e.Y, 0)
	case *ast.IndexExpr:
		fillType(bound, e.X, 1)
		fillType(bound, e.Index, 0)
	case *ast.IndexListExpr:
		fillType(bound, e.X, len(e.Indices))
		for _, i := range e.Indices {
			fillType(bound, i, 0)
		}
	}
}

func declareOpaque(p *types.Package, name string, parameters int) {
	obj := types.NewTypeName(token.NoPos, p, name, nil)
	t := types.NewNamed(obj, unknown, nil)
	list := make([]*types.TypeParam, parameters)
	for i := range list {
		of := types.NewTypeName(token.NoPos, p, "T"+strconv.Itoa(i), nil)
		list[i] = types.NewTypeParam(of, types.Universe.Lookup("any").Type())
	}
	t.SetTypeParams(list)
	p.Scope().Insert(obj)
}

func selectedFrom(f *ast.File) map[string]bool {
	used := map[string]bool{}
	for _, d := range f.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	return used
}

// boundName guesses the name of an unnamed import: the likeliest name that the file selects from.
func boundName(used map[string]bool, imported string) string {
	names := likelyNames(imported)
	for _, name := range names {
		if used[name] {
			return name
		}
	}
	return names[0]
}

func likelyNames(imported string) []string {
	base := path.Base(imported)
	if majorVersion(base) && path.Dir(imported) != "." {
		base = path.Base(path.Dir(imported))
	}
	plain, _, _ := strings.Cut(base, ".")
	plain = strings.TrimSuffix(strings.TrimPrefix(plain, "go-"), "-go")
	names := []string{identifier(plain), identifier(base)}
	for _, sep := range []string{"-", "."} {
		names = append(names, identifier(base[strings.LastIndex(base, sep)+1:]))
	}
	return names
}

func identifier(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r == '~' {
			return -1
		}
		return r
	}, s)
	if !token.IsIdentifier(s) {
		return "_"
	}
	return s
}

func majorVersion(s string) bool {
	digits, ok := strings.CutPrefix(s, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}
