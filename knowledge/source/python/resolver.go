package python

import (
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// resolver finds modules in the directories that may be on Python's search path.
type resolver struct {
	files    map[string]bool
	dirs     map[string]bool
	packages map[string]bool
	shared   map[string][]string
	projects []installed
}

// sharedRoots are the directories of a repository or project that are usually on the search path.
var sharedRoots = []string{".", "src", "lib", "python"}

// Resolver implements source.Language.
func (l Language) Resolver(p source.Project) source.Resolver {
	r := &resolver{files: map[string]bool{}, dirs: map[string]bool{}, packages: map[string]bool{}, shared: map[string][]string{}}
	children := map[string][]string{} // directory -> module names
	for _, f := range p.Sources(l.Name()) {
		r.files[f] = true
		dir, base := path.Split(f)
		dir = path.Clean(dir)
		if stem := moduleName(base); stem == "__init__" {
			r.packages[dir] = true
		} else {
			children[dir] = append(children[dir], stem)
		}
		for d := dir; !outermost(d) && !r.dirs[d]; d = path.Dir(d) {
			r.dirs[d] = true
			children[path.Dir(d)] = append(children[path.Dir(d)], path.Base(d))
		}
	}
	r.projects = readProjects(p, l.Manifests())
	for _, root := range roots(p, l.Manifests()) {
		for _, c := range children[root] {
			if !slices.Contains(r.shared[c], root) {
				r.shared[c] = append(r.shared[c], root)
			}
		}
	}
	return r
}

func roots(p source.Project, manifests []string) []string {
	out := slices.Clone(sharedRoots)
	seen := map[string]bool{}
	for _, base := range manifests {
		for _, m := range p.Manifests(base) {
			seen[path.Dir(m)] = true
			seen[path.Join(path.Dir(m), "src")] = true
		}
	}
	var more []string
	for d := range seen {
		if !slices.Contains(out, d) {
			more = append(more, d)
		}
	}
	sort.Strings(more)
	return append(out, more...)
}

func outermost(dir string) bool { return dir == "." || dir == "/" }

func moduleName(base string) string {
	return strings.TrimSuffix(strings.TrimSuffix(base, "i"), ".py")
}

// Resolve implements source.Resolver.
func (r *resolver) Resolve(from string, imp source.Import) []source.Target {
	dir := path.Dir(from)
	rest := strings.TrimLeft(imp.Path, ".")
	if dots := len(imp.Path) - len(rest); dots > 0 {
		for ; dots > 1; dots-- {
			if outermost(dir) {
				return nil
			}
			dir = path.Dir(dir)
		}
		return r.targets(path.Join(dir, strings.ReplaceAll(rest, ".", "/")), imp)
	}
	if rest == "" {
		return nil
	}
	return r.absolute(dir, strings.ReplaceAll(rest, ".", "/"), imp)
}

// absolute searches the ancestors of the file's directory, then the shared roots. Package directories are not on the
// search path. If several shared roots match, the result is ambiguous and empty.
func (r *resolver) absolute(dir, module string, imp source.Import) []source.Target {
	top, _, _ := strings.Cut(module, "/")
	standard := standardLibrary[top]
	for ; ; dir = path.Dir(dir) {
		if !r.packages[dir] && (!standard || r.regular(path.Join(dir, top))) {
			if out := r.targets(path.Join(dir, module), imp); out != nil {
				return out
			}
		}
		if outermost(dir) {
			break
		}
	}
	if standard {
		return nil
	}
	var found []source.Target
	for _, root := range r.shared[top] {
		out := r.targets(path.Join(root, module), imp)
		if out != nil && found != nil {
			return nil
		}
		if out != nil {
			found = out
		}
	}
	return found
}

// regular distinguishes modules and regular packages from namespace packages.
func (r *resolver) regular(module string) bool {
	return r.packages[module] || r.fileOf(module) != ""
}

func (r *resolver) fileOf(module string) string {
	for _, ext := range [...]string{".py", ".pyi"} {
		if r.files[module+ext] {
			return module + ext
		}
	}
	return ""
}

func (r *resolver) targets(module string, imp source.Import) []source.Target {
	f := r.fileOf(module)
	switch {
	case f != "" && !r.packages[module]:
		return []source.Target{{Dir: path.Dir(f), File: path.Base(f), Names: names(imp), All: imp.All}}
	case r.dirs[module] || module == ".":
		return r.packageTargets(module, imp)
	}
	return nil
}

func names(imp source.Import) []source.Name {
	if imp.All {
		return nil
	}
	return imp.Names
}

// packageTargets resolves an import of a package: its own names and its submodules. A submodule counts as both,
// because the package may rebind its name.
func (r *resolver) packageTargets(dir string, imp source.Import) []source.Target {
	var out []source.Target
	own := source.Target{Dir: dir, All: imp.All}
	for _, n := range imp.Names {
		sub := path.Join(dir, n.Name)
		switch f := r.fileOf(sub); {
		case r.packages[sub]:
			out = append(out, source.Target{Dir: sub, File: r.initOf(sub), All: true})
			continue
		case f != "":
			out = append(out, source.Target{Dir: dir, File: path.Base(f), All: true})
		}
		own.Names = append(own.Names, n)
	}
	if own.File = r.initOf(dir); own.File == "" {
		return out
	}
	if own.All {
		own.Names = nil
	}
	if own.All || len(own.Names) > 0 || len(out) == 0 {
		out = append([]source.Target{own}, out...)
	}
	return out
}

func (r *resolver) initOf(dir string) string {
	f := r.fileOf(path.Join(dir, "__init__"))
	if f == "" {
		return ""
	}
	return path.Base(f)
}
