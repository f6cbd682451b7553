package api

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

func (p *pair) golang(language string) ([]breakage, error) {
	if slices.ContainsFunc(p.was.files(language), isCommand) {
		return nil, nil
	}
	var broken []breakage
	var err error
	if len(p.now.files(language)) == 0 {
		broken, err = p.goneGo()
	} else {
		broken, err = p.changedGo()
	}
	if err != nil || len(broken) == 0 {
		return nil, err
	}
	own := isInternal(p.name)
	if !own {
		own, err = p.isProgram()
	}
	for i := range broken {
		b := &broken[i]
		if b.inner = own; isInternal(p.name) && err == nil {
			var public bool
			typ, _, _ := strings.Cut(b.declared, ".")
			public, err = p.isAliased(typ)
			b.inner = !public
		}
	}
	return broken, err
}

func isInternal(module string) bool { return slices.Contains(strings.Split(module, "/"), "internal") }

// isAliased reports whether a public package exports a declaration of an internal one, as an alias of the type or as
// a variable that holds the function.
func (p *pair) isAliased(name string) (bool, error) {
	callers, err := survey.CallersOf(p.was.reader, p.name, name)
	if err != nil {
		return false, err
	}
	for _, c := range callers {
		if !c.Certain || isInternal(c.Module) || aside(c.Module) {
			continue
		}
		v, err := read(p.was.reader, c.Module)
		if err != nil {
			return false, err
		}
		d := v.declared[c.Name]
		if d == nil || !d.Exported || slices.ContainsFunc(v.files("go"), isCommand) {
			continue
		}
		if m := otherName.FindStringSubmatch(d.Signature); m != nil && m[1] == name {
			return true, nil
		}
	}
	return false, nil
}

// otherName matches an alias or a variable for a declaration of another package, and captures its name there.
var otherName = lazyregexp.New(`^(?:type|var) \S+(?:\[.*\])? = \w+\.(\w+)(?:\[.*\])?$`)

func isCommand(u source.Unit) bool { return u.File.Package == "main" && built(u.File.Guard) }
func isLibrary(u source.Unit) bool { return u.File.Package != "main" && built(u.File.Guard) }

func (p *pair) changedGo() ([]breakage, error) {
	shallow, err := p.overflows()
	if err != nil {
		return nil, err
	}
	c, err := p.goComparer(shallow)
	if c != nil && (c.was.cut || c.now.cut) { // both sides need the same depth
		c, err = p.goComparer(true)
	}
	if err != nil || c == nil {
		return nil, err
	}
	c.compare()
	return p.once(slices.DeleteFunc(c.broken, p.byProgram)), nil
}

// once removes promoted members whose change is already reported for the embedded type.
func (p *pair) once(broken []breakage) []breakage {
	type member struct {
		was, now   place
		name, kind string
	}
	memberOf := func(b breakage) (m member, owns bool) {
		v, at := p.latest(b)
		typ, name, _ := strings.Cut(b.symbol, ".")
		d := v.declared[typ]
		return member{b.was, b.now, name, b.kind}, name != "" && d != nil && d.Path == at.path && d.Line <= at.line && at.line <= d.End
	}
	told := map[member]bool{}
	for _, b := range broken {
		if m, owns := memberOf(b); owns {
			told[m] = true
		}
	}
	return slices.DeleteFunc(broken, func(b breakage) bool {
		m, owns := memberOf(b)
		return !owns && told[m]
	})
}

// latest returns the place of a breakage in the new version, or else in the old one.
func (p *pair) latest(b breakage) (version, place) {
	if b.now.line == 0 {
		return p.was, b.was
	}
	return p.now, b.now
}

// byProgram reports whether a breakage is in generated code. The change of the generator's input is reported instead.
func (p *pair) byProgram(b breakage) bool {
	v, at := p.latest(b)
	u, ok := v.file(at.path)
	return ok && u.File.Generated
}

// overflows reports whether either version of the package certainly imports more packages than the loader accepts.
func (p *pair) overflows() (bool, error) {
	for _, v := range []version{p.now, p.was} {
		l, err := newGoLoader(v.reader, p.parsed.current(), p.name, false)
		if err != nil {
			return false, err
		}
		if over, err := l.overflows(p.name); over || err != nil {
			return over, err
		}
	}
	return false, nil
}

type goComparer struct {
	pair     *pair
	was, now *goLoader
	old, new *types.Package
	alike    map[[2]types.Type]bool  // pairs of types that were compared or are being compared
	counted  map[token.Pos]token.Pos // position of each iota constant, mapped to its const block
	recount  map[token.Pos]bool      // const blocks already reported
	uses     goUses                  // of the old version, computed on demand
	broken   []breakage
}

func (p *pair) goComparer(shallow bool) (*goComparer, error) {
	c := &goComparer{pair: p, alike: map[[2]types.Type]bool{}, counted: map[token.Pos]token.Pos{}, recount: map[token.Pos]bool{}}
	var err error
	if c.was, err = newGoLoader(p.was.reader, p.parsed.current(), p.name, shallow); err != nil {
		return nil, err
	}
	if c.now, err = newGoLoader(p.now.reader, p.parsed.current(), p.name, shallow); err != nil {
		return nil, err
	}
	if c.was.importPath(p.name) != c.now.importPath(p.name) {
		return nil, nil // another import path, such as v2, is a different module to importers
	}
	was, err := c.was.load(p.name)
	if err != nil {
		return nil, err
	}
	now, err := c.now.load(p.name)
	if err != nil {
		return nil, err
	}
	for _, side := range []*goPackage{was, now} {
		if side.types == nil && len(side.files) > 0 {
			p.skip(c.was.file(side), side.why)
			return nil, nil
		}
	}
	if was.types == nil || now.types == nil || was.types.Name() != now.types.Name() {
		return nil, nil
	}
	c.old, c.new = was.types, now.types
	for _, f := range now.files {
		c.count(f)
	}
	return c, nil
}

// file returns the path of the file that could not be loaded, or of the package's first file.
func (l *goLoader) file(p *goPackage) string {
	if p.whose != "" {
		return p.whose
	}
	return l.place(p.files[0].Package).path
}

// count records constants whose values depend on iota: adding or removing one changes all later ones.
func (c *goComparer) count(f *ast.File) {
	for _, d := range f.Decls {
		list, ok := d.(*ast.GenDecl)
		if !ok || list.Tok != token.CONST {
			continue
		}
		counts := false
		for _, s := range list.Specs {
			s := s.(*ast.ValueSpec)
			if len(s.Values) > 0 {
				counts = slices.ContainsFunc(s.Values, hasIota)
			}
			for _, n := range s.Names {
				if counts {
					c.counted[n.Pos()] = list.Pos()
				}
			}
		}
	}
}

func hasIota(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "iota"
		return true
	})
	return found
}

func (p *pair) goneGo() ([]breakage, error) {
	l, err := newGoLoader(p.was.reader, p.parsed.current(), p.name, true)
	if err != nil {
		return nil, err
	}
	gone, err := l.load(p.name)
	if err != nil || gone.types == nil {
		return nil, err
	}
	var exported []string
	for _, d := range p.was.module.Declared {
		if d.Exported && !d.Hidden {
			exported = append(exported, d.Name)
		}
	}
	if len(exported) == 0 || slices.Contains(strings.Split(p.name, "/"), "internal") {
		return nil, nil
	}
	return []breakage{{
		symbol: gone.types.Name(), kind: "package removed", text: "was removed with all its exports: code that imports " + l.importPath(p.name) + " no longer compiles",
		was: l.place(gone.files[0].Package), all: exported,
	}}, nil
}

func (l *goLoader) place(pos token.Pos) place {
	at := l.trees.fset.PositionFor(pos, false) // ignores //line directives
	return place{at.Filename, at.Line}
}
