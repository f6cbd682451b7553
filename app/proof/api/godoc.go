package main

import (
	"context"
	"go/ast"
	"go/build/constraint"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// goDoc lists what go/doc shows of importable packages, for any build constraint. Methods of interfaces are part of their declarations, as
// in nodes.
func goDoc(_ context.Context, dir string) (account, error) {
	told := account{map[string]bool{}, func(*symbol) bool { return true }, map[string]telling{}, equal(squeezed)}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if base := e.Name(); name != dir && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || slices.Contains([]string{"testdata", "vendor", "internal"}, base)) {
			return filepath.SkipDir
		}
		return documented(name, told)
	})
	return told, err
}

// documented adds the symbols that go/doc shows for the packages of a directory.
func documented(dir string, told account) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	set, packages := token.NewFileSet(), map[string][]*ast.File{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, filepath.Join(dir, e.Name()), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil && f.Name.Name != "main" && !onlyTools(f) {
			packages[f.Name.Name] = append(packages[f.Name.Name], f)
		}
	}
	for name, files := range packages {
		p, err := doc.NewFromFiles(set, files, name)
		if err != nil {
			return err
		}
		add := func(names ...string) {
			for _, n := range names {
				if ast.IsExported(n) {
					told.public[name+"."+n] = true
				}
			}
		}
		values := func(list []*doc.Value) {
			for _, v := range list {
				add(v.Names...)
			}
		}
		functions := func(prefix string, list []*doc.Func) {
			for _, f := range list {
				typed := name + "." + prefix + f.Name
				told.public[typed] = true
				told.told[typed] = telling{signature: declaration(f.Decl), doc: f.Doc}
			}
		}
		values(p.Consts)
		values(p.Vars)
		functions("", p.Funcs)
		for _, t := range p.Types {
			add(t.Name)
			told.told[name+"."+t.Name] = telling{doc: t.Doc}
			values(t.Consts)
			values(t.Vars)
			functions("", t.Funcs)
			functions(t.Name+".", t.Methods)
		}
	}
	return nil
}

// declaration is the head of a function, without the spaces that gofmt gives it.
func declaration(f *ast.FuncDecl) string {
	head := *f
	head.Doc, head.Body = nil, nil
	var b strings.Builder
	if err := format.Node(&b, token.NewFileSet(), &head); err != nil {
		return ""
	}
	return strings.Join(strings.Fields(b.String()), "")
}

// onlyTools reports whether a file is built by tools alone.
func onlyTools(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if !constraint.IsGoBuild(c.Text) || c.Pos() > f.Package {
				continue
			}
			e, err := constraint.Parse(c.Text)
			none := func(string) bool { return false }
			if err == nil && !e.Eval(none) && !e.Eval(func(tag string) bool { return tag != "ignore" && tag != "mage" && tag != "tools" }) {
				return true
			}
		}
	}
	return false
}
