package testgen

import (
	"github.com/causaldocs/causal/testgen/spec"
)

// Language makes specs and code for one language.
type Language interface {
	// Name is what specs call it.
	Name() string
	// Version is part of what makes a conclusion.
	Version() string
	// Open reads the package of a directory; nil where there is none of the language.
	Open(r Repository, dir string) (Module, error)
	// Owns reports whether a file is called like one with generated tests, and Ours whether the content of one was generated.
	Owns(file string) bool
	Ours(data []byte) bool
	// Code derives the file with the tests of some specs of one directory. Cases that do not fit their target any more are left out and
	// told in misfits, by spec and id. No code at all is nil.
	Code(file string, specs []Coded) (code []byte, misfits map[string]map[string]string, err error)
}

// Coded is a spec with what its code is derived from.
type Coded struct {
	File   string // of the spec
	Spec   *spec.Spec
	Target Target // nil when there is no such function any more
}

// Repository is what a language reads of a repository.
type Repository interface {
	// Files lists the sources of a directory, those of tests among them.
	Files(dir string) ([]string, error)
	// Read returns the content of a file; nil when it is not there.
	Read(name string) ([]byte, error)
	// Dir is the directory of what an import path means in the repository; false when it is none of it.
	Dir(from, path string) (string, bool)
	// Open is the package of another directory; nil where there is none.
	Open(dir string) (Module, error)
	// Reach follows the body of a symbol; false when there is none.
	Reach(dir, symbol string) (Reach, bool, error)
}

// Reach is what a body reaches in its module, and names of others.
type Reach struct {
	Within  []string
	Outside []Name
}

// Name is a name of another module of the repository, by its directory, or of something outside of it, by its import path.
type Name struct{ Dir, Path, Name string }

// Module is the package of one directory.
type Module interface {
	// Symbols lists what tests could be wanted of, sorted.
	Symbols() []string
	// Target is one of them; nil when there is no such function.
	Target(symbol string) (Target, error)
}

// Looker is a Module whose plans are made from other directories, too: tests lie elsewhere in some languages.
type Looker interface {
	// Looked lists the directories that were looked at so far.
	Looked() []string
}

// Target is one function or method.
type Target interface {
	Spec() spec.Target
	// Language is the version of the language that its code may use.
	Language() string
	// File declares it, and CodeFile is where its tests lie.
	File() string
	CodeFile() string
	// Reason is why nothing can be generated for it; empty when something can.
	Reason() string
	// Reaches are the names of other modules of the repository that its body reaches.
	Reaches() []Name
	// Digest identifies all that is proposed for it and all that its code is derived from.
	Digest() string
	// Signature and Doc are what a reader, or a model, sees of it.
	Signature() string
	Doc() string
	// Propose are the cases that are worth a first look, why, and where they come from.
	Propose() (rationale string, cases []spec.Case, seeds []string)
	// Fits says what keeps a case of a spec from being code.
	Fits(s *spec.Spec, c *spec.Case) error
}
