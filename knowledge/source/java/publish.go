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
	// exportsAll matches a package that is for everybody, and not only for modules that are named behind it.
	exportsAll = lazyregexp.New(`(?:[;{}]|^)\s*exports\s+([\pL_$][\pL\pN_$.]*)\s*;`)
)

// Published implements source.Publisher: of a module that exports packages, callers reach these. Names hold what people import.
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
				delete(inDir, dir) // it is of one module
			}
			if len(out) > first {
				break
			}
		}
	}
	return out
}

// sourceRoots are where the packages of a module may lie: beside its declaration, or where code lies that an older Java reads too.
func sourceRoots(dir string) []string {
	if path.Base(dir) == "java" {
		return []string{dir}
	}
	return []string{dir, path.Join(path.Dir(dir), "java")}
}

func exportedPackages(text string) []string {
	var out []string
	text = javaComment.ReplaceAllString(text, " ")
	// A match takes the semicolon that the next one begins with.
	for _, m := range exportsAll.FindAllStringSubmatch(strings.ReplaceAll(text, ";", ";;"), -1) {
		out = append(out, m[1])
	}
	return out
}
