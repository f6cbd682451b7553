// Package testrun runs tests for specs and returns the results. It builds and runs code of the repository, so it is
// only for machines on which the user trusts that code, never for a server.
//
// It does not write to the repository: generated files are in a temporary directory, and programs are confined to it
// (see package confine). Each language has a tester.
package testrun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/golang"
	"github.com/causaldocs/causal/testgen/python"
	"github.com/causaldocs/causal/testgen/spec"
	"github.com/causaldocs/causal/testgen/typescript"
)

// Job is a spec to run.
type Job struct {
	Subject string
	File    string // of the spec
	Spec    *spec.Spec
	Target  *testgen.Target
	Now     spec.Depends

	proposed [][]spec.Typed // arguments that a model proposed for new cases
}

// Verified summarizes a run.
type Verified struct {
	Candidates int
	Statements int // in the modules of the targets
	Before     int // of these, reached by handwritten tests
	After      int // of these, reached by all tests
}

// BuildError reports that the tests of a package do not build without generated files.
type BuildError struct{ Package, Said string }

func (e *BuildError) Error() string {
	return fmt.Sprintf("the tests of %s do not build, so causal cannot verify results (it downloads nothing: get missing dependencies first):\n%s", e.Package, e.Said)
}

// Runner runs tests in a work tree.
type Runner struct {
	Root     string                 // work tree
	Launcher string                 // see confine.Program
	Warn     func(*MissingError)    // receives the reason why the specs of a language cannot run
	Model    testgen.Model          // proposes cases for new specs; may be nil
	Shows    func(file string) bool // reports whether the model may see a file; nil for all
	Say      func(text string)      // receives ignored proposals

	callLimit time.Duration // overrides the limit of one call
	repeats   int           // overrides the repetitions of a test in later runs
	mu        sync.Mutex
	warned    []MissingError
}

// longestCall bounds one call of a function: longer than any call that a test should make.
func (r *Runner) longestCall() time.Duration { return cmp.Or(r.callLimit, 10*time.Second) }

// tester runs the tests of one language in the work tree of a Runner.
type tester interface {
	// builds returns a *BuildError if the tests of a directory do not build without generated files.
	builds(ctx context.Context, dir string) error
	// verify runs the specs of a directory and returns the results by subject.
	verify(ctx context.Context, dir string, jobs []*Job) (map[string]*testgen.Recorded, *Verified, error)
}

// testers open the tester of a language in a temporary directory.
var testers = map[string]func(r *Runner, temp string) (tester, error){
	golang.Language.Name: openGo, python.Language.Name: openPython, typescript.Language.Name: openTypeScript,
}

// wholly are the languages whose specs run in one process, because starting it takes longer than the tests.
var wholly = map[string]bool{typescript.Language.Name: true}

// MissingError reports that a tool for the tests of a language is not installed. The specs stay as they are.
type MissingError struct{ Language, What string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("tests of %s cannot be run: %s", e.Language, e.What)
}

// Place is a directory of the work tree and a language of its tests.
type Place struct{ Language, Dir string }

func comparePlaces(a, b Place) int {
	return cmp.Or(strings.Compare(a.Language, b.Language), strings.Compare(a.Dir, b.Dir))
}

// Run runs specs and returns the results by subject.
func (r *Runner) Run(ctx context.Context, jobs []*Job) (map[string]*testgen.Recorded, *Verified, error) {
	if err := r.ask(ctx, jobs); err != nil {
		return nil, nil, err
	}
	at := map[Place][]*Job{}
	for _, j := range jobs {
		dir, _ := testgen.Split(j.Subject)
		place := Place{j.Target.Spec.Lang, dir}
		if wholly[place.Language] {
			place.Dir = "."
		}
		at[place] = append(at[place], j)
	}
	out, sum := map[string]*testgen.Recorded{}, &Verified{}
	var mu sync.Mutex
	err := r.each(ctx, slices.SortedFunc(maps.Keys(at), comparePlaces), func(ctx context.Context, t tester, p Place) error {
		recorded, one, err := t.verify(ctx, p.Dir, at[p])
		mu.Lock()
		defer mu.Unlock()
		maps.Copy(out, recorded)
		sum.Candidates += one.Candidates
		sum.Statements += one.Statements
		sum.Before += one.Before
		sum.After += one.After
		return err
	})
	r.credit(jobs, out)
	return out, sum, err
}

// Builds returns a *BuildError if the tests of places do not build without generated files.
func (r *Runner) Builds(ctx context.Context, places []Place) error {
	return r.each(ctx, places, func(ctx context.Context, t tester, p Place) error { return t.builds(ctx, p.Dir) })
}

// each calls a function for each place that has a tester. Missing tools are reported once for each language.
func (r *Runner) each(ctx context.Context, places []Place, do func(ctx context.Context, t tester, p Place) error) (err error) {
	temp, err := os.MkdirTemp("", "causal-tests-")
	if err != nil {
		return fmt.Errorf("make a directory for the tests: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	open := map[string]tester{}
	for _, p := range places {
		if _, known := open[p.Language]; known {
			continue
		}
		t, err := testers[p.Language](r, filepath.Join(temp, p.Language))
		var missing *MissingError
		if errors.As(err, &missing) {
			r.warn(missing)
		} else if err != nil {
			return err
		}
		open[p.Language] = t
	}
	places = slices.DeleteFunc(slices.Clone(places), func(p Place) bool { return open[p.Language] == nil })
	return each(ctx, places, func(ctx context.Context, p Place) error { return do(ctx, open[p.Language], p) })
}

// warn reports a missing tool once.
func (r *Runner) warn(missing *MissingError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Warn != nil && !slices.Contains(r.warned, *missing) {
		r.warned = append(r.warned, *missing)
		r.Warn(missing)
	}
}

// atOnce bounds the places that are built and run in parallel: the tools have workers of their own.
const atOnce = 2

// each calls a function for places in parallel until the first error.
func each(ctx context.Context, places []Place, do func(ctx context.Context, p Place) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for _, p := range places {
		slots <- struct{}{}
		if ctx.Err() != nil {
			<-slots
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			if err := do(ctx, p); err != nil {
				stop(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}
