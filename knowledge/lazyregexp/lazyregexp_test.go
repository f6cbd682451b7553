package lazyregexp_test

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

func TestPatternIsCompiledWhenItIsUsed(t *testing.T) {
	t.Parallel()
	wrong := lazyregexp.New("(")
	if right := lazyregexp.New("^a+$"); !right.MatchString("aa") || right.MatchString("b") {
		t.Error("a pattern does not match what it describes")
	}
	defer func() {
		if recover() == nil {
			t.Error("an invalid pattern is used without a panic")
		}
	}()
	wrong.MatchString("")
}

// TestPatternsOfTheProgram compiles every pattern in the sources of the program, so that none that is invalid waits for its first use.
func TestPatternsOfTheProgram(t *testing.T) {
	t.Parallel()
	packages := map[string][]*ast.File{}
	files := token.NewFileSet()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && name != root && (base == "testdata" || base == "proof" || strings.HasPrefix(base, ".")) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		packages[filepath.Dir(name)] = append(packages[filepath.Dir(name)], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, sources := range packages {
		constants := constantsOf(sources)
		for _, file := range sources {
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || !isNew(call.Fun) {
					return true
				}
				found++
				pattern, known := constants.text(call.Args[0])
				if !known {
					t.Errorf("%s: the pattern is not a constant", files.Position(call.Pos()))
				} else if _, err := regexp.Compile(pattern); err != nil {
					t.Errorf("%s: %v", files.Position(call.Pos()), err)
				}
				return true
			})
		}
	}
	if found < 200 {
		t.Errorf("only %d patterns were found", found)
	}
}

func isNew(fun ast.Expr) bool {
	s, ok := fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "New" {
		return false
	}
	in, ok := s.X.(*ast.Ident)
	return ok && in.Name == "lazyregexp"
}

// constants are the expressions of a package's constants.
type constants map[string]ast.Expr

func constantsOf(files []*ast.File) constants {
	all := constants{}
	for _, file := range files {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				for i, value := range v.Values {
					all[v.Names[i].Name] = value
				}
			}
		}
	}
	return all
}

// text is the value of an expression of strings.
func (c constants) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.StringVal(constant.MakeFromLiteral(e.Value, e.Kind, 0)), e.Kind == token.STRING
	case *ast.Ident:
		if value, ok := c[e.Name]; ok {
			return c.text(value)
		}
	case *ast.ParenExpr:
		return c.text(e.X)
	case *ast.BinaryExpr:
		left, first := c.text(e.X)
		right, second := c.text(e.Y)
		return left + right, first && second && e.Op == token.ADD
	}
	return "", false
}
