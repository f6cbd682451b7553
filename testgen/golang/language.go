package golang

import "github.com/causaldocs/causal/testgen"

// Language generates specs and tests for Go.
var Language = &testgen.Language{
	Name: "go", Version: "det/4", Comment: comment, Manifests: []string{"go.mod"}, Beside: true, Owns: Owns, Open: load,
	Code: func(specs []testgen.Coded) ([]byte, testgen.Misfits, error) { return code(specs[0]) }, // a file has the tests of one spec
}

const comment = "//"
