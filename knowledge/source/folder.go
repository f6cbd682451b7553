package source

import (
	"slices"
	"strings"
)

// InFolder reports whether a directory is, or is in, one with one of the names.
func InFolder(dir string, names ...string) bool {
	return slices.ContainsFunc(strings.Split(dir, "/"), func(part string) bool { return slices.Contains(names, part) })
}

// SharedFolder returns the length of the path, with its slash, of the innermost directory that contains two files.
func SharedFolder(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n = i + 1
		}
	}
	return n
}
