// Package pagecheck validates rendered pages offline and without other programs: links and anchors, and diagrams. Its rules are
// those of the places where pages are read, such as GitHub.
package pagecheck

import (
	"cmp"
	"slices"
)

// Page is one rendered page, by its path in the repository with forward slashes.
type Page struct {
	Path    string
	Content []byte
}

// Problem is an error in a page with its place and fix.
type Problem struct {
	Page string
	Line int // 1-based
	What string
	Mend string
}

// Check validates pages as one set: a link within the set must also name an existing anchor. exists reports whether the
// repository holds a file or folder. Keep blocks are not checked. The result is sorted by page and line.
func Check(pages []Page, exists func(path string) bool) []Problem {
	scanned := make([]*scan, len(pages))
	byPath := make(map[string]*scan, len(pages))
	for i, page := range pages {
		scanned[i] = scanPage(page)
		byPath[page.Path] = scanned[i]
	}
	problems := []Problem{}
	for _, s := range scanned {
		s.resolve(byPath, exists)
		problems = append(problems, s.problems...)
	}
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Page, b.Page), cmp.Compare(a.Line, b.Line))
	})
	return problems
}
