package govet

import (
	"fmt"
	"go/types"
	"os"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// noReturn lists functions that do not return. Analyzers usually derive it from the source of dependencies, which have
// only types here.
var noReturn = []string{
	"os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln",
	"(*log.Logger).Fatal", "(*log.Logger).Fatalf", "(*log.Logger).Fatalln", "(*log.Logger).Panic", "(*log.Logger).Panicf", "(*log.Logger).Panicln",
	"(*testing.common).Fatal", "(*testing.common).Fatalf", "(*testing.common).FailNow",
	"(*testing.common).Skip", "(*testing.common).Skipf", "(*testing.common).SkipNow",
}

type inspection struct {
	pkg     *packages.Package
	results map[*analysis.Analyzer]any
	facts   map[factKey]analysis.Fact
	report  func(*analysis.Analyzer, analysis.Diagnostic)
}

type factKey struct {
	of   any // a types.Object or a *types.Package
	kind reflect.Type
}

// run runs an analyzer after its requirements, each once. A panic is an error: the analyzers may not expect every
// source.
func (i *inspection) run(a *analysis.Analyzer) (err error) {
	if _, ran := i.results[a]; ran {
		return nil
	}
	given := map[*analysis.Analyzer]any{}
	for _, need := range a.Requires {
		if err := i.run(need); err != nil {
			return err
		}
		given[need] = i.results[need]
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s gave up: %v", a.Name, r)
		}
	}()
	found, err := a.Run(i.pass(a, given))
	if err != nil {
		return fmt.Errorf("%s: %w", a.Name, err)
	}
	i.results[a] = found
	return nil
}

func (i *inspection) pass(a *analysis.Analyzer, given map[*analysis.Analyzer]any) *analysis.Pass {
	p := i.pkg
	module := &analysis.Module{}
	if p.Module != nil {
		module.Path, module.Version, module.GoVersion = p.Module.Path, p.Module.Version, p.Module.GoVersion
	}
	return &analysis.Pass{
		Analyzer: a, Fset: p.Fset, Files: p.Syntax, OtherFiles: p.OtherFiles, IgnoredFiles: p.IgnoredFiles, Pkg: p.Types,
		TypesInfo: p.TypesInfo, TypesSizes: p.TypesSizes, Module: module, ResultOf: given, ReadFile: os.ReadFile,
		Report:            func(d analysis.Diagnostic) { i.report(a, d) },
		ImportObjectFact:  func(o types.Object, f analysis.Fact) bool { return i.fact(o, f) || i.knownFact(a, o) },
		ExportObjectFact:  func(o types.Object, f analysis.Fact) { i.facts[factKey{o, reflect.TypeOf(f)}] = f },
		ImportPackageFact: func(o *types.Package, f analysis.Fact) bool { return i.fact(o, f) },
		ExportPackageFact: func(f analysis.Fact) { i.facts[factKey{p.Types, reflect.TypeOf(f)}] = f },
		AllObjectFacts:    func() []analysis.ObjectFact { return nil },
		AllPackageFacts:   func() []analysis.PackageFact { return nil },
	}
}

// fact copies a fact about an object of the package.
func (i *inspection) fact(of any, into analysis.Fact) bool {
	known, ok := i.facts[factKey{of, reflect.TypeOf(into)}]
	if ok {
		reflect.ValueOf(into).Elem().Set(reflect.ValueOf(known).Elem())
	}
	return ok
}

// knownFact reports whether an object of a dependency has an analyzer's fact. A ctrlflow fact is empty: its object does
// not return.
func (i *inspection) knownFact(a *analysis.Analyzer, o types.Object) bool {
	f, ok := o.(*types.Func)
	return ok && a.Name == "ctrlflow" && slices.Contains(noReturn, f.FullName())
}
