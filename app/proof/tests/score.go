package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"sync"
)

// verdict is the result of one mutant.
type verdict struct {
	numbered
	judged, killed [suites]bool
}

// score draws the wanted number of mutants that compile, and runs each suite with each.
func (m *measurement) score(ctx context.Context, benches []*bench, want int) error {
	drawn, err := m.draw(benches, want)
	if err != nil {
		return err
	}
	for _, b := range benches {
		if len(drawn[b]) == 0 {
			continue
		}
		if err := m.judge(ctx, b, drawn[b]); err != nil {
			return fmt.Errorf("%s: %w", b.path, err)
		}
	}
	return nil
}

// draw draws mutants from all packages until enough of them pass the type checker.
func (m *measurement) draw(benches []*bench, want int) (map[*bench][]numbered, error) {
	var all []mutant
	of := map[string]*bench{}
	for _, b := range benches {
		for _, file := range b.files {
			src, err := os.ReadFile(m.subject.at(file))
			if err != nil {
				return nil, err
			}
			list, err := mutants(file, src)
			if err != nil {
				return nil, fmt.Errorf("look for mutants: %w", err)
			}
			all, of[file] = append(all, list...), b
		}
	}
	m.result.possible = len(all)
	drawn, n := map[*bench][]numbered{}, 0
	for _, one := range shuffled(all, m.options.seed) {
		if n == want {
			break
		}
		b := of[one.file]
		src, err := os.ReadFile(m.subject.at(one.file))
		if err != nil {
			return nil, err
		}
		if b.typed(path.Base(one.file), one.apply(src)) {
			n++
			drawn[b] = append(drawn[b], numbered{one, n})
		}
	}
	return drawn, nil
}

// typed reports whether a package has no errors of types with another text of a file.
func (u *unit) typed(name string, text []byte) bool {
	changed, err := parser.ParseFile(u.fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	trees := []*ast.File{changed}
	for _, f := range u.trees {
		if filepath.Base(u.fset.File(f.FileStart).Name()) != name {
			trees = append(trees, f)
		}
	}
	config := types.Config{Importer: importerFunc(u.imported), GoVersion: u.version, Sizes: u.sizes}
	_, err = config.Check(u.path, u.fset, trees, nil)
	return err == nil
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// imported is a package that a unit imports.
func (u *unit) imported(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	for _, p := range u.types.Imports() {
		if p.Path() == path {
			return p, nil
		}
	}
	return nil, errors.New("the package is not imported without the mutant")
}

// judge builds the suites of a package with its mutants, and runs them with each. A failure or a timeout detects the mutant.
func (m *measurement) judge(ctx context.Context, b *bench, list []numbered) error {
	binaries, err := m.buildMutants(ctx, b, list)
	if err != nil {
		return err
	}
	for suite := range suites { // a suite that fails without a selected mutant is left out
		if !b.usable[suite] {
			continue
		}
		_, ok, err := m.subject.test(ctx, b.unit, how(suite), binaries[suite], b.limit[suite], b.args(suite)...)
		if err != nil {
			return err
		}
		if b.usable[suite] = ok; !ok {
			m.result.unusable = append(m.result.unusable, suiteNames[suite]+" of "+path.Base(b.path)+" with mutants in it")
		}
	}
	verdicts := make([]verdict, len(list))
	err = atOnce(ctx, len(list), func(ctx context.Context, i int) error {
		verdicts[i].numbered = list[i]
		for suite := range suites {
			if !b.usable[suite] {
				continue
			}
			chosen := m.subject.with(chosenVar + "=" + strconv.Itoa(list[i].number))
			_, ok, err := chosen.test(ctx, b.unit, how(suite), binaries[suite], b.limit[suite], append(b.args(suite), "-test.failfast")...)
			if err != nil {
				return err
			}
			verdicts[i].judged[suite], verdicts[i].killed[suite] = true, !ok
		}
		return nil
	})
	m.result.verdicts = append(m.result.verdicts, verdicts...)
	return err
}

// buildMutants builds the suites of a package with all mutants in it.
func (m *measurement) buildMutants(ctx context.Context, b *bench, list []numbered) (binaries [suites]string, err error) {
	of := map[string][]numbered{}
	for _, one := range list {
		of[one.file] = append(of[one.file], one)
	}
	files := map[string][]byte{path.Join(b.dir, chooserFile): fmt.Appendf(nil, chooserCode, b.types.Name())}
	for file, within := range of {
		src, err := os.ReadFile(m.subject.at(file))
		if err == nil {
			files[file], err = schema(src, within)
		}
		if err != nil {
			return binaries, err
		}
	}
	mistaken, err := m.subject.lay(files)
	if err != nil {
		return binaries, err
	}
	for suite := range suites {
		binaries[suite] = filepath.Join(m.subject.dir, fmt.Sprintf("mutants-%d.test", suite))
		if err := m.subject.mustBuild(ctx, b.unit, join(b.layers[suite], mistaken), binaries[suite]); err != nil {
			return binaries, err
		}
	}
	return binaries, nil
}

// workers are how many mutants are run at one time.
const workers = 2

// atOnce does something with each number below n, a few at a time. The first error ends it.
func atOnce(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for i := range next {
				if err := do(ctx, i); err != nil {
					stop(err)
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	running.Wait()
	return context.Cause(ctx)
}
