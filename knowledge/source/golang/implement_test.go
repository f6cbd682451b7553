package golang_test

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// TestImplementersAgainstTypes compares the pairs of types and interfaces with the type checker.
func TestImplementersAgainstTypes(t *testing.T) {
	packages := map[string]*types.Package{}
	units := map[string]source.Module{}
	project := sourcetest.Project{Languages: []source.Language{golang.Language{}}, Files: map[string]string{"go.mod": "module std\n"}}
	corpus(t, func(t *testing.T, c *checked) {
		m, _, _ := c.module()
		if c.importer == nil {
			t.Skip("what is compiled does not tell all that is not exported")
		}
		p, err := c.importer.Import(c.path) // as the others import it
		if err != nil {
			t.Fatal(err)
		}
		units[c.path], packages[c.path] = m, p
		for _, u := range m.Units {
			project.Files[u.Path] = ""
		}
	})
	shapes := shapesOf(units, map[string]source.Resolver{"go": golang.Language{}.Resolver(project)})
	kin := source.Kinship{Shapes: func(m string) (source.Shapes, bool) { s, ok := shapes[m]; return s, ok }}
	modules := slices.Sorted(maps.Keys(packages))
	var pairs, certain, wrong, missing int
	certainly := map[pair]bool{}
	for _, m := range modules {
		for _, name := range packages[m].Scope().Names() {
			iface := plainInterface(packages[m].Scope().Lookup(name))
			if iface == nil || iface.NumMethods() == 0 {
				continue
			}
			got := map[source.Use]bool{}
			for _, i := range kin.Implementers(source.Use{Module: m, Name: name}, modules) {
				got[i.Use] = i.Certain
			}
			for use, sure := range got {
				if sure {
					certainly[pair{use, source.Use{Module: m, Name: name}}] = true
				}
			}
			want := implementing(packages, iface)
			for use := range want {
				pairs++
				if _, ok := got[use]; !ok {
					missing++
					t.Logf("missing: %s implements %s.%s", use, m, name)
				}
			}
			for use, sure := range got {
				if !sure || plainType(packages[use.Module].Scope().Lookup(use.Name)) == nil {
					continue // of a generic type nothing can be asked before it has its arguments
				}
				if certain++; !want[use] {
					wrong++
					t.Logf("wrong: %s does not implement %s.%s", use, m, name)
				}
			}
		}
	}
	t.Logf("%d types implement an interface; %d are said to with certainty, %d of them wrongly; %d are missing", pairs, certain, wrong, missing)
	if pairs == 0 || percent(wrong, certain) > 0.5 || percent(missing, pairs) > 2 {
		t.Error("too many differ")
	}
	checkImplemented(t, kin, packages, certainly)
}

// pair is a type with an interface that it implements.
type pair struct{ use, of source.Use }

// checkImplemented holds what types are said to implement of what their package imports to which types are said to implement that.
func checkImplemented(t *testing.T, kin source.Kinship, packages map[string]*types.Package, certainly map[pair]bool) {
	for m, p := range packages {
		near := map[string]bool{m: true}
		var others []string
		for _, i := range p.Imports() {
			if packages[i.Path()] != nil && i.Path() != m {
				near[i.Path()], others = true, append(others, i.Path())
			}
		}
		slices.Sort(others)
		got := map[pair]bool{}
		for _, i := range kin.Implemented(m, others, func(of source.Use) bool { return packages[of.Module].Scope().Lookup(of.Name).Exported() }) {
			one := pair{source.Use{Module: m, Name: i.Type}, i.Of}
			got[one] = true
			if plainInterface(packages[i.Of.Module].Scope().Lookup(i.Of.Name)) != nil && !certainly[one] {
				t.Errorf("%s does not implement %s", one.use, one.of)
			}
		}
		for one := range certainly {
			if one.use.Module == m && near[one.of.Module] && !got[one] && (one.of.Module == m || token.IsExported(one.of.Name) && !closed(packages, one.of)) {
				t.Errorf("%s implements %s", one.use, one.of)
			}
		}
	}
}

// closed reports whether an interface asks for a method that only its package can declare.
func closed(packages map[string]*types.Package, of source.Use) bool {
	iface := plainInterface(packages[of.Module].Scope().Lookup(of.Name))
	for m := range iface.Methods() {
		if !m.Exported() {
			return true
		}
	}
	return false
}

func shapesOf(modules map[string]source.Module, resolvers map[string]source.Resolver) map[string]source.Shapes {
	tables, declared := map[string]source.Table{}, map[string][]source.Declared{}
	for m, module := range modules {
		declared[m] = module.Declarations()
		tables[m] = source.NewTable(module, declared[m], resolvers)
	}
	linker := source.Linker{Table: func(m string) (source.Table, bool) { t, ok := tables[m]; return t, ok }}
	out := map[string]source.Shapes{}
	for m, module := range modules {
		out[m] = source.NewShapes(module, declared[m], resolvers, linker)
	}
	return out
}

// plainInterface is the interface that a declaration is, when it has no type parameters and is no alias.
func plainInterface(obj types.Object) *types.Interface {
	n := plainType(obj)
	if n == nil {
		return nil
	}
	iface, ok := n.Underlying().(*types.Interface)
	if !ok || !iface.IsMethodSet() {
		return nil
	}
	return iface
}

func plainType(obj types.Object) *types.Named {
	name, ok := obj.(*types.TypeName)
	if !ok || name.IsAlias() {
		return nil
	}
	n, ok := name.Type().(*types.Named)
	if !ok || n.TypeParams().Len() > 0 {
		return nil
	}
	return n
}

func implementing(packages map[string]*types.Package, iface *types.Interface) map[source.Use]bool {
	out := map[source.Use]bool{}
	for m, p := range packages {
		for _, name := range p.Scope().Names() {
			if n := plainType(p.Scope().Lookup(name)); n != nil && !types.IsInterface(n) && types.Implements(types.NewPointer(n), iface) {
				out[source.Use{Module: m, Name: name}] = true
			}
		}
	}
	return out
}
