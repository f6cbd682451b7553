package api

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// overflows reports whether a package is certain to import more packages than are made for one, by what the survey knows of imports:
// then none is read. Packages that may turn out not to be made are taken to import nothing.
func (l *goLoader) overflows(dir string) (bool, error) {
	reached := []string{dir}
	seen := map[string]bool{dir: true}
	for i := 0; i < len(reached); i++ {
		v, err := read(l.reader, reached[i])
		if err != nil {
			return false, err
		}
		for _, imported := range importsOf(v.files("go")) {
			if to := l.dirOf(imported); to != "" && !seen[to] {
				seen[to] = true
				reached = append(reached, to)
			}
		}
		if len(reached) > mostPackages {
			return true, nil
		}
	}
	return false, nil
}

// importsOf lists what the files of a package import that are built together; nothing where they make no package.
func importsOf(units []source.Unit) (imports []string) {
	units = slices.DeleteFunc(slices.Clone(units), func(u source.Unit) bool { return !built(u.File.Guard) })
	for _, u := range units {
		if u.Opaque != "" || u.File.Problem != "" || u.File.Package != units[0].File.Package {
			return nil
		}
		for _, i := range u.File.Imports {
			imports = append(imports, i.Path)
		}
	}
	return imports
}
