package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/testgen"
)

// seen is a function at a commit, according to go/types and without causal's readers.
type seen struct{ signature, body string }

// declaration is a name of a package with its tokens and the names that it uses.
type declaration struct {
	text string // tokens
	uses []string
}

// targets are the functions of all packages in a directory, by module and symbol as specifications name them.
func targets(ctx context.Context, root string) (map[string]seen, error) {
	list, err := load(ctx, root)
	if err != nil {
		return nil, err
	}
	c := collector{packages: map[string]bool{}, all: map[string]declaration{}}
	for _, p := range list {
		c.packages[p.PkgPath] = true
	}
	out, functions := map[string]seen{}, map[string]string{}
	for _, p := range list {
		for _, f := range p.Syntax {
			if err := c.file(p, f); err != nil {
				return nil, err
			}
			for _, d := range f.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || d.Body == nil || p.TypesInfo.Defs[d.Name] == nil {
					continue
				}
				dir := slashed(root, filepath.Dir(p.Fset.File(f.FileStart).Name()))
				name := testgen.ModuleName(dir) + " " + symbolOf(d)
				object := p.TypesInfo.Defs[d.Name]
				functions[name], out[name] = keyOf(object), seen{signature: signature(object)}
			}
		}
	}
	for name, key := range functions {
		out[name] = seen{out[name].signature, c.closure(key)}
	}
	return out, nil
}

// signature is the type of a function, without parameter names.
func signature(o types.Object) string {
	s, ok := o.Type().(*types.Signature)
	if !ok {
		return ""
	}
	var b strings.Builder
	if r := s.Recv(); r != nil {
		b.WriteString(types.TypeString(r.Type(), nil) + " ")
	}
	for p := range s.TypeParams().TypeParams() {
		b.WriteString(p.String() + " " + types.TypeString(p.Constraint(), nil) + " ")
	}
	for _, list := range []*types.Tuple{s.Params(), s.Results()} {
		b.WriteString("(")
		for p := range list.Variables() {
			b.WriteString(types.TypeString(p.Type(), nil) + ",")
		}
		b.WriteString(")")
	}
	return fmt.Sprintf("%s %t", b.String(), s.Variadic())
}

// collector collects the declarations of the packages of a module.
type collector struct {
	packages map[string]bool
	all      map[string]declaration
}

// file collects those of one file.
func (c *collector) file(p *packages.Package, f *ast.File) error {
	name := p.Fset.File(f.FileStart).Name()
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	add := func(id *ast.Ident, n ast.Node) {
		object := p.TypesInfo.Defs[id]
		if object == nil || id.Name == "_" {
			return
		}
		from, to := p.Fset.Position(n.Pos()).Offset, p.Fset.Position(n.End()).Offset
		d := declaration{text: tokens(src[from:to]), uses: c.uses(p.TypesInfo, n)}
		if k, ok := object.(*types.Const); ok { // the position in a list does not matter
			d.text = k.Type().String() + " " + k.Val().ExactString()
		}
		c.all[keyOf(object)] = d
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name, d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name, s)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						add(id, s)
					}
				}
			}
		}
	}
	return nil
}

// uses lists the names of the module's packages that a declaration uses.
func (c *collector) uses(info *types.Info, n ast.Node) (out []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		o := info.Uses[id]
		if o == nil || o.Pkg() == nil || !c.packages[o.Pkg().Path()] {
			return true
		}
		if f, ok := o.(*types.Func); ok {
			o = f.Origin()
		}
		if key := keyOf(o); key != "" {
			out = append(out, key)
		}
		return true
	})
	return out
}

// keyOf returns a key for a package-level object or a method of a package-level type, and an empty string for others.
func keyOf(o types.Object) string {
	if f, ok := o.(*types.Func); ok {
		if r := f.Signature().Recv(); r != nil {
			t := r.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			n, ok := types.Unalias(t).(*types.Named)
			if !ok {
				return ""
			}
			return o.Pkg().Path() + "." + n.Obj().Name() + "." + o.Name()
		}
	}
	if o.Pkg() == nil || o.Parent() != o.Pkg().Scope() {
		return ""
	}
	return o.Pkg().Path() + "." + o.Name()
}

// closure sums up a declaration and all that it reaches.
func (c *collector) closure(key string) string {
	reached := map[string]bool{}
	for todo := []string{key}; len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, ok := c.all[k]; ok && !reached[k] {
			reached[k] = true
			todo = append(todo, c.all[k].uses...)
		}
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(reached)) {
		parts = append(parts, k, c.all[k].text)
	}
	return fact.Digest(parts...)
}

// tokens is a text of Go without its form: no comments, no line ends, and no commas that a line end asks for.
func tokens(src []byte) string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(src)), src, nil, 0)
	var out []string
	for {
		_, tok, text := s.Scan()
		switch tok {
		case token.EOF:
			return strings.Join(out, " ")
		case token.SEMICOLON:
			continue
		case token.RPAREN, token.RBRACE, token.RBRACK:
			if len(out) > 0 && out[len(out)-1] == "," {
				out = out[:len(out)-1]
			}
		}
		if text == "" {
			text = tok.String()
		}
		out = append(out, text)
	}
}
