package java

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

var (
	javaComment = lazyregexp.New(`(?s)/\*.*?\*/|//[^\n]*`)
	// exportsAll matches unqualified exports, which apply to all modules.
	exportsAll = lazyregexp.New(`(?:[;{}]|^)\s*exports\s+([\pL_$][\pL\pN_$.]*)\s*;`)
)

// Published implements source.Publisher: callers can import the packages that a module exports.
func (r *resolver) Published() []source.Entry {
	infos := slices.DeleteFunc(slices.Clone(r.project.Manifests(moduleInfo)), func(file string) bool { return strings.Contains("/"+file, "/test/") })
	if len(infos) == 0 {
		return nil
	}
	inDir := map[string][]string{}
	for file := range r.files {
		inDir[path.Dir(file)] = append(inDir[path.Dir(file)], path.Base(file))
	}
	var out []source.Entry
	for _, info := range infos {
		text, ok := r.project.Read(info)
		if !ok {
			continue
		}
		packages := exportedPackages(string(text))
		for _, root := range sourceRoots(path.Dir(info)) {
			first := len(out)
			for _, p := range packages {
				dir := path.Join(root, strings.ReplaceAll(p, ".", "/"))
				for _, file := range inDir[dir] {
					out = append(out, source.Entry{Prefix: p + ".", Dir: dir, File: file, Root: root})
				}
				delete(inDir, dir) // it belongs to one module
			}
			if len(out) > first {
				break
			}
		}
	}
	return out
}

// sourceRoots are the source roots of a module: beside its declaration, or in the java directory for older Java
// versions.
func sourceRoots(dir string) []string {
	if path.Base(dir) == "java" {
		return []string{dir}
	}
	return []string{dir, path.Join(path.Dir(dir), "java")}
}

func exportedPackages(text string) []string {
	var out []string
	text = javaComment.ReplaceAllString(text, " ")
	// A match consumes the semicolon that the next one begins with.
	for _, m := range exportsAll.FindAllStringSubmatch(strings.ReplaceAll(text, ";", ";;"), -1) {
		out = append(out, m[1])
	}
	return out
}
