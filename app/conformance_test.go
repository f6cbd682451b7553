package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named is a test as docs/conformance.md names it: by its package, from the root of the project.
var named = regexp.MustCompile("`([a-z/]+)\\.(Test[A-Za-z]+)`")

// TestConformanceNamesTestsThatExist holds each row of docs/conformance.md to the tests that it names.
func TestConformanceNamesTestsThatExist(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "docs", "conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows, there := 0, map[string]map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| Asked for") {
			continue
		}
		rows++
		tests := named.FindAllStringSubmatch(line, -1)
		if len(tests) == 0 {
			t.Errorf("no test is named: %s", line)
		}
		for _, test := range tests {
			dir := test[1]
			if there[dir] == nil {
				there[dir] = testsIn(t, filepath.Join("..", filepath.FromSlash(dir)))
			}
			if !there[dir][test[2]] {
				t.Errorf("%s has no %s", dir, test[2])
			}
		}
	}
	if rows < 40 {
		t.Errorf("%d rows were found: this test looks in the wrong place", rows)
	}
}

// testsIn are the names of the tests of a package.
func testsIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	files, err := fs.Glob(os.DirFS(dir), "*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				out[f.Name.Name] = true
			}
		}
	}
	return out
}
