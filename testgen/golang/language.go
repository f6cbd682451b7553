package golang

import "github.com/causaldocs/causal/testgen"

// Language generates specs and tests for Go.
var Language = &testgen.Language{
	Name: "go", Version: "det/4", Comment: comment, Owns: Owns,
	Open: func(r testgen.Repository, dir string) (testgen.Module, error) {
		p, err := load(r, dir)
		if err != nil || p == nil {
			return nil, err
		}
		p.stems = Stems(p.Symbols())
		return p, nil
	},
	Code: func(specs []testgen.Coded) ([]byte, testgen.Misfits, error) { return code(specs[0]) }, // a file has the tests of one spec
}

const comment = "//"
