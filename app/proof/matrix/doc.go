// Package matrix holds living docs to an edit matrix: every kind of edit, in every language, with the modules that
// must be documented again because of it and the pages that show it. Its tests fail on one that is missed and on one
// that is needless, and write the table that docs/edit-matrix.md shows.
package matrix
