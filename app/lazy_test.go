package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestLazyPatternsCompile: a mistake in a regular expression that is compiled late must show here, and not when it is
// first used.
func TestLazyPatternsCompile(t *testing.T) {
	t.Parallel()
	found := 0
	for dir, files := range sources(t) {
		constants := map[string]ast.Expr{}
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				if v, ok := n.(*ast.ValueSpec); ok && len(v.Names) == len(v.Values) {
					for i, name := range v.Names {
						constants[name.Name] = v.Values[i]
					}
				}
				return true
			})
		}
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				if d, ok := n.(*ast.FuncDecl); ok && d.Type.Params.NumFields() > 0 {
					return false // it makes patterns for others, whose own tests use them
				}
				call, ok := n.(*ast.CallExpr)
				if !ok || !isLazy(call.Fun) {
					return true
				}
				found++
				text, ok := fold(call.Args[0], constants)
				if !ok {
					t.Errorf("%s: a pattern that is not made of constants", dir)
				} else if _, err := regexp.Compile(text); err != nil {
					t.Errorf("%s: %v", dir, err)
				}
				return true
			})
		}
	}
	if found < 60 {
		t.Errorf("only %d patterns found: does this test still know how they are written?", found)
	}
}

func isLazy(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "lazy" && s.Sel.Name == "MustCompile"
}

// fold computes a string made of literals and constants of the package.
func fold(e ast.Expr, constants map[string]ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.Ident:
		c, ok := constants[e.Name]
		if !ok {
			return "", false
		}
		return fold(c, constants)
	case *ast.BinaryExpr:
		x, okX := fold(e.X, constants)
		y, okY := fold(e.Y, constants)
		return x + y, okX && okY && e.Op == token.ADD
	}
	return "", false
}

// sources parses the project's own files, by directory.
func sources(t *testing.T) map[string][]*ast.File {
	t.Helper()
	out := map[string][]*ast.File{}
	for _, room := range []string{"../knowledge", "../render", "../app", "../webhooks"} {
		err := filepath.WalkDir(room, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") || strings.Contains(p, "testdata") {
				return nil //nolint:nilerr // a room that is not there has no patterns
			}
			f, err := parser.ParseFile(token.NewFileSet(), p, nil, 0)
			if err != nil {
				return err
			}
			out[filepath.Dir(p)] = append(out[filepath.Dir(p)], f)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}
