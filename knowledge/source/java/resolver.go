package java

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Resolver implements source.Language: a package is looked up in directories whose path ends in its name.
func (Language) Resolver(p source.Project) source.Resolver {
	r := &resolver{project: p, files: map[string]bool{}, dirs: map[string][]string{}}
	seen := map[string]bool{}
	for _, name := range p.Sources("java") {
		r.files[name] = true
		dir := path.Dir(name)
		if seen[dir] {
			continue
		}
		seen[dir] = true
		for suffix := dir; ; {
			r.dirs[suffix] = append(r.dirs[suffix], dir)
			i := strings.IndexByte(suffix, '/')
			if i < 0 {
				break
			}
			suffix = suffix[i+1:]
		}
	}
	return r
}

type resolver struct {
	project source.Project
	files   map[string]bool
	// dirs maps each path suffix of a source directory to the directories with that suffix.
	dirs map[string][]string
}

// Resolve implements source.Resolver. Path is a package, or a type whose nested types and static members are Names or
// All.
func (r *resolver) Resolve(from string, imp source.Import) []source.Target {
	if imp.All {
		return r.all(from, imp.Path)
	}
	var out []source.Target
	for _, n := range imp.Names {
		if t, ok := r.name(from, imp.Path, n.Name); ok {
			out = append(out, t)
		}
	}
	return out
}

// longestName limits looked-up names, because each prefix is tried.
const longestName = 1024

// name finds the type in a qualified name: package and type, then one package element less each time.
func (r *resolver) name(from, qualifier, name string) (source.Target, bool) {
	if len(qualifier)+len(name) > longestName {
		return source.Target{}, false
	}
	for {
		outer, _, _ := strings.Cut(name, ".")
		if dir, ok := r.typeDir(from, qualifier, outer); ok {
			return source.Target{Dir: dir, File: outer + ".java", Names: []source.Name{{Name: name}}}, true
		}
		i := strings.LastIndexByte(qualifier, '.')
		if i < 0 {
			return source.Target{}, false
		}
		qualifier, name = qualifier[:i], qualifier[i+1:]+"."+name
	}
}

// all returns the directories of a package, or the package of the type with the imported members.
func (r *resolver) all(from, name string) []source.Target {
	var out []source.Target
	for _, dir := range r.packageDirs(from, name) {
		out = append(out, source.Target{Dir: dir, All: true})
	}
	if out != nil {
		return out
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		if t, ok := r.name(from, name[:i], name[i+1:]); ok {
			return []source.Target{{Dir: t.Dir, All: true}}
		}
	}
	return nil
}

// typeDir returns the package directory with the type's file; of several the closest one to from.
func (r *resolver) typeDir(from, pkg, typ string) (string, bool) {
	best, found := "", false
	for _, dir := range r.packageDirs(from, pkg) {
		if r.files[path.Join(dir, typ+".java")] && (!found || source.SharedFolder(dir, from) > source.SharedFolder(best, from)) {
			best, found = dir, true
		}
	}
	return best, found
}

// packageDirs returns a package's directories, sorted. Test directories count only for tests or if there are no
// others.
func (r *resolver) packageDirs(from, pkg string) []string {
	var main, test []string
	dir := strings.ReplaceAll(pkg, ".", "/")
	for _, candidate := range r.dirs[dir] {
		root := strings.TrimSuffix(strings.TrimSuffix(candidate, dir), "/")
		if !isRoot(root, pkg, from) {
			continue
		}
		if inTestDir(candidate + "/") {
			test = append(test, candidate)
		} else {
			main = append(main, candidate)
		}
	}
	if len(main) == 0 || placedAsTest(from) {
		main = append(main, test...)
	}
	slices.Sort(main)
	return main
}

// domains are first elements of reversed domain names: the source root is directly above them.
var domains = map[string]bool{
	"com": true, "org": true, "net": true, "io": true, "edu": true, "gov": true, "dev": true, "app": true, "me": true,
	"co": true, "de": true, "uk": true, "fr": true, "ch": true, "nl": true, "cn": true, "jp": true, "ru": true,
	"us": true, "eu": true, "at": true, "br": true, "jakarta": true,
}

var roots = map[string]bool{
	"java": true, "src": true, "main": true, "test": true, "tests": true, "source": true, "sources": true,
	"gen": true, "generated": true, "classes": true, "kotlin": true, "": true, ".": true,
}

// isRoot reports whether packages may start below root. It prevents matches of directories that only end like a
// package name.
func isRoot(root, pkg, from string) bool {
	head, _, _ := strings.Cut(pkg, ".")
	last := path.Base(root)
	if domains[head] || roots[last] || root == "" || strings.Contains(last, ".") {
		return true
	}
	below, ok := strings.CutPrefix(from, root+"/")
	return ok && strings.HasPrefix(below, head+"/")
}
