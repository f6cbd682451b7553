package api

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/types"
	"path"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Limits of the source that is loaded for the types of one package.
const (
	mostPackages = 64       // packages of the repository, including imports
	mostSource   = 16 << 20 // bytes of Go source
)

// goLoader type-checks the packages of one version from their source alone. Packages of other Go modules are opaque:
// the loader assumes that all their names are types.
type goLoader struct {
	reader   survey.Reader
	trees    *trees
	root     string // the directory of go.mod
	module   string // module path in go.mod; empty without one
	packages map[string]*goPackage
	opaque   map[string]*types.Package
	source   int  // bytes read
	shallow  bool // whether imports within the repository are opaque too
	cut      bool // a limit was reached, so imports are known only in part
	err      error
}

// goPackage is one package. types is nil if it cannot be type-checked.
type goPackage struct {
	dir     string
	files   []*ast.File
	types   *types.Package
	weights map[string]weight
	why     string // why it cannot be type-checked
	whose   string // the file with the problem
}

func newGoLoader(r survey.Reader, t *trees, dir string, shallow bool) (*goLoader, error) {
	l := &goLoader{reader: r, trees: t, packages: map[string]*goPackage{}, opaque: map[string]*types.Package{}, shallow: shallow}
	name, text, err := nearest(r, dir, "go.mod")
	if err != nil {
		return nil, err
	}
	if text != nil {
		l.root, l.module = path.Dir(name), modfile.ModulePath(text)
	}
	return l, nil
}

// importPath returns the import path of a directory, or the directory itself without a go.mod.
func (l *goLoader) importPath(dir string) string {
	if l.module == "" {
		return dir
	}
	if dir == l.root {
		return l.module
	}
	if l.root != "." {
		dir = strings.TrimPrefix(dir, l.root+"/")
	}
	return l.module + "/" + dir
}

// dirOf returns the directory of an import within the same Go module, or "" for other imports.
func (l *goLoader) dirOf(imported string) string {
	rest, ok := strings.CutPrefix(imported, l.module)
	if l.module == "" || !ok || rest != "" && rest[0] != '/' {
		return ""
	}
	return path.Join(l.root, rest)
}

func (l *goLoader) load(dir string) (*goPackage, error) {
	if p, ok := l.packages[dir]; ok {
		return p, nil
	}
	p := &goPackage{dir: dir, why: "it imports itself"}
	l.packages[dir] = p
	v, err := read(l.reader, dir)
	if err != nil {
		return nil, err
	}
	if err := l.parse(p, v.files("go")); err != nil || p.why != "" {
		return p, err
	}
	for _, f := range p.files {
		if err := l.prepare(f); err != nil {
			return nil, err
		}
	}
	if p.weights, p.why = l.weigh(p); p.why == "" {
		l.check(p)
	}
	return p, l.err
}

// parse reads the files that a Linux build of the package includes.
func (l *goLoader) parse(p *goPackage, units []source.Unit) error {
	p.why = "there is no Go source"
	name := ""
	for _, u := range units {
		if !built(u.File.Guard) {
			continue
		}
		text, err := survey.Blob(l.reader, u.Path)
		if err != nil {
			return err
		}
		l.source += len(text)
		f, err := l.trees.parse(u.Path, text)
		switch {
		case u.Opaque != "" || err != nil:
			p.why, p.whose = "it cannot be read", u.Path
			return nil
		case name != "" && name != f.Name.Name:
			p.why, p.whose = "its directory has several packages", u.Path
			return nil
		}
		name, p.why = f.Name.Name, ""
		p.files = append(p.files, withOwnImports(f))
	}
	return nil
}

// built reports whether a build constraint holds for most users: with cgo, on Linux.
func built(guard string) bool {
	if guard == "" {
		return true
	}
	x, err := constraint.Parse("//go:build " + guard)
	return err == nil && x.Eval(func(tag string) bool {
		return tag == "linux" || tag == "amd64" || tag == "unix" || tag == "gc" || tag == "cgo" || strings.HasPrefix(tag, "go1.")
	})
}

// prepare loads a file's imports within the repository, or declares the used names of others. It writes the names
// that imports are bound to into the tree.
func (l *goLoader) prepare(f *ast.File) error {
	used := selectedFrom(f)
	elsewhere := map[string]*types.Package{}
	for _, imp := range f.Imports {
		imported, err := strconv.Unquote(imp.Path.Value)
		if err != nil || imported == "C" || imported == "unsafe" {
			continue
		}
		p, err := l.here(imported)
		switch {
		case err != nil:
			return err
		case p != nil:
			if imp.Name == nil {
				imp.Name = ast.NewIdent(p.types.Name())
			}
			continue
		}
		if imp.Name == nil {
			imp.Name = ast.NewIdent(boundName(used, imported))
		}
		if l.opaque[imported] == nil {
			l.opaque[imported] = types.NewPackage(imported, imp.Name.Name)
			l.opaque[imported].MarkComplete()
		}
		elsewhere[imp.Name.Name] = l.opaque[imported]
	}
	fillOpaque(f, elsewhere)
	return nil
}

// here returns a package of the repository, or nil if it is not one or cannot be type-checked.
func (l *goLoader) here(imported string) (*goPackage, error) {
	dir := l.dirOf(imported)
	if dir == "" || l.shallow {
		return nil, nil
	}
	if l.packages[dir] == nil && (len(l.packages) >= mostPackages || l.source > mostSource) {
		l.cut = true
		return nil, nil
	}
	p, err := l.load(dir)
	if err != nil || p.types == nil {
		return nil, err
	}
	return p, nil
}

// check type-checks a package. Declarations with errors get invalid types, which are never reported.
func (l *goLoader) check(p *goPackage) {
	defer func() {
		if r := recover(); r != nil { // the type checker may panic on invalid source
			p.types, p.why = nil, fmt.Sprintf("Go's type checker rejects it: %v", r)
		}
	}()
	config := types.Config{
		IgnoreFuncBodies: true, FakeImportC: true, DisableUnusedImportCheck: true,
		Importer: importer(l.imported), Sizes: wordSizes{}, Error: func(error) {},
	}
	p.types, _ = config.Check(l.importPath(p.dir), l.trees.fset, p.files, nil)
}

type importer func(imported string) (*types.Package, error)

// Import implements types.Importer.
func (i importer) Import(imported string) (*types.Package, error) { return i(imported) }

func (l *goLoader) imported(name string) (*types.Package, error) {
	if name == "unsafe" {
		return types.Unsafe, nil
	}
	p, err := l.here(name)
	if err != nil {
		l.err = err
		return nil, err
	}
	if p != nil {
		return p.types, nil
	}
	if o := l.opaque[name]; o != nil {
		return o, nil
	}
	return nil, fmt.Errorf("%s is not known", name)
}

// wordSizes gives every type the same size, because go/types is slow for nested types and no result depends on sizes.
type wordSizes struct{}

func (wordSizes) Alignof(types.Type) int64 { return 8 }
func (wordSizes) Sizeof(types.Type) int64  { return 8 }
func (wordSizes) Offsetsof(fields []*types.Var) []int64 {
	return make([]int64, len(fields))
}
