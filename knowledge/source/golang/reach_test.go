package golang_test

import (
	"context"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
)

// module makes a module of a package, with nothing around it.
func (c *checked) module() (source.Module, []source.Declared, *source.References) {
	m := source.Module{Path: c.path}
	for i, name := range c.names {
		m.Units = append(m.Units, source.Unit{Path: c.path + "/" + name, File: golang.Language{}.Extract(context.Background(), name, c.texts[i])})
	}
	declared := m.Declarations()
	table := source.NewTable(m, declared, nil)
	linker := source.Linker{Table: func(p string) (source.Table, bool) { return table, p == c.path }}
	return m, declared, source.NewReferences(m, declared, nil, linker)
}

// TestReachedAgainstTypes compares the targets of references within a package with the type checker: every use must be reached, and every
// certain target must be used.
func TestReachedAgainstTypes(t *testing.T) {
	var used, certain, wrong, missing, possible int
	corpus(t, func(t *testing.T, c *checked) {
		_, declared, refs := c.module()
		truth := map[string]map[string]bool{} // what each declaration uses, and whether it has to be known
		for _, tree := range c.trees {
			for _, d := range tree.Decls {
				eachSymbol(d, func(name string, nodes ...ast.Node) {
					if truth[name] == nil {
						truth[name] = map[string]bool{}
					}
					for _, n := range nodes {
						c.reached(truth[name], n)
					}
				})
			}
		}
		names := []string{""}
		for i := range declared {
			names = append(names, declared[i].Name)
		}
		for _, name := range names {
			reached := map[string]bool{}
			for _, r := range refs.Of(name) {
				switch {
				case r.Module != c.path || r.Outside:
					continue
				case !r.Certain:
					possible++
				case !has(truth[name], r.Name):
					wrong++
					t.Logf("wrong: %s %s: %s %s, line %d", c.path, name, r.Kind, r.Name, r.Line)
				default:
					certain++
				}
				reached[r.Name] = true
				owner, _, _ := strings.Cut(r.Name, ".") // which the member reaches
				reached[owner] = true
			}
			for want, needed := range truth[name] {
				if !needed {
					continue
				}
				used++
				if !reached[want] {
					missing++
					t.Logf("missing: %s %s: %s", c.path, name, want)
				}
			}
		}
	})
	t.Logf("%d uses within packages, %d certain, %d wrong, %d missing, %d more possible", used, certain, wrong, missing, possible)
	if percent(wrong, certain) > 0.5 {
		t.Errorf("%d of %d certain references are wrong", wrong, certain)
	}
	if percent(missing, used) > 0.1 {
		t.Errorf("%d of %d uses are not reached", missing, used)
	}
}

func has(m map[string]bool, name string) bool {
	_, ok := m[name]
	return ok
}

// reached records the declarations of the package that a node uses: named ones and selected methods. The types of selectors are optional,
// because the declarations of their values reach them too.
func (c *checked) reached(out map[string]bool, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.SelectorExpr:
			s := c.info.Selections[x]
			if s == nil {
				break
			}
			for _, name := range c.typeNames(s.Recv(), nil) {
				if !has(out, name) {
					out[name] = false
				}
			}
			if f, ok := s.Obj().(*types.Func); ok && f.Pkg() == c.types {
				if owner := named(f.Signature().Recv().Type()); owner != nil && !types.IsInterface(owner) {
					out[owner.Obj().Name()+"."+f.Name()] = true
				}
			}
		case *ast.Ident:
			if obj := c.info.Uses[x]; obj != nil && obj.Parent() == c.types.Scope() {
				out[obj.Name()] = true
			}
		}
		return true
	})
}

// named is the named type that a type is, seen through a pointer.
func named(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

func BenchmarkReferences(b *testing.B) {
	files, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", "net", "http", "*.go"))
	m := source.Module{Path: "http"}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		m.Units = append(m.Units, source.Unit{Path: "http/" + filepath.Base(name), File: golang.Language{}.Extract(context.Background(), name, src)})
	}
	if len(files) == 0 {
		b.Skip("the standard library's source is not on this machine")
	}
	declared := m.Declarations()
	linker := source.Linker{Table: func(string) (source.Table, bool) { return source.Table{}, false }}
	b.ReportAllocs()
	for b.Loop() {
		source.NewReferences(m, declared, nil, linker)
	}
}
