package engine

import (
	"github.com/causaldocs/causal/knowledge/node"
)

// Input is the raw input of a plugin for one module: what the core knows of it from source.
type Input struct {
	Known    *Known
	Previous *node.Node // what was concluded last, nil when nothing was
	Reasons  []Reason   // why that does not hold
	Head     Commit
	// Clean reports whether a file is in Head as it is here.
	Clean func(path string) bool
	// Permanent reports whether links to Head will keep working.
	Permanent bool
	// Generator names the versions that take part in the conclusion.
	Generator string
}

// Library is the core's knowledge, for reading.
type Library interface {
	// Input returns the input for a module whose frame is open; false for any other. It may be called concurrently.
	Input(module string) (Input, bool)
}

// Summary is what is known of a module in one line, for pages that speak of many.
type Summary struct {
	Path     string
	Title    string
	Language string
	Kind     string
	Purpose  string
	Derived  bool
	Fresh    bool
	Deps     []string
}

// Graph is the repository's modules and their edges. It is safe for concurrent use.
type Graph interface {
	// Modules lists all modules by path.
	Modules() []Summary
	// Summary returns one; false when there is no such module.
	Summary(module string) (Summary, bool)
	// Importers lists the modules that depend on a module, and those whose tests do, by path.
	Importers(module string) (code, tests []string)
}

// PageRequest says which pages may have to change.
type PageRequest struct {
	Graph   Graph
	Modules []string // sorted; their pages are compared with what they should be
	Removed []string // modules that are no more
	Index   bool
	// Write is false for a check: nothing is written then.
	Write bool
	// Stale tells why a module's node does not hold; its page is left to the next update then.
	Stale func(module string) bool
	// Known is what the source of a module says. It is safe for concurrent use.
	Known func(module string) (*Known, error)
	// Readme is the content of the root's README, nil when there is none.
	Readme []byte
	// Manifests are those of the root ("package.json"), by name.
	Manifests map[string][]byte
	// Exists reports whether a path is in the repository, for links. It is safe for concurrent use.
	Exists func(path string) bool
}

// PageReport says what was found and done.
type PageReport struct {
	Written []string
	Removed []string
	// Drifted are pages that are not what they should be, or that cannot be written.
	Drifted []Drift
}

// Drift is a page that does not say what its node says.
type Drift struct {
	Module  string
	Page    string
	Because string
	Mend    string
	// Blocked: no update can mend it, a person has to.
	Blocked bool
}

// Presenter is a plugin that renders what it stored.
type Presenter interface {
	Present(req PageRequest) (PageReport, error)
}
