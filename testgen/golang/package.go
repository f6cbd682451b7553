// Package golang generates test specs and test code for Go from the syntax of a package, without a toolchain. Its
// output depends only on the source; this package runs none of it.
package golang

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	reader "github.com/causaldocs/causal/knowledge/source/golang"
	"github.com/causaldocs/causal/testgen"
)

type module struct {
	dir, path, version string
}

// Package is the source of one directory.
type Package struct {
	Dir, Path, Name string
	// Go is the language version of the module, such as 1.22.
	Go         string
	repository testgen.Repository
	// Main reports that it is a program, which cannot be imported.
	Main bool

	funcs        map[string]*function
	types        map[string]*declared
	consts       map[string][]string // exported typed constants, by type
	vars         map[string]*variable
	valueNames   []string // of variables with an initial value, sorted
	tests        []*ast.FuncDecl
	shown        []printedCall // in examples
	doc          string        // package documentation
	readme       string
	quoted       []said                  // cache of quotes
	steady       map[string][]string     // cache of fixed
	changing     map[string]string       // cache of changed
	changer      map[*function]string    // cache of changes
	mutator      map[string]bool         // cache of changesReceiver
	constructors map[string]*Constructor // cache of constructor
	stems        map[string]string       // of test files, by symbol
	broken       string                  // the first file that does not parse
	dotted       bool                    // some file has a dot import
}

type function struct {
	name string // Parse, Amount.String
	file string
	decl *ast.FuncDecl
	imports
	limited string // its build constraint, if it excludes a common system
}

type declared struct {
	spec *ast.TypeSpec
	doc  *ast.CommentGroup
	imports
}

// imports maps names in a file to import paths.
type imports map[string]string

// longestReadme is in bytes.
const longestReadme = 256 << 10

// load parses the package of a directory; nil if there is none, or no go.mod above it.
func load(r testgen.Repository, dir string) (testgen.Module, error) {
	m, err := moduleOf(r, dir)
	if err != nil || m == nil {
		return nil, err
	}
	p := &Package{
		repository: r, Dir: dir, Path: m.path, Go: m.version, funcs: map[string]*function{}, types: map[string]*declared{},
		consts: map[string][]string{}, vars: map[string]*variable{},
		changer: map[*function]string{}, mutator: map[string]bool{},
	}
	if within := strings.TrimPrefix(strings.TrimPrefix(dir, m.dir), "/"); dir != m.dir && within != "." {
		p.Path = path.Join(m.path, within)
	}
	err = testgen.Sources(r, dir, func(name string) bool { return path.Ext(name) == ".go" }, p.add)
	if err != nil || p.Name == "" {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(p.vars)) {
		if p.vars[name].value != nil {
			p.valueNames = append(p.valueNames, name)
		}
	}
	readme, err := r.Read(path.Join(dir, "README.md"))
	if len(readme) <= longestReadme {
		p.readme = string(readme)
	}
	p.stems = Stems(p.Symbols())
	return p, err
}

func moduleOf(r testgen.Repository, dir string) (*module, error) {
	for at := range testgen.Up(dir) {
		data, err := r.Read(path.Join(at, "go.mod"))
		if err != nil {
			return nil, err
		}
		if data == nil {
			continue
		}
		f, err := modfile.ParseLax("go.mod", data, nil)
		if err != nil || f.Module == nil {
			return nil, nil //nolint:nilerr // go builds nothing there, either
		}
		m := &module{dir: at, path: f.Module.Mod.Path, version: "1.16"} // the default without a go directive
		if f.Go != nil {
			m.version = f.Go.Version
		}
		return m, nil
	}
	return nil, nil
}

func (p *Package) add(name string, data []byte) {
	test := strings.HasSuffix(name, "_test.go")
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		if !test && p.broken == "" {
			p.broken = name
		}
		return
	}
	if test {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				p.tests = append(p.tests, d)
			}
		}
		p.shown = append(p.shown, shownIn(f)...)
		return
	}
	built, limited := constrained(name, f)
	if !built {
		return
	}
	p.Name, p.Main = f.Name.Name, f.Name.Name == "main"
	if f.Doc != nil {
		p.doc += f.Doc.Text() + "\n"
	}
	in := imports{}
	for _, spec := range f.Imports {
		at, _ := strconv.Unquote(spec.Path.Value)
		as := importName(at)
		if spec.Name != nil {
			as = spec.Name.Name
		}
		in[as] = at
		p.dotted = p.dotted || as == "."
		if at == "C" {
			limited = "cgo"
		}
	}
	for _, d := range f.Decls {
		p.declare(name, d, in, limited)
	}
}

// importName guesses the package name of an import path: the last element that is no version.
func importName(at string) string {
	base := path.Base(at)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && path.Dir(at) != "." {
		base = path.Base(path.Dir(at))
	}
	base, _, _ = strings.Cut(base, ".v")
	return strings.ReplaceAll(strings.TrimPrefix(base, "go-"), "-", "_")
}

func (p *Package) declare(file string, d ast.Decl, in imports, limited string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			base := receiver(d.Recv)
			if base == "" {
				return
			}
			name = base + "." + name
		}
		if _, twice := p.funcs[name]; !twice || limited == "" {
			p.funcs[name] = &function{name, file, d, in, limited}
		}
	case *ast.GenDecl:
		before := ""
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				said := s.Doc
				if said == nil {
					said = d.Doc
				}
				p.types[s.Name.Name] = &declared{s, said, in}
			case *ast.ValueSpec:
				before = p.valuesOf(d, s, in, before)
			}
		}
	}
}

// valuesOf records typed constants and variables. It returns the type, which a following constant without a value
// inherits.
func (p *Package) valuesOf(d *ast.GenDecl, s *ast.ValueSpec, in imports, before string) (base string) {
	if base = before; s.Type != nil || len(s.Values) > 0 {
		base = ""
	}
	if id, ok := s.Type.(*ast.Ident); ok {
		base = id.Name
	} else if len(s.Values) == 1 {
		if call, ok := s.Values[0].(*ast.CallExpr); ok && len(call.Args) == 1 {
			base = valueName(call.Fun)
		}
	}
	for i, n := range s.Names {
		switch {
		case d.Tok == token.VAR:
			v := &variable{typ: s.Type, imports: in}
			if len(s.Values) == len(s.Names) {
				v.value = s.Values[i]
			}
			p.vars[n.Name] = v
		case base != "" && n.IsExported():
			p.consts[base] = append(p.consts[base], n.Name)
		}
	}
	return base
}

func receiver(list *ast.FieldList) string {
	if len(list.List) != 1 {
		return ""
	}
	return baseName(list.List[0].Type)
}

// systems are the common platforms. A function missing on one of them is not tested.
var systems = []map[string]bool{
	{"linux": true, "amd64": true, "unix": true}, {"darwin": true, "arm64": true, "unix": true}, {"windows": true, "amd64": true},
}

// constrained reports whether a file is built on the first system, and its constraint if that excludes another one.
func constrained(name string, f *ast.File) (built bool, limited string) {
	guard := reader.Guard(name, f)
	x, err := constraint.Parse("//go:build " + guard)
	if guard == "" || err != nil {
		return true, ""
	}
	lacks := func(system map[string]bool) bool {
		return !x.Eval(func(tag string) bool { return system[tag] || tag == "gc" || strings.HasPrefix(tag, "go1.") })
	}
	if slices.ContainsFunc(systems[1:], lacks) {
		limited = guard
	}
	return !lacks(systems[0]), limited
}
