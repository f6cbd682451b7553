package rust

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Resolver implements source.Language.
func (Language) Resolver(p source.Project) source.Resolver {
	r := &resolver{
		workspaces: readWorkspaces(p), files: map[string]bool{}, folders: map[string]bool{}, roots: map[string]bool{},
		byDir: map[string][]string{}, crates: map[*cargo]map[string]*cargo{},
	}
	for _, file := range p.Sources("rust") {
		r.files[file] = true
		for dir := path.Dir(file); dir != "." && !r.folders[dir]; dir = path.Dir(dir) {
			r.folders[dir] = true
		}
	}
	for _, file := range p.Sources("rust") {
		if r.conventional(file) {
			r.addRoot(file)
		}
	}
	for _, dir := range r.workspaces.dirs() {
		m := r.workspaces.byDir[dir]
		r.crates[m] = r.workspaces.crates(m)
		for _, file := range append([]string{m.root}, m.targets...) {
			r.addRoot(file)
		}
	}
	return r
}

// resolver resolves paths in the module trees that the file layout implies.
type resolver struct {
	workspaces
	files   map[string]bool
	folders map[string]bool
	roots   map[string]bool     // crate root files
	byDir   map[string][]string // crate root files by directory
	crates  map[*cargo]map[string]*cargo
}

func (r *resolver) addRoot(file string) {
	if r.files[file] && !r.roots[file] {
		r.roots[file] = true
		r.byDir[path.Dir(file)] = append(r.byDir[path.Dir(file)], file)
	}
}

// conventional reports whether Cargo treats a file as a crate root because of its location.
func (r *resolver) conventional(file string) bool {
	dir, base := path.Split(file)
	dir = path.Clean(dir)
	m := r.nearest(dir, isPackage)
	if m == nil {
		return base == "lib.rs" || base == "main.rs"
	}
	inner := strings.TrimPrefix(strings.TrimPrefix(file, m.dir), "/")
	if m.dir == "." {
		inner = file
	}
	switch folder, _ := path.Split(inner); folder {
	case "":
		return base == "build.rs"
	case "src/":
		return base == "lib.rs" || base == "main.rs"
	case "src/bin/", "tests/", "benches/", "examples/":
		return true
	default:
		up, _ := path.Split(path.Clean(folder))
		return base == "main.rs" && (up == "src/bin/" || up == "tests/" || up == "benches/" || up == "examples/")
	}
}

// place is a file's position: the base directory of its crate's modules, the crate root, and the module path.
type place struct {
	dir     string
	root    string // empty if ambiguous
	modules []string
}

func (r *resolver) locate(file string) (place, bool) {
	if r.roots[file] {
		return place{dir: path.Dir(file), root: file}, true
	}
	stop := "."
	if m := r.nearest(path.Dir(file), isPackage); m != nil {
		stop = m.dir
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if roots := r.byDir[dir]; len(roots) > 0 {
			inner := strings.TrimSuffix(file, ".rs")
			if dir != "." {
				inner = inner[len(dir)+1:]
			}
			return place{dir: dir, root: preferred(roots), modules: strings.Split(strings.TrimSuffix(inner, "/mod"), "/")}, true
		}
		if dir == stop || dir == "." {
			return place{}, false
		}
	}
}

// preferred returns the root for the modules of a directory: the library, then the program, then the only root.
func preferred(roots []string) string {
	for _, base := range []string{"lib.rs", "main.rs"} {
		for _, f := range roots {
			if path.Base(f) == base {
				return f
			}
		}
	}
	if len(roots) == 1 {
		return roots[0]
	}
	return ""
}

// Resolve implements source.Resolver.
func (r *resolver) Resolve(from string, imp source.Import) []source.Target {
	at, segments, ok := r.start(from, strings.Split(imp.Path, "::"))
	if !ok {
		return nil
	}
	file, dir, rest := r.descend(at, segments)
	if len(rest) > 0 {
		return target(file, items(rest, imp))
	}
	t := source.Target{All: imp.All}
	var out []source.Target
	for _, n := range imp.Names {
		if module, _, more := r.descend(place{dir: dir}, []string{n.Name}); len(more) == 0 {
			n.As = ""
			out = append(out, target(module, source.Target{All: true, Names: []source.Name{n}})...) // or the function that it exports
			continue
		}
		t.Names = append(t.Names, n)
	}
	if imp.All {
		t.Names = nil
	}
	if len(t.Names) > 0 || imp.All || len(imp.Names) == 0 {
		out = append(target(file, t), out...)
	}
	return out
}

func target(file string, t source.Target) []source.Target {
	if file == "" {
		return nil
	}
	t.Dir, t.File = path.Dir(file), path.Base(file)
	return []source.Target{t}
}

// items returns the target names if the import path continues inside a file: a type stands for its members, an inline
// module for itself and its items.
func items(rest []string, imp source.Import) source.Target {
	for i, segment := range rest {
		if capital(segment) {
			return source.Target{Names: []source.Name{{Name: strings.Join(rest[:i+1], ".")}}}
		}
	}
	module := strings.Join(rest, ".")
	names := []source.Name{{Name: module}}
	for _, n := range imp.Names {
		names = append(names, source.Name{Name: module + "." + n.Name, As: cmp.Or(n.As, n.Name)})
	}
	return source.Target{Names: names}
}

func (r *resolver) start(from string, segments []string) (place, []string, bool) {
	at, ok := r.locate(from)
	if !ok {
		return place{}, nil, false
	}
	switch segments[0] {
	case "crate":
		return at, segments[1:], true
	case "self", "super":
		rest, modules, inside := climb(segments, at.modules)
		return at, slices.Concat(modules, rest), inside
	}
	return r.external(from, at, segments)
}

// external resolves a path that starts with a crate name, or with a module of the file. In the 2015 edition it may start
// with any module of the crate.
func (r *resolver) external(from string, at place, segments []string) (place, []string, bool) {
	m := r.nearest(path.Dir(from), isPackage)
	if m == nil {
		return place{}, nil, false
	}
	if other := r.crates[m][segments[0]]; other != nil && r.files[other.root] {
		return place{dir: path.Dir(other.root), root: other.root}, segments[1:], true
	}
	modules := at.modules
	if m.edition == "" || m.edition == "2015" {
		modules = nil
	}
	if inner := slices.Concat(modules, segments[:1]); r.module(path.Join(at.dir, path.Join(inner...))) != "" {
		return at, slices.Concat(modules, segments), true
	}
	return place{}, nil, false
}

// descend follows segments through files and returns the file reached, the directory of its modules, and the rest.
func (r *resolver) descend(at place, segments []string) (file, dir string, rest []string) {
	file, dir, rest = at.root, at.dir, segments
	inner := at.dir
	for i, segment := range segments {
		inner = path.Join(inner, strings.TrimPrefix(segment, "r#"))
		if f := r.module(inner); f != "" {
			file, dir, rest = f, inner, segments[i+1:]
		} else if !r.folders[inner] {
			break
		}
	}
	return file, dir, rest
}

// module returns the file of the module with submodules in dir, or "".
func (r *resolver) module(dir string) string {
	for _, f := range []string{dir + ".rs", dir + "/mod.rs"} {
		if base := path.Base(f); r.files[f] && (!r.roots[f] || base != "lib.rs" && base != "main.rs") {
			return f
		}
	}
	return ""
}
