package testgen

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/store"
)

// Kind is the kind of the units that are specs, and codeKind of those that are files with tests.
const (
	Kind     = "spec"
	codeKind = "test"
)

// Subject is the subject of the spec of a symbol: money/Parse, or ./Parse in the root.
func Subject(dir, symbol string) string { return dir + "/" + symbol }

// Split returns the directory and the symbol of a subject.
func Split(subject string) (dir, symbol string) {
	dir, symbol = path.Split(subject)
	return strings.TrimSuffix(dir, "/"), symbol
}

// specFile is where the spec of a subject lies.
func specFile(subject string) string {
	dir, symbol := Split(subject)
	return store.Layout{}.Spec(dir, symbol)
}

// subjectOf is the subject of the spec that a file holds.
func subjectOf(file string) (string, bool) {
	dir, symbol, ok := store.Layout{}.SpecOf(file)
	return Subject(dir, symbol), ok
}

// NameOf is what people call the function that the spec of a file is about: money.Parse, or Parse in the root; empty for other files.
func NameOf(file string) string {
	subject, ok := subjectOf(file)
	dir, symbol := Split(subject)
	switch {
	case !ok:
		return ""
	case dir == ".":
		return symbol
	}
	return dir + "." + symbol
}

// ModuleName is what specs and reports call the module of a directory.
func ModuleName(dir string) string {
	if dir == "." {
		return "_root"
	}
	return dir
}

// pair is a subject as reports name it.
func pair(subject string) (module, symbol string) {
	dir, symbol := Split(subject)
	return ModuleName(dir), symbol
}
