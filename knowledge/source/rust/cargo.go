package rust

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/source"
)

// inherited is the edition of a package with edition.workspace.
const inherited = "true"

type cargo struct {
	dir     string
	name    string // of the package; empty for a virtual workspace
	edition string // empty or 2015 for the first edition
	library string // the library's crate name
	root    string // the library's root file
	targets []string
	// dependencies by the name in code, including development and build dependencies.
	dependencies map[string]dependency
	workspace    bool
	private      bool                  // publish = false
	shared       map[string]dependency // [workspace.dependencies]
	patched      map[string]dependency // [patch.*], by package name
}

type dependency struct {
	path      string // relative to the manifest
	name      string // the package name, if the entry renames it
	inherited bool   // workspace = true
}

var tables = []string{"dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies"}

// targetTables are the arrays of targets whose path is a crate root.
var targetTables = []string{"bin", "example", "test", "bench"}

func readCargo(file string, content []byte) *cargo {
	c := &cargo{
		dir: path.Dir(file), dependencies: map[string]dependency{}, shared: map[string]dependency{}, patched: map[string]dependency{},
	}
	all := manifest.Read(content)
	c.name, c.edition = all.Table("package").Text("name"), all.Table("package").Text("edition")
	c.private = all.Table("package").Text("publish") == "false"
	if all.Table("package", "edition") != nil {
		c.edition = inherited
	}
	c.library, c.root = all.Table("lib").Text("name"), path.Join(c.dir, "src/lib.rs")
	if c.library == "" {
		c.library = crateName(c.name)
	}
	if root := all.Table("lib").Text("path"); root != "" {
		c.root = path.Join(c.dir, root)
	}
	for _, kind := range targetTables {
		for _, target := range all.Tables(kind) {
			if file := target.Text("path"); file != "" {
				c.targets = append(c.targets, path.Join(c.dir, file))
			}
		}
	}
	_, c.workspace = all["workspace"]
	note(c.shared, all.Table("workspace", "dependencies"))
	for _, registry := range all.Table("patch").Keys() {
		note(c.patched, all.Table("patch", registry))
	}
	for _, kind := range tables {
		note(c.dependencies, all.Table(kind))
		for _, target := range all.Table("target").Keys() {
			note(c.dependencies, all.Table("target", target, kind))
		}
	}
	return c
}

func note(into map[string]dependency, table manifest.Table) {
	for _, name := range table.Keys() {
		d, entry := into[name], table.Table(name)
		d.path = cmp.Or(entry.Text("path"), d.path)
		d.name = cmp.Or(entry.Text("package"), d.name)
		d.inherited = d.inherited || entry.Text("workspace") == "true"
		into[name] = d
	}
}

func crateName(name string) string { return strings.ReplaceAll(name, "-", "_") }

// workspaces finds manifests by directory and resolves workspace inheritance.
type workspaces struct {
	byDir map[string]*cargo
}

func readWorkspaces(p source.Project) workspaces {
	w := workspaces{byDir: map[string]*cargo{}}
	for _, file := range p.Manifests("Cargo.toml") {
		if content, ok := p.Read(file); ok {
			m := readCargo(file, content)
			w.byDir[m.dir] = m
		}
	}
	return w
}

func (w workspaces) nearest(dir string, want func(*cargo) bool) *cargo {
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

func isPackage(m *cargo) bool   { return m.name != "" }
func isWorkspace(m *cargo) bool { return m.workspace }

// crates lists the repository's crates that a package can import, by name in code.
func (w workspaces) crates(m *cargo) map[string]*cargo {
	out := map[string]*cargo{m.library: m}
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
			d.path = root.patched[cmp.Or(d.name, name)].path
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

func (w workspaces) dirs() []string { return slices.Sorted(maps.Keys(w.byDir)) }
