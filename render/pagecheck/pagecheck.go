// Package pagecheck validates rendered pages without a network and without another program: links and anchors,
// diagrams, front matter and the blocks that people write into pages.
//
// Its rules are those of the places where pages are read. What they would not show as meant is a Problem here, with
// what to do about it.
package pagecheck

import (
	"cmp"
	"slices"
)

// Severity says whether a Problem makes a page wrong or only worth a look.
type Severity string

// The severities. What a person wrote in a keep block is theirs: it is never worse than a Warning.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Page is one rendered page, by its path in the repository with forward slashes.
type Page struct {
	Path    string
	Content []byte
}

// Problem is one thing that is wrong with a page: where, what, and what mends it.
type Problem struct {
	Page     string
	Line     int // 1-based
	Severity Severity
	What     string
	Mend     string
}

// maxPageBytes is where a page gets slow to read; GitHub stops showing files at 512,000 bytes.
const maxPageBytes = 100_000

// Check validates pages as one set: a link to a page of the set must also name an anchor that the page has. exists
// reports whether the repository holds a file or folder. The result is sorted by page and line.
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
