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

// fillOpaque declares the names that a file selects from packages outside of functions, with one type parameter for each
// type argument. A name that is no type fails to check either way. A called name may be a function, so calls declare none.
func fillOpaque(f *ast.File, bound map[string]*types.Package) {
	declare := func(e ast.Expr, arguments int) {
		s, ok := e.(*ast.SelectorExpr)
		if !ok {
			return
		}
		if x, ok := s.X.(*ast.Ident); ok && bound[x.Name] != nil && bound[x.Name].Scope().Lookup(s.Sel.Name) == nil {
			declareOpaque(bound[x.Name], s.Sel.Name, arguments)
		}
	}
	called := map[ast.Expr]bool{}
	for _, d := range f.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				return false
			case *ast.CallExpr:
				called[n.Fun] = true
			case *ast.IndexExpr:
				if called[n.X] = called[n]; !called[n] {
					declare(n.X, 1)
				}
			case *ast.IndexListExpr:
				if called[n.X] = called[n]; !called[n] {
					declare(n.X, len(n.Indices))
				}
			case *ast.SelectorExpr:
				if !called[n] {
					declare(n, 0)
				}
			}
			return true
		})
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
