package govet

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// module is the changed part of one Go module.
type module struct {
	dir  string              // of go.mod, relative to the root
	dirs []string            // of packages, relative to the root, sorted
	of   map[string][]string // changed files
}

// group groups files by Go module. It returns one Go file outside any module, if there is one.
func group(root string, files []string) (modules []*module, homeless string) {
	homes, byDir := map[string]string{}, map[string]*module{}
	for _, name := range files {
		dir := path.Dir(name)
		if path.Ext(name) != ".go" || !listed(dir) {
			continue
		}
		home, ok := homes[dir]
		if !ok {
			home = homeOf(root, dir)
			homes[dir] = home
		}
		if home == "" {
			homeless = cmp.Or(homeless, name)
			continue
		}
		m := byDir[home]
		if m == nil {
			m = &module{dir: home, of: map[string][]string{}}
			byDir[home] = m
			modules = append(modules, m)
		}
		if m.of[dir] == nil {
			m.dirs = append(m.dirs, dir)
		}
		m.of[dir] = append(m.of[dir], name)
	}
	for _, m := range modules {
		slices.Sort(m.dirs)
	}
	slices.SortFunc(modules, func(a, b *module) int { return strings.Compare(a.dir, b.dir) })
	return modules, homeless
}

// listed reports whether `./...` matches a directory: not testdata, vendor, or names with a leading dot or underscore.
func listed(dir string) bool {
	for part := range strings.SplitSeq(dir, "/") {
		if part == "testdata" || part == "vendor" || part != "." && strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") || strings.Contains(part, "...") {
			return false
		}
	}
	return true
}

// homeOf returns the directory of the go.mod for a directory, or "".
func homeOf(root, dir string) string {
	for ; ; dir = path.Dir(dir) {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(dir), "go.mod")); err == nil {
			return dir
		}
		if dir == "." {
			return ""
		}
	}
}
