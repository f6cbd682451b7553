package govet

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// module is what a change touches of one Go module.
type module struct {
	dir  string              // of go.mod, from the root
	dirs []string            // of packages, from the root, sorted
	of   map[string][]string // their files that are part of the change
}

// group sorts files by Go modules. It returns a Go file that is in none, if there is one.
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

// listed reports whether `./...` would name a directory: the others hold what is not meant to be built, and dependencies.
func listed(dir string) bool {
	for part := range strings.SplitSeq(dir, "/") {
		if part == "testdata" || part == "vendor" || part != "." && strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") || strings.Contains(part, "...") {
			return false
		}
	}
	return true
}

// homeOf is the directory of the go.mod that a directory belongs to; empty without one.
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
