package rust

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// manifest is what a Cargo.toml says that decides where imports lead.
type manifest struct {
	dir     string
	name    string // of the package, empty for a workspace alone
	edition string // empty or 2015 for the first one; "true" where it is inherited
	library string // the crate name of the library
	root    string // its file
	targets []string
	// dependencies by the name that the code calls them, development and build dependencies included.
	dependencies map[string]dependency
	workspace    bool
	shared       map[string]dependency // [workspace.dependencies]
	patched      map[string]dependency // [patch.*], by package name
}

// dependency is one entry of a manifest.
type dependency struct {
	path      string // relative to the manifest
	name      string // of the package, when the entry renames it
	inherited bool   // workspace = true
}

// tables are the tables of dependencies, also those behind a target or the workspace.
var tables = set("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies")

// targetTables are the arrays of programs, tests and so on, whose path is the root of a crate.
var targetTables = set("bin", "example", "test", "bench")

func readManifest(file string, content []byte) *manifest {
	m := &manifest{
		dir: path.Dir(file), dependencies: map[string]dependency{}, shared: map[string]dependency{}, patched: map[string]dependency{},
	}
	for _, s := range parseTOML(string(content)) {
		m.apply(s.key, s.value)
	}
	if m.library == "" {
		m.library = crateName(m.name)
	}
	if m.root == "" {
		m.root = path.Join(m.dir, "src/lib.rs")
	}
	return m
}

func (m *manifest) apply(key []string, value string) {
	switch strings.Join(key[:min(len(key), 2)], ".") {
	case "package.name":
		m.name = value
	case "package.edition":
		m.edition = value
	case "lib.name":
		m.library = value
	case "lib.path":
		m.root = path.Join(m.dir, value)
	}
	switch {
	case targetTables[key[0]] && len(key) == 3 && key[2] == "path":
		m.targets = append(m.targets, path.Join(m.dir, value))
	case key[0] == "workspace":
		m.workspace = true
		if len(key) > 2 && key[1] == "dependencies" {
			note(m.shared, key[2:], value)
		}
	case key[0] == "patch" && len(key) > 2:
		note(m.patched, key[2:], value)
	case tables[key[0]] && len(key) > 1:
		note(m.dependencies, key[1:], value)
	case key[0] == "target" && len(key) > 3 && tables[key[2]]:
		note(m.dependencies, key[3:], value)
	}
}

// note enters one value of the dependency that key starts with.
func note(into map[string]dependency, key []string, value string) {
	d := into[key[0]]
	if len(key) == 2 {
		switch key[1] {
		case "path":
			d.path = value
		case "package":
			d.name = value
		case "workspace":
			d.inherited = value == "true"
		}
	}
	into[key[0]] = d
}

// crateName is how code spells the name of a package.
func crateName(name string) string { return strings.ReplaceAll(name, "-", "_") }

// workspaces finds manifests by folder, and what a package inherits.
type workspaces struct {
	byDir map[string]*manifest
}

func readWorkspaces(p source.Project) workspaces {
	w := workspaces{byDir: map[string]*manifest{}}
	for _, file := range p.Manifests("Cargo.toml") {
		if content, ok := p.Read(file); ok {
			m := readManifest(file, content)
			w.byDir[m.dir] = m
		}
	}
	return w
}

// nearest returns the closest manifest at or above dir that satisfies want; nil without one.
func (w workspaces) nearest(dir string, want func(*manifest) bool) *manifest {
	for {
		if m := w.byDir[dir]; m != nil && want(m) {
			return m
		}
		if dir == "." || dir == "/" {
			return nil
		}
		dir = path.Dir(dir)
	}
}

func isPackage(m *manifest) bool   { return m.name != "" }
func isWorkspace(m *manifest) bool { return m.workspace }

// crates lists the crates of the repository that a package's code can name, by that name.
func (w workspaces) crates(m *manifest) map[string]*manifest {
	out := map[string]*manifest{m.library: m}
	root := w.nearest(m.dir, isWorkspace)
	for name, d := range m.dependencies {
		from := m.dir
		if d.inherited && root != nil {
			own := d.name
			d, from = root.shared[name], root.dir
			if own != "" {
				d.name = own
			}
		}
		if d.path == "" && root != nil {
			from = root.dir
			d.path = root.patched[packageName(name, d)].path
		}
		if d.path == "" {
			continue
		}
		target := w.byDir[path.Join(from, d.path)]
		if target == nil || target.name == "" {
			continue
		}
		called := target.library
		if d.name != "" {
			called = crateName(name)
		}
		out[called] = target
	}
	return out
}

func packageName(key string, d dependency) string {
	if d.name != "" {
		return d.name
	}
	return key
}

// dirs lists the folders of all manifests, sorted.
func (w workspaces) dirs() []string {
	out := make([]string, 0, len(w.byDir))
	for dir := range w.byDir {
		out = append(out, dir)
	}
	slices.Sort(out)
	return out
}
