package python

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/source"
)

// installed holds the package layout declared by one directory's manifests.
type installed struct {
	roots   []string // directories that may hold packages, declared ones first
	modules []string // single-file modules
}

func readProjects(p source.Project, manifests []string) []installed {
	found := map[string]*installed{}
	for _, base := range manifests {
		for _, file := range p.Manifests(base) {
			text, ok := p.Read(file)
			dir := path.Dir(file)
			if !ok || slices.ContainsFunc(strings.Split(dir, "/"), func(part string) bool { return aside[part] }) {
				continue
			}
			if found[dir] == nil {
				found[dir] = &installed{}
			}
			if base == "pyproject.toml" {
				found[dir].toml(dir, manifest.Read(text))
			} else {
				found[dir].words(dir, string(text))
			}
		}
	}
	var out []installed
	for _, dir := range slices.Sorted(maps.Keys(found)) {
		p := found[dir]
		for _, usual := range []string{"src", "python", ".", "lib"} {
			p.roots = append(p.roots, path.Join(dir, usual))
		}
		out = append(out, *p)
	}
	return out
}

// toml reads a pyproject.toml: the configured package directories, and the project name, which flit and other tools
// use as the module name.
func (p *installed) toml(dir string, t manifest.Table) {
	tools := t.Table("tool", "setuptools")
	for _, where := range tools.Table("packages", "find").Texts("where") {
		p.roots = append(p.roots, path.Join(dir, where))
	}
	p.modules = append(p.modules, tools.Texts("py-modules")...)
	if where := tools.Table("package-dir").Text(""); where != "" {
		p.roots = append(p.roots, path.Join(dir, where))
	}
	for _, one := range t.Table("tool", "poetry").Tables("packages") {
		p.roots = append(p.roots, path.Join(dir, one.Text("from")))
	}
	for _, name := range []string{t.Table("project").Text("name"), t.Table("tool", "poetry").Text("name"), t.Table("tool", "flit", "module").Text("name")} {
		if name != "" {
			p.modules = append(p.modules, strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(name)))
		}
	}
}

// Literal settings of setup.py and setup.cfg.
var (
	pyModules  = lazyregexp.New(`py_modules\s*=\s*[\[(]?((?:[\s,]*["']?\w+["']?)+)`)
	packageDir = lazyregexp.New(`package_dir\s*=\s*\{?\s*["']{0,2}\s*[:=]\s*["']?([\w./-]+)`)
)

func (p *installed) words(dir, text string) {
	if m := pyModules.FindStringSubmatch(text); m != nil {
		p.modules = append(p.modules, strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune(" \t\r\n,\"'", r) })...)
	}
	if m := packageDir.FindStringSubmatch(text); m != nil {
		p.roots = append(p.roots, path.Join(dir, m[1]))
	}
}
