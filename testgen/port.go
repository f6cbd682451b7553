package testgen

import (
	"github.com/causaldocs/causal/testgen/spec"
)

// Language generates specs and tests for one language.
type Language interface {
	Name() string
	Version() string
	// Open returns the package of a directory; nil if it has none of the language.
	Open(r Repository, dir string) (Module, error)
	// Owns reports whether a path is that of a generated test file, Ours whether the content was generated.
	Owns(file string) bool
	Ours(data []byte) bool
	// Code generates the test file of some specs of one directory, or nil if it would be empty. Cases that no longer fit
	// their target are left out and listed in misfits, by spec and ID.
	Code(file string, specs []Coded) (code []byte, misfits map[string]map[string]string, err error)
}

// Coded is a spec with its target.
type Coded struct {
	File   string // path of the spec
	Spec   *spec.Spec
	Target *Target // nil when the function is gone
}

// Repository is a language's view of a repository.
type Repository interface {
	Files(dir string) ([]string, error)
	// Read returns the content of a file; nil if it does not exist.
	Read(name string) ([]byte, error)
	// Dir resolves an import path to a directory; false if it is not in the repository.
	Dir(from, path string) (string, bool)
	// Open returns the package of another directory; nil if there is none.
	Open(dir string) (Module, error)
	// Reach returns the names that the body of a symbol reaches; false if there is none.
	Reach(dir, symbol string) (Reach, bool, error)
}

// Reach is the names that a body reaches in its module and outside.
type Reach struct {
	Within  []string
	Outside []Name
}

// Name is a name of another module by directory, or an external one by import path.
type Name struct{ Dir, Path, Name string }

// Module is the package of one directory.
type Module interface {
	// Symbols returns the functions that could be tested, sorted.
	Symbols() []string
	// Target returns a function; nil if it does not exist.
	Target(symbol string) (*Target, error)
}

// Looker is a Module whose plans also depend on other directories, as in languages with a separate test directory.
type Looker interface {
	Looked() []string
}

// Target is one function or method.
type Target struct {
	Plan

	Spec spec.Target
	// Language is the language version that generated code may use.
	Language string
	// File is the source file, CodeFile the generated test file.
	File, CodeFile string
	Reason         string // why it cannot be tested; empty if it can
	Reaches        []Name
	// Digest covers everything that proposals and code are derived from.
	Digest string
	// Signature and Doc describe it to readers and models.
	Signature, Doc string
	// Candidates are the calls that may become cases.
	Candidates []Candidate
}

// Plan is a language's means to test a target.
type Plan interface {
	Propose() (rationale string, cases []spec.Case, seeds []string)
	// Fits returns why a case cannot become code.
	Fits(s *spec.Spec, c *spec.Case) error
	// Expect returns the expected result for an outcome, or the reason why it cannot be compared or is not that of a
	// documented exception class.
	Expect(r Run, raises string) (*spec.Want, string)
	// Choose selects the most informative calls, and the laws that hold for them. Tests can use random values if fuzzed
	// is set.
	Choose(tried []*Call, fuzzed bool) *Chosen
}
