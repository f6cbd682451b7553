// Package typescript generates test specs and test code for TypeScript without Node.js. Its output depends only on the
// source; this package runs none of it.
//
// Targets are exported functions, constants that are functions, and static methods. Values of their parameters must
// have a literal form, unless they are optional. Functions whose results differ between machines or runs, or that
// change a variable of their file, are reported with the reason and get no spec.
//
// Generated tests use vitest, one file for each source file. Projects whose package.json files do not depend on vitest
// get specs but no test files, which would break the type check.
package typescript

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/testgen"
)

// Language generates specs and tests for TypeScript. A file has the tests of the specs of one source file.
var Language = &testgen.Language{
	Name: "typescript", Version: "typescript/3", Comment: comment, Manifests: []string{manifestName}, Owns: Owns, Open: load, Code: generate,
}

const (
	manifestName = "package.json"

	comment   = "//"
	ownEnding = ".causal.test.ts"
)

// Owns reports whether the name of a file is that of a generated test file.
func Owns(file string) bool {
	stem, ok := strings.CutSuffix(path.Base(file), ownEnding)
	return ok && stem != ""
}
