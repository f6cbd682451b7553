// Package pagecheck validates rendered pages offline and without other programs: links and anchors, diagrams, front
// matter and keep blocks. Its rules are those of the places where pages are read, such as GitHub.
package pagecheck

import (
	"cmp"
	"slices"
)

// Severity says whether a Problem makes a page wrong or needs only a review.
type Severity string

// The severities. Keep blocks belong to their authors: problems in them are at most a Warning.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Page is one rendered page, by its path in the repository with forward slashes.
type Page struct {
	Path    string
	Content []byte
}

// Problem is an error in a page with its place and fix.
type Problem struct {
	Page     string
	Line     int // 1-based
	Severity Severity
	What     string
	Mend     string
}

// maxPageBytes is the size at which a page gets slow to read; GitHub stops showing files at 512,000 bytes.
const maxPageBytes = 100_000

// Check validates pages as one set: a link within the set must also name an existing anchor. exists reports whether the
// repository holds a file or folder. The result is sorted by page and line.
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
