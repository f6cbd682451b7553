package testgen

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/store"
)

// Kind is the kind of spec units, codeKind that of test files.
const (
	Kind     = "spec"
	codeKind = "test"
)

// Subject returns the subject of a symbol's spec: money/Parse, or ./Parse in the root.
func Subject(dir, symbol string) string { return dir + "/" + symbol }

// Split returns the directory and the symbol of a subject.
func Split(subject string) (dir, symbol string) {
	dir, symbol = path.Split(subject)
	return strings.TrimSuffix(dir, "/"), symbol
}

func specFile(subject string) string {
	dir, symbol := Split(subject)
	return store.Layout{}.Spec(dir, symbol)
}

func subjectOf(file string) (string, bool) {
	dir, symbol, ok := store.Layout{}.SpecOf(file)
	return Subject(dir, symbol), ok
}

// NameOf returns the display name of a spec file's target: money.Parse, or Parse in the root; empty for other files.
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

// ModuleName returns the name of a directory's module in specs and reports.
func ModuleName(dir string) string {
	if dir == "." {
		return "_root"
	}
	return dir
}

func pair(subject string) (module, symbol string) {
	dir, symbol := Split(subject)
	return ModuleName(dir), symbol
}
