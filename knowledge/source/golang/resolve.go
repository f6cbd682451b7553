package golang

import (
	"path"
	"sort"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/causaldocs/causal/knowledge/source"
)

// Resolver implements source.Language. An import resolves into the repository if one of its modules is a path prefix.
func (Language) Resolver(p source.Project) source.Resolver {
	r := resolver{project: p, dirs: map[string]bool{}}
	for _, f := range p.Manifests("go.mod") {
		text, ok := p.Read(f)
		if !ok {
			continue
		}
		if name := modfile.ModulePath(text); name != "" {
			r.modules = append(r.modules, module{name, path.Dir(f)})
		}
	}
	// the longest module path wins: nested modules before the outer one
	sort.Slice(r.modules, func(i, j int) bool {
		a, b := r.modules[i], r.modules[j]
		return len(a.path) > len(b.path) || len(a.path) == len(b.path) && a.dir < b.dir
	})
	for _, f := range p.Sources("go") {
		r.dirs[path.Dir(f)] = true
	}
	return r
}

type module struct{ path, dir string }

type resolver struct {
	project source.Project
	modules []module
	dirs    map[string]bool
}

// Resolve implements source.Resolver.
func (r resolver) Resolve(_ string, imp source.Import) []source.Target {
	for _, m := range r.modules {
		rest, ok := inside(imp.Path, m.path)
		if !ok {
			continue
		}
		dir := path.Join(m.dir, rest)
		if r.dirs[dir] {
			return []source.Target{{Dir: dir, Names: imp.Names, All: imp.All}}
		}
	}
	return nil
}

// Aliases implements source.Aliaser. A module path does not reveal its directory.
func (r resolver) Aliases(file string) []string {
	var out []string
	for _, m := range r.modules {
		if m.dir == path.Dir(file) {
			out = append(out, m.path)
		}
	}
	return out
}

// inside strips the module path from an import path. The standard library's module std is not a prefix of its
// packages.
func inside(imported, module string) (string, bool) {
	if module == "std" {
		return imported, !strings.Contains(strings.SplitN(imported, "/", 2)[0], ".")
	}
	if imported == module {
		return ".", true
	}
	return strings.CutPrefix(imported, module+"/")
}
