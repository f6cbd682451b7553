package python

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// Published implements source.Publisher. Callers import packages and their modules, except those with a leading
// underscore. A package counts if its directory is on the search path of an installed project, other than those of
// examples and tests.
func (r *resolver) Published() []source.Entry {
	var out []source.Entry
	tops, in := map[string]bool{}, map[string][]string{}
	for dir := range r.packages {
		if base := path.Base(dir); dir != "." && isPublic(base) && !aside[base] {
			in[path.Dir(dir)] = append(in[path.Dir(dir)], dir)
		}
	}
	for _, p := range r.projects {
		// Next to a src directory, packages at the root are for the project's developers.
		var found []string
		if i := slices.IndexFunc(p.roots, func(root string) bool { return in[root] != nil }); i >= 0 {
			found = in[p.roots[i]]
		}
		for _, dir := range found {
			tops[dir] = true
		}
		if len(found) == 0 {
			out = append(out, r.single(p)...)
		}
	}
	for file := range r.files {
		dir := path.Dir(file)
		top, ok := topOf(tops, dir)
		if !ok {
			continue
		}
		name := strings.ReplaceAll(strings.TrimPrefix(dir, strings.TrimPrefix(path.Dir(top)+"/", "./")), "/", ".")
		if stem := moduleName(path.Base(file)); stem != "__init__" {
			name += "." + stem
		}
		if slices.ContainsFunc(strings.Split(name, "."), func(part string) bool { return !isPublic(part) }) || !r.inPackages(top, dir) {
			continue
		}
		out = append(out, source.Entry{Import: name, Prefix: name + ".", Dir: dir, File: path.Base(file), Root: top})
	}
	return out
}

func (r *resolver) single(p installed) []source.Entry {
	var out []source.Entry
	for _, name := range p.modules {
		for _, root := range p.roots {
			if f := r.fileOf(path.Join(root, name)); f != "" && isPublic(name) {
				out = append(out, source.Entry{Import: name, Prefix: name + ".", Dir: root, File: path.Base(f), Root: f})
				break
			}
		}
	}
	return out
}

// isPublic reports whether callers may import a module: its name is an identifier without a leading underscore.
func isPublic(name string) bool { return importable.MatchString(name) }

var importable = lazyregexp.New(`^[\pL][\pL\pN_]*$`)

// aside lists root directories that are packages only for the project's developers.
var aside = lazy.Set(`test tests testing doc docs docs_src example examples benchmark benchmarks scripts tools tasks conftest`)

func topOf(tops map[string]bool, dir string) (string, bool) {
	for ; !outermost(dir); dir = path.Dir(dir) {
		if tops[dir] {
			return dir, true
		}
	}
	return "", false
}

func (r *resolver) inPackages(top, dir string) bool {
	for ; dir != top; dir = path.Dir(dir) {
		if !r.packages[dir] {
			return false
		}
	}
	return true
}
