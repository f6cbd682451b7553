package api

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// overflows reports whether a package certainly imports more packages than the loader accepts, so none needs loading.
// It assumes that packages which may fail to load import nothing.
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

// importsOf lists the imports of a package's files that are built together, or nothing if they do not form a package.
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
