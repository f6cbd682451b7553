package golang_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// sampled are packages of the standard library that differ in how they are written and import few others.
var sampled = []string{"bytes", "regexp", "sort", "container/heap"}

// checked is a package with its type information.
type checked struct {
	path  string
	fset  *token.FileSet
	names []string // of the files, in the order of trees
	trees []*ast.File
	texts [][]byte
	info  *types.Info
	types *types.Package

	importer types.Importer // for the standard library, including unexported names
}

// corpus calls f for the sampled packages of the standard library, in a long run of all of it, with CAUSAL_CORPUS
// for the packages of the modules in those directories.
func corpus(t *testing.T, f func(t *testing.T, c *checked)) {
	t.Helper()
	list, err := checkedCorpus()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Skip("the standard library's source is not on this machine")
	}
	for _, c := range list {
		f(t, c)
	}
}

var checkedCorpus = sync.OnceValues(func() ([]*checked, error) {
	if dirs := os.Getenv("CAUSAL_CORPUS"); dirs != "" {
		var out []*checked
		for _, dir := range filepath.SplitList(dirs) {
			list, err := checkModule(dir)
			if err != nil {
				return nil, err
			}
			out = append(out, list...)
		}
		return out, nil
	}
	return checkStandard()
})

func checkStandard() ([]*checked, error) {
	build.Default.CgoEnabled = false // the importer asks it
	if build.Default.GOROOT == "" {  // a build with -trimpath does not know it
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return nil, err
		}
		build.Default.GOROOT = strings.TrimSpace(string(out))
	}
	list := sampled
	if testmode.Long() {
		out, err := exec.Command("go", "list", "std").Output()
		if err != nil {
			return nil, err
		}
		list = strings.Fields(string(out))
	}
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "source", nil)
	var out []*checked
	for _, p := range list {
		pkg, err := build.Import(p, filepath.Join(build.Default.GOROOT, "src"), 0)
		if err != nil || strings.HasPrefix(p, "vendor/") {
			continue // nothing to build here
		}
		c, err := check(fset, imp, p, pkg.Dir, pkg.GoFiles)
		if err != nil {
			return nil, err
		}
		if c != nil {
			c.importer = imp
			out = append(out, c)
		}
	}
	return out, nil
}

// checkModule type-checks the packages of a module. The go command compiles their imports.
func checkModule(dir string) ([]*checked, error) {
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles, CgoFiles       []string
		DepOnly                 bool
	}
	cmd := exec.Command("go", "list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles,DepOnly", "./...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	var own []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[l.ImportPath] = l.Export
		if !l.DepOnly && len(l.CgoFiles) == 0 {
			own = append(own, l)
		}
	}
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var list []*checked
	for _, l := range own {
		c, err := check(fset, imp, l.ImportPath, l.Dir, l.GoFiles)
		if err != nil {
			return nil, err
		}
		if c != nil {
			list = append(list, c)
		}
	}
	return list, nil
}

// check reads a package and asks the type checker; nil when it does not compile.
func check(fset *token.FileSet, imp types.Importer, p, dir string, files []string) (*checked, error) {
	c := &checked{path: p, fset: fset, info: &types.Info{
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	for _, name := range files {
		src, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		c.names, c.trees, c.texts = append(c.names, name), append(c.trees, tree), append(c.texts, src)
	}
	conf := types.Config{Importer: imp, Error: func(error) {}, Sizes: types.SizesFor("gc", build.Default.GOARCH)}
	var err error
	if c.types, err = conf.Check(p, fset, c.trees, c.info); err != nil {
		return nil, nil
	}
	return c, nil
}

// tally is the result of a comparison.
type tally struct{ certain, open, wrong, missing, needed, sure int }

func (a *tally) add(b tally) {
	a.certain, a.open, a.wrong, a.missing = a.certain+b.certain, a.open+b.open, a.wrong+b.wrong, a.missing+b.missing
	a.needed, a.sure = a.needed+b.needed, a.sure+b.sure
}

// TestReferencesAgainstTypes compares the references of each declaration with the type checker: certain references must be right, and
// every use of a package-level name must be among the references.
func TestReferencesAgainstTypes(t *testing.T) {
	var all tally
	corpus(t, func(t *testing.T, c *checked) {
		for i, tree := range c.trees {
			f := golang.Language{}.Extract(context.Background(), c.names[i], c.texts[i])
			all.add(c.compare(t, f, tree))
		}
	})
	t.Logf("%d references, %.1f %% certain, %d wrong; of %d uses of declarations %.1f %% are certain, %d missing",
		all.certain+all.open, percent(all.certain, all.certain+all.open), all.wrong, all.needed, percent(all.sure, all.needed), all.missing)
	if percent(all.wrong, all.certain) > 0.5 {
		t.Errorf("%d of %d certain references are wrong", all.wrong, all.certain)
	}
	if percent(all.missing, all.needed) > 0.1 {
		t.Errorf("%d of %d uses are not among the references", all.missing, all.needed)
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// expected holds the uses in a declaration: the possible names of each, and its lines.
type expected struct {
	lines map[string]map[int]bool
	uses  []expectedUse
}

type expectedUse struct {
	name, last string
	line       int
}

func (c *checked) compare(t *testing.T, f source.File, tree *ast.File) tally {
	bodies := map[string][]source.Reference{"": f.Body}
	for _, s := range f.Symbols {
		bodies[s.Name] = s.Body
	}
	locals := localNames(tree, c.info)
	var sum tally
	wants := map[string]*expected{}
	for _, d := range tree.Decls {
		eachSymbol(d, func(name string, nodes ...ast.Node) {
			e := wants[name]
			if e == nil {
				e = &expected{lines: map[string]map[int]bool{}}
				wants[name] = e
			}
			for _, n := range nodes {
				c.expect(e, n, locals)
			}
		})
	}
	for name, e := range wants {
		sum.add(e.compare(t, c.path+" "+name, bodies[name]))
	}
	return sum
}

func (e *expected) compare(t *testing.T, where string, body []source.Reference) tally {
	var sum tally
	certain, open := map[string]bool{}, map[string]bool{}
	for _, r := range body {
		if _, member, ok := strings.Cut(r.Name, ")."); ok || r.Open { // the module may know the result of a function
			sum.open++
			open[cmp.Or(member, r.Name)] = true
			continue
		}
		if strings.Count(r.Name, ".") > 1 && e.lines[r.Name] == nil { // of a field that another file declares: the module resolves it
			sum.open++
			open[r.Name[strings.LastIndexByte(r.Name, '.')+1:]] = true
			continue
		}
		if types.Universe.Lookup(r.Name) != nil && e.lines[r.Name] == nil {
			continue // undeclared; the module reports it
		}
		sum.certain++
		certain[r.Name] = true
		variable, member, ok := strings.Cut(r.Name, ".")
		if ok && e.lines[variable][r.Line] { // of another file: the module knows its kind, and takes the member for open
			certain[variable], open[member] = true, true
			continue
		}
		if !e.lines[r.Name][r.Line] {
			sum.wrong++
			t.Logf("wrong: %s: %s %s, line %d; lines %v", where, r.Kind, r.Name, r.Line, e.lines[r.Name])
		}
	}
	for _, u := range e.uses {
		sum.needed++
		switch {
		case certain[u.name]:
			sum.sure++
		case !open[u.last]:
			sum.missing++
			t.Logf("missing: %s: %s, line %d", where, u.name, u.line)
		}
	}
	return sum
}

// eachSymbol calls f for each symbol of a declaration with what belongs to it; the name is empty where there is none.
func eachSymbol(d ast.Decl, f func(name string, nodes ...ast.Node)) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		switch {
		case name == "_", name == "init" && d.Recv == nil:
			name = ""
		case d.Recv != nil:
			name = baseName(d.Recv.List[0].Type) + "." + name
		}
		f(name, d)
	case *ast.GenDecl:
		var typ ast.Expr
		var values []ast.Expr
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				f(s.Name.Name, s)
			case *ast.ValueSpec:
				if d.Tok == token.VAR || s.Type != nil || len(s.Values) > 0 {
					typ, values = s.Type, s.Values
				}
				for i, n := range s.Names {
					nodes := []ast.Node{}
					if typ != nil {
						nodes = append(nodes, typ)
					}
					if i < len(values) {
						nodes = append(nodes, values[i])
					} else if len(values) == 1 {
						nodes = append(nodes, values[0])
					}
					if n.Name == "_" {
						f("", nodes...)
					} else {
						f(n.Name, nodes...)
					}
				}
			}
		}
	}
}

func baseName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.StarExpr:
		return baseName(x.X)
	case *ast.ParenExpr:
		return baseName(x.X)
	case *ast.IndexExpr:
		return baseName(x.X)
	case *ast.IndexListExpr:
		return baseName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// localNames maps packages to their names in a file.
func localNames(tree *ast.File, info *types.Info) map[string]string {
	out := map[string]string{}
	ast.Inspect(tree, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if p, ok := info.Uses[id].(*types.PkgName); ok {
				out[p.Imported().Path()] = id.Name + "."
			}
		}
		return true
	})
	for _, s := range tree.Imports {
		switch p, err := strconv.Unquote(s.Path.Value); {
		case err != nil || out[p] != "":
		case s.Name == nil:
			out[p] = path.Base(p) + "."
		case s.Name.Name == ".":
			out[p] = ""
		}
	}
	return out
}

// expect records the meanings of the identifiers of a node.
func (c *checked) expect(e *expected, n ast.Node, locals map[string]string) {
	note := func(at token.Pos, name string, needed bool) {
		line := c.fset.Position(at).Line
		if e.lines[name] == nil {
			e.lines[name] = map[int]bool{}
		}
		e.lines[name][line] = true
		if needed {
			e.uses = append(e.uses, expectedUse{name, name[strings.LastIndexByte(name, '.')+1:], line})
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.SelectorExpr:
			if s := c.info.Selections[x]; s != nil {
				_, isVar := s.Obj().(*types.Var)
				names := c.typeNames(s.Recv(), locals)
				for _, name := range names {
					note(x.Sel.Pos(), name+"."+x.Sel.Name, !isVar && len(names) == 1)
				}
				if len(names) == 0 && !isVar {
					note(x.Sel.Pos(), "?."+x.Sel.Name, s.Obj().Pkg() != nil)
				}
			} else if id, ok := x.X.(*ast.Ident); ok {
				note(id.Pos(), id.Name+"."+x.Sel.Name, id.Name != "unsafe" && id.Name != "C")
				return false
			}
		case *ast.Ident:
			if obj := c.info.Uses[x]; obj != nil && obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
				note(x.Pos(), x.Name, true) // of a dot import, when not of the package
			}
		}
		return true
	})
}

// typeNames lists the names of a named type in a file, without pointers, with its aliases.
func (c *checked) typeNames(t types.Type, locals map[string]string) []string {
	var out []string
	for {
		switch x := t.(type) {
		case *types.Pointer:
			t = x.Elem()
			continue
		case *types.Alias:
			out = append(out, c.typeName(x.Obj(), locals)...)
			t = x.Rhs()
			continue
		case *types.Named:
			out = append(out, c.typeName(x.Obj(), locals)...)
		}
		return out
	}
}

func (c *checked) typeName(n *types.TypeName, locals map[string]string) []string {
	switch {
	case n.Pkg() == nil || n.Parent() != n.Pkg().Scope():
		return nil
	case n.Pkg() == c.types:
		return []string{n.Name()}
	}
	return []string{locals[n.Pkg().Path()] + n.Name()}
}
